# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg init --from: tables of fields of FMS and MAPL become collections, and each line is accounted for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.command import refused, thalweg, use_programs
from thalweg.cli.translate.list_directed import values_of
from translate_tables import (
    APPROXIMATE,
    DIAG_TABLE,
    DIAG_TABLE_YAML,
    EXACT,
    FIELD_DEF,
    HISTORY,
    WITHOUT,
    collections,
    translated,
)

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


@pytest.mark.parametrize(
    ("record", "values"),
    [
        ('"a", 1, "days"', ["a", "1", "days"]),
        ('"a" "b",\'c\' 2', ["a", "b", "c", "2"]),
        ("a,b c", ["a", "b", "c"]),
        ("\"it\"\"s\", 'it''s'", ['it"s', "it's"]),
        ("a,,b,", ["a", None, "b"]),
        ("3*7, 2*'x'", ["7", "7", "7", "x", "x"]),
        ("a / b", ["a"]),
        ('"a / b"  ', ["a / b"]),
        ("", []),
    ],
)
def test_records_are_read_as_fortran_reads_lists(record: str, values: list[str | None]) -> None:
    assert values_of(record) == values


def test_a_quote_that_is_not_closed_is_no_record() -> None:
    with pytest.raises(ValueError, match="begins with ' is not closed"):
        values_of("'a, 1")


def test_a_repeat_count_without_sense_is_no_record() -> None:
    with pytest.raises(ValueError, match="1000000000 values at once"):
        values_of("1000000000*6")


def test_what_the_check_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "table").write_text(DIAG_TABLE.replace("2000 1 1", "2000 2 31", 1))
    done = thalweg("init", "--from", tmp_path / "table", "--json")
    assert done.code == 0
    (fault,) = done.json["refused"]
    assert "2000-02-31" in fault, fault
    assert f"refused by 'thalweg check', mend it there or in the original: {fault}" in done.err


def test_a_diag_table(tmp_path: Path) -> None:
    said = translated(tmp_path, DIAG_TABLE)
    assert {key: said["yaml"][key] for key in ("time-step", "calendar")} == {
        "time-step": "10 min",
        "calendar": "standard",
    }
    assert str(said["yaml"]["reference-date"]) == "2000-01-01 00:00:00"
    defaults = {"optional": True, "anchor": "start", "partial": "drop", "attributes": {"title": "my_run"}}
    assert said["yaml"]["defaults"] == defaults
    salt = {"from": "ocean_model/salt", "type": "float32"}
    area = {"from": "static/area", "type": "float32"}
    one_file = {"new-file": "1000 years"}
    assert collections(said) == {
        "ocean_6h": {
            "every": "6 h",
            "file": "%Y%m%d.ocean_6h.nc",
            "operation": "mean",
            "fields": [
                {"from": "ocean_model/temp", "type": "float32"},
                {"from": "ocean_model/temp", "operation": "max", "name": "temp_max", "type": "float64"},
                area | {"operation": "once"},
                {"from": "ocean_model/none", "operation": "rms", "type": "float32"},
            ],
        }
        | one_file,
        "ocean_snap": {
            "record-dimension": "Time",
            "every": "3 h",
            "file": "%Y%m%d.ocean_snap.nc",
            "fields": [{"from": "ocean_model/temp", "name": "sst", "type": "float32"}],
        }
        | one_file,
        "ocean_static": {"file": "%Y%m%d.ocean_static.nc", "operation": "once", "fields": [area]} | one_file,
        "each": {
            "every": "6 h",
            "file": "each_%Y_%m_%d_%H.nc",
            "file-date": "middle",
            "operation": "mean",
            "fields": [salt],
        },
        "days": {"every": "1 h", "file": "days__%Y_%j_%H.nc", "new-file": "12 h", "fields": [salt]},
    }
    assert (said["exact"], said["approximate"], said["without_counterpart"]) == (12, 3, 1)
    assert [line["line"] for line in said["lines"] if line["fate"] == WITHOUT] == ["17"]


class Case(NamedTuple):
    line: str  # of a diag_table that has a title, a date and a file
    fate: str
    remark: str
    chosen: dict[str, Any] | None = None


def field(reduction: str, rest: str = '"none", 2', name: str = "t") -> str:
    return f'"ocn", "t", "{name}", "f", "all", {reduction}, {rest}'


T = {"from": "ocn/t", "type": "float32"}
FIELDS = {
    "average": Case(field("average"), EXACT, "", T),
    "true": Case(field(".TRUE."), EXACT, "", T),
    "min": Case(field('"min"', name="tem"), EXACT, "", T | {"operation": "min", "name": "tem_min"}),
    "min_of_a_short_name": Case(field("min"), EXACT, "", T | {"operation": "min"}),
    "min_named": Case(field("min", name="T_MIN"), EXACT, "", T | {"operation": "min", "name": "T_MIN"}),
    "sum": Case(field('"sum"'), EXACT, "", T | {"operation": "sum"}),
    "float64": Case(field("mean", "none 1"), EXACT, "", T | {"type": "float64"}),
    "packed": Case(field("mean", "none 4"), APPROXIMATE, "packing 4 is not there: float32", T),
    "no_region": Case(field("mean", '"-1 -1 -1 -1 -1 -1", 2'), EXACT, "", T),
    "region": Case(field("mean", '"-80 -60 0 75 -1 -1", 2'), WITHOUT, "the table does not name dimensions"),
    "diurnal": Case(field('"diurnal24"'), APPROXIMATE, "not in that of its middle", T | {"operation": "diurnal 24"}),
    "diurnal_of_no_day": Case(field('"diurnal7"'), WITHOUT, "'diurnal7': parts of the day are whole seconds"),
    "power": Case(field("pow2"), EXACT, "'mean_pow'", T | {"expression": "this^2", "name": "t"}),
    "no_power": Case(field("pow"), WITHOUT, "'pow' is no reduction"),
    "unknown": Case(field("median"), WITHOUT, "'median' is no reduction"),
    "null": Case('ocn, t, t, "null", all, mean, none, 2', EXACT, "written nowhere, as in FMS"),
    "no_file": Case('ocn, t, t, "g", all, mean, none, 2', WITHOUT, "no line says what the file 'g' is"),
    "nonsense": Case("ocn, t", WITHOUT, "neither a file nor a field"),
    "unclosed": Case('"ocn, t', WITHOUT, 'the text that begins with " is not closed'),
    "comment_in_quotes": Case('ocn t t f "all" mean none 2 # "x', EXACT, "", T),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_a_diag_table(tmp_path: Path, name: str) -> None:
    case = FIELDS[name]
    mean = '"ocn", "s", "s", "f", "all", .true., "none", 2\n'
    said = translated(tmp_path, f'run\n1 1 1 0 0 0\n"f", 1, "days", 1, "days", "time"\n{mean}{case.line}\n')
    line = next(one for one in said["lines"] if one["line"] == "5")
    assert line["fate"] == case.fate
    assert case.remark in "; ".join(line["remarks"])
    chosen = collections(said)["f"]["fields"]
    assert chosen[1:] == ([case.chosen] if case.chosen else [])


FILES = {
    '"f.nc", 5, "minutes", 1, "days", "time"': (EXACT, {"every": "5 min", "file": "%Y%m%d.f.nc"}),
    '"f", 0, "hours", 1, "days", "time"': (EXACT, {"every": "1 step"}),
    '"f", 2, "years", 1, "days", "time"': (EXACT, {"every": "2 years"}),
    '"f", 1, "weeks", 1, "days", "time"': (WITHOUT, None),
    '"f%4yr%2mo", 1, "days", 1, "days", "time", 1, "months"': (
        APPROXIMATE,
        {"new-file": "1 month", "file": "f_%Y_%m.nc"},
    ),
    '"f%4yr", 1, "days", 1, "days", "time", 1, "days"': (APPROXIMATE, {"file": "f_%Y_%m%d.nc"}),
    '"f%4yr", 1, "days", 1, "days", "time"': (APPROXIMATE, {"file": "f_%Y.nc"}),
    '"f%4yr%2mo%2dy", 1 "days" 1 "days" "time" 1 "days" "1 1 1 0 0 0" 0 "" "end"': (
        APPROXIMATE,
        {"file-date": "end", "file": "f_%Y_%m_%d.nc"},
    ),
}


@pytest.mark.parametrize("line", FILES)
def test_a_file_of_a_diag_table(tmp_path: Path, line: str) -> None:
    fate, keys = FILES[line]
    name = line[1:].partition('"')[0]
    reduction = "none" if ", 0," in line else "mean"
    said = translated(tmp_path, f'run\n1 1 1 0 0 0\n{line}\nocn t t "{name}" all {reduction} none 2\n')
    assert next(one["fate"] for one in said["lines"] if one["line"] == "3") == fate
    if keys is None:
        assert collections(said) == {}
    else:
        made = collections(said)["f"]
        assert {key: made.get(key) for key in keys} == keys


def test_tables_belong_together(tmp_path: Path) -> None:
    """As tables that others include: one has a title and a date, one files, one fields of a file of the other."""
    (tmp_path / "files").write_text('"f", 1, "days", 1, "days", "time"\n')
    (tmp_path / "fields").write_text('"ocn", "t", "t", "f", "all", "mean", "none", 2\n')
    said = translated(
        tmp_path, "run\n1900 1 1 0 0 0\n", "base", "--with", tmp_path / "files", "--with", tmp_path / "fields"
    )
    assert collections(said)["f"]["fields"] == [{"from": "ocn/t", "type": "float32"}]
    assert [line["line"] for line in said["lines"]] == ["base:1", "base:2", "files:1", "fields:1"]


@pytest.mark.parametrize(("date", "is_said"), [("1990 1 29 0 0 0", True), ("1990 1 1 0 0 0", False)])
def test_months_that_are_none_of_the_calendar_are_said(tmp_path: Path, date: str, is_said: bool) -> None:
    table = f'run\n{date}\n"f", 1, "months", 1, "days", "time"\nocn t t f all mean none 2\n'
    warnings = translated(tmp_path, table)["warnings"]
    assert any("'anchor: calendar' has those" in warning for warning in warnings) == is_said


def test_a_diag_table_in_yaml(tmp_path: Path) -> None:
    said = translated(tmp_path, DIAG_TABLE_YAML)
    assert collections(said) == {
        "atmos": {
            "record-dimension": "records",
            "every": "6 h",
            "file": "%Y%m%d.atmos.nc",
            "new-file": "1000 years",
            "operation": "mean",
            "attributes": {"title": "my_run", "is_a_file": "true"},
            "fields": [
                {"from": "atm/t", "type": "float32"},
                {"from": "atm/t", "operation": "min", "name": "tmin", "type": "float64"},
            ],
            "variables": {"t": {"attributes": {"note": "mine"}}},
        },
        "each": {
            "every": "6 h",
            "file": "each_%Y_%m_%d_%H.nc",
            "file-date": "end",
            "operation": "sum",
            "fields": [{"from": "atm/t", "type": "float32"}],
        },
    }
    assert [line["line"] for line in said["lines"] if line["fate"] == WITHOUT] == ["19", "22", "46"]


def test_a_file_without_a_name_is_none(tmp_path: Path) -> None:
    said = translated(tmp_path, DIAG_TABLE_YAML.replace("file_name: atmos", "file_name:"))
    assert set(collections(said)) == {"each"}
    assert "'file' is not written: a file without a name" in said["configuration"]


def test_parts_of_a_run_of_their_own_frequency_are_said(tmp_path: Path) -> None:
    text = DIAG_TABLE_YAML.replace("freq: 6 hours\n  time", "freq: 6 hours, 3 hours\n  time")
    said = translated(tmp_path, text)
    line = next(one for one in said["lines"] if one["text"].startswith("file_name: atmos"))
    assert (line["fate"], "others are collections with 'from' and 'until'" in line["remarks"][0]) == (APPROXIMATE, True)


def test_a_history(tmp_path: Path) -> None:
    said = translated(tmp_path, HISTORY)
    about = {"experiment": "A run", "contact": "me"}
    assert said["yaml"]["defaults"] == {"optional": True, "partial": "drop", "attributes": about}
    assert collections(said) == {
        "inst3": {
            "every": "3 h",
            "file": "exp1.inst3.%Y%m%d_%H%Mz.nc4",
            "fields": ["DYN/T", {"from": "DYN/U", "name": "uu"}, {"from": "DYN/V", "name": "vv"}],
        },
        "tavg6.x": {
            "every": "6 h",
            "file": "exp1.tavg6.x.%Y%m%d_%H%Mz.nc4",
            "file-date": "middle",
            "compression": {"codec": "deflate", "level": 1, "keep-bits": 10},
            "operation": "mean",
            "attributes": about | {"title": "Means, 6-hourly"},
            "fields": [
                {"from": "DYN/T", "name": "t"},
                {"from": "DYN/T", "operation": "max", "name": "tmax"},
                {"from": "DYN/U", "operation": "sum", "name": "uacc"},
                {"expression": "2*'DYN/U'+V", "name": "w"},
            ],
        },
        "month": {"every": "1 month", "file": "exp1.month.%Y%m.nc4", "operation": "mean", "fields": ["DYN/T"]},
        "days": {"every": "6 h", "new-file": "1 d", "file": "exp1.days.%Y%m%d.nc4", "fields": ["DYN/T"]},
    }
    assert "'off' is not written: not among COLLECTIONS" in said["configuration"]
    remarks = {line["line"]: line["remarks"] for line in said["lines"]}
    assert remarks["26"] == ["counted from midnight: an offset of intervals is not there yet"]
    assert remarks["29"] == ["no indices that ascend from 1 on: all levels"]
    assert remarks["6"] == ["a script lets it stand or go by @HIST_MORE: it stands"]


KEYS = {
    "frequency: -060000": (EXACT, {}),
    "frequency: >>>EVERY<<<": (WITHOUT, {}),
    "frequency: 7440000": (APPROXIMATE, {"every": "31 d"}),
    "frequency: 000730": (EXACT, {"every": "450 s"}),
    "duration: 000000": (APPROXIMATE, {"file": "e.c.nc4", "new-file": None}),
    "mode: 'sometimes'": (WITHOUT, {}),
    "end_date: >>>IOEDATE<<<": (WITHOUT, {"every": "6 h"}),
    "levels: 1 2 40": (APPROXIMATE, {"region": {"lev": {"index": [0, 1, 39]}}}),
    "levels: 1000, 850": (WITHOUT, {"every": "6 h"}),
    "xlevels: 1000": (WITHOUT, {"every": "6 h"}),
    "vvars: 'log(PLE)', 'DYN'": (EXACT, {"every": "6 h", "vertical": None}),
    "grid_label: PC4x2-DC": (WITHOUT, {"every": "6 h"}),
    "splitField: 1": (WITHOUT, {"every": "6 h"}),
    "descr: 'All of it'": (EXACT, {"attributes": {"title": "All of it"}}),
    "template: '%y4%m2%d2%h2_50%.nc4'": (APPROXIMATE, {"file": "e.c.%Y%m%d%H_50%%.nc4"}),
    "novelty: 1": (WITHOUT, {"every": "6 h"}),
    "template: '%y2%m2.nc4'": (APPROXIMATE, {"file": "e.c.%m_%Y%d%H.nc4"}),
}


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_a_history(tmp_path: Path, key: str) -> None:
    fate, keys = KEYS[key]
    template = "" if key.startswith("template") else "c.template: '%y4%m2%d2_%h2z.nc4',\n"
    text = f"EXPID: e\nCOLLECTIONS: 'c'\n::\nc.{key} ,\n{template}c.fields: 'T', 'DYN'\n::\n"
    said = translated(tmp_path, text)
    assert next(line["fate"] for line in said["lines"] if line["line"] == "4") == fate
    made = collections(said).get("c", {})
    assert {name: made.get(name) for name in keys} == keys


LEVELS = {
    "levels: 1000 850, 500\nc.vvars: 'log(PLE)', 'DYN'\nc.vunit: 'hPa'\nc.vscale: 100.0": (
        APPROXIMATE,
        {"coordinate": "DYN/PLE", "to": [1000, 850, 500], "units": "hPa", "by": "log", "name": "lev"},
    ),
    "levels: 10. 500.5\nc.vvars: 'ZLE', 'DYN'\nc.vunit: 'm'": (
        APPROXIMATE,
        {"coordinate": "DYN/ZLE", "to": [10, 500.5], "units": "m", "name": "lev"},
    ),
    "levels: 1 2\nc.vvars: 'H'\nc.vscale: 1000": (APPROXIMATE, {"coordinate": "H", "to": [1000, 2000], "name": "lev"}),
    "levels: 1000 low\nc.vvars: 'log(PLE)', 'DYN'": (WITHOUT, None),
    "levels: 1 3 2\nc.vvars: 'log(PLE)', 'DYN'": (WITHOUT, None),
    "levels: 1 3\nc.vvars: 'PLE+1', 'DYN'": (WITHOUT, None),
}


@pytest.mark.parametrize("keys", LEVELS)
def test_levels_of_a_history(tmp_path: Path, keys: str) -> None:
    fate, vertical = LEVELS[keys]
    text = f"EXPID: e\nCOLLECTIONS: 'c'\n::\nc.{keys} ,\nc.template: '%y4.nc4',\nc.mode: 'time-averaged'\n"
    said = translated(tmp_path, text + "c.fields: 'T', 'DYN'\n 'T*2', 'DYN', 'two'\n::\n")
    assert fate in {line["fate"] for line in said["lines"] if line["text"].startswith(("c.levels", "c.vvars"))}
    made = collections(said)["c"]
    assert made.get("vertical") == vertical
    assert len(made["fields"]) == (2 if vertical is None else 1)


def test_a_folder_in_names_is_said(tmp_path: Path) -> None:
    text = "EXPID: out/run\nCOLLECTIONS: 'c'\n::\nc.template: '%y4.nc4'\nc.monthly: 1\nc.fields: 'T', 'DYN'\n::\n"
    said = translated(tmp_path, text)
    assert said["lines"][0]["remarks"] == ["the folder 'out' has to be there"]
    assert collections(said)["c"]["file"] == "out/run.c.%Y_%m.nc4"


def test_tokens_of_scripts_are_to_be_filled_in(tmp_path: Path) -> None:
    keys = "c.template: '%y4>>>SUFFIX<<<.nc4'\nc.monthly: 1\nc.fields: 'T', 'DYN'\n::\n"
    said = translated(tmp_path, f"EXPID: @EXPID\nCOLLECTIONS: 'c'\n::\n{keys}")
    assert collections(said)["c"]["file"] == "${EXPID}.c.%Y${SUFFIX}_%m.nc4"
    assert set(said["to_fill_in"]) == {"EXPID", "SUFFIX"}
    assert "\n  EXPID: EXPID  # what a script puts for @EXPID" in said["configuration"]


@pytest.mark.parametrize(
    ("name", "text", "code", "message"),
    [
        ("HISTORY.rc", "EXPID: e\nCOLLECTIONS: 'a',\n::\na.frequency: 00000100 000000\na.fields: 'X',\n::\n", 3,
         "is a HISTORY.rc of GEOS-Chem Classic, which is another grammar"),
        ("file_def.xml", "<file_definition><file></file_definition>", 3, "is no XML: mismatched tag: line 1"),
        ("field_def.xml", FIELD_DEF, 3, "has no <file> in a <file_definition>; add it: --with file_def.xml"),
        ("diag_table.yaml", "diag_files: [\n- a: {", 3, "is no YAML: line"),
        ("a.xml", '<context src="a.xml"><file_definition/></context>', 3, "is included in a circle"),
        ("deep.xml", "<context>" * 300 + "</context>" * 300, 3, "more than 100 elements lie in each other"),
        ("a.nc", "CDF\0\1", 3, "is no text; give a diag_table, HISTORY.rc, file_def.xml or input.nml"),
        ("poem.txt", "Where the bee sucks\n", 3, "has neither &mpp_io_nml nor &fms2_io_nml"),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_one_clear_line(tmp_path: Path, name: str, text: str, code: int, message: str) -> None:
    (tmp_path / name).write_text(text)
    assert message in refused(code, "init", "--from", tmp_path / name)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--from", "table", "--with", "other.rc"), 3, "'other.rc' is no diag_table, as 'table' is one"),
        (("--from", "table", "--with", "none"), 3, "'none' does not exist"),
        (("--from", "input.nml", "--with", "table"), 2, "--with is for tables of fields, and 'input.nml' is none"),
        (("--from", "table", "--grid", "x=1,y=1"), 2, "--namelist and --grid are for FMS's namelists"),
        (("example.nc", "--with", "table"), 2, "--namelist, --grid and --with are for --from"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table").write_text(DIAG_TABLE)
    Path("other.rc").write_text(HISTORY)
    Path("input.nml").write_text("&mpp_io_nml pnetcdf = T /\n")
    assert message in refused(code, "init", *words)
