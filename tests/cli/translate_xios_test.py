# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg init --from: files of XIOS become collections, with what groups, references and expressions mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import use_programs
from translate_tables import APPROXIMATE, EXACT, FIELD_DEF, FILE_DEF, WITHOUT, XIOS, collections, translated

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


def test_files_of_xios(tmp_path: Path) -> None:
    for name, text in XIOS.items():
        (tmp_path / name).write_text(text)
    said = translated(tmp_path, XIOS["iodef.xml"], "iodef.xml")
    assert {key: said["yaml"][key] for key in ("calendar", "time-step")} == {"calendar": "noleap", "time-step": "1 h"}
    sst = {"from": "sst", "type": "float32"}
    about = {"description": "T variables", "project": "mine"}
    one_file = {"new-file": "1000 years"}
    made = collections(said)
    assert set(made) == {"file1_grid_T", "file1_grid_T_instants", "file2_split"}
    assert made["file1_grid_T"]["fields"] == [
        sst | {"name": "tos"},
        {"from": "sst", "operation": "min", "name": "tosmin", "type": "float64"},
        {"expression": "sqrt(mean(sst * sst) - mean(sst) * mean(sst))", "name": "tosstd", "type": "float32"},
        {"expression": "mean(sst * e3t) / mean(e3t)", "name": "so", "type": "float32"},
        {"expression": "sst * sst", "name": "sst2", "type": "float32"},
        {"expression": "1026.0 * sst / 2", "name": "heat", "type": "float32"},
    ]
    variables = made["file1_grid_T"]["variables"]
    assert variables["tosstd"] == {"attributes": {"long_name": "spread", "units": "degC"}}
    assert variables["heat"] == {"attributes": {"long_name": "surface temperature", "units": "J"}}
    assert (
        made["file1_grid_T_instants"]
        == {
            "every": "6 h",
            "file": "${EXPNAME}_6h_%Y%m%d_grid_T_instants.nc",
            "attributes": about,
            "fields": [sst | {"name": "snap"}],
        }
        | one_file
    )
    assert made["file2_split"] == {
        "every": "12 h",
        "new-file": "1 d",
        "file": "${EXPNAME}_12h_%Y%m%d_split.nc",
        "missing": "propagate",
        "operation": "sum",
        "fields": [sst],
    }
    lacking = {line["line"]: line["remarks"][0] for line in said["lines"] if line["fate"] == WITHOUT}
    assert lacking == {
        "file_def.xml:9": "an operation over 3h within one over 6h is not there yet",
        "file_def.xml:12": "on another grid (grid_ref=zoom): say a part of it by 'region', "
        "what columns come to by 'vertical', or 'grid' with a file of weights",
        "file_def.xml:15": "no definition has a field 'nothing'",
    }
    assert "its level 7 is above the file's output_level 5" in said["configuration"]


def test_definitions_of_xios_may_be_given(tmp_path: Path) -> None:
    (tmp_path / "field_def.xml").write_text(FIELD_DEF)
    text = FILE_DEF.replace('<field field_ref="heat"/>', "")
    alone = translated(tmp_path, text, "file_def.xml")
    assert all(line["fate"] != EXACT for line in alone["lines"] if line["text"].startswith("<field "))
    given = translated(tmp_path, text, "file_def.xml", "--with", tmp_path / "field_def.xml")
    assert given["exact"] > alone["exact"]
    assert collections(given)["file1_grid_T"]["fields"][2]["expression"].startswith("sqrt(mean(sst * sst)")


def test_groups_are_followed(tmp_path: Path) -> None:
    """A file's own words prevail over those of groups around it; group_ref brings the fields of a group."""
    said = translated(
        tmp_path,
        """<context>
<field_definition operation="average">
  <field_group id="all" operation="maximum"><field id="a"/><field id="b" operation="minimum"/></field_group>
</field_definition>
<file_definition enabled="false" output_freq="1h">
  <file_group output_freq="2h" name_suffix="_no">
    <file id="on" enabled="true"><field_group group_ref="all"/></file>
    <file id="own" enabled="true" output_freq="1mo" name="own_%d"><field field_ref="a" operation="average"/></file>
    <file id="off"><field field_ref="a"/></file>
    <file id="in" enabled="true" mode="read"><field field_ref="a"/></file>
  </file_group>
</file_definition></context>""",
    )
    assert collections(said) == {
        "on": {
            "every": "2 h",
            "file": "on.nc",
            "missing": "propagate",
            "operation": "max",
            "fields": ["a", {"from": "b", "operation": "min"}],
        },
        "own": {
            "every": "1 month",
            "file": "own_%%d.nc",
            "missing": "propagate",
            "operation": "mean",
            "fields": ["a"],
        },
    }
    assert "'off' is not written: enabled: false" in said["configuration"]
    assert "mode=read: reading is the model's" in said["configuration"]
    assert "'anchor: calendar' has those of the calendar." in said["configuration"]


DEFINED = """<context>
<calendar type="D360" timestep="30mi"/>
<field_definition operation="average" freq_op="1ts" detect_missing_value="true" default_value="1e20">
  <field id="a"/> <field id="b" prec="2"/> <field id="last" field_ref="a" operation="instant"/>
</field_definition>
<file_definition><file id="f" output_freq="6h">{}</file></file_definition></context>
"""
OF_XIOS = {
    '<field id="x" name="y"> a + b </field>': (EXACT, {"expression": "a + b", "name": "y"}),
    '<field id="x"> @a / @b </field>': (EXACT, {"expression": "a / b", "name": "x"}),
    '<field id="x" operation="instant" freq_op="360mi"> @a - -b </field>': (WITHOUT, None),
    '<field id="x" operation="instant" freq_op="360mi"> @a^2 </field>': (
        EXACT,
        {"expression": "mean(a)^2", "name": "x"},
    ),
    '<field id="x" operation="instant" freq_op="6h"> @last </field>': (WITHOUT, None),
    '<field id="x"> neg(a) * 1.5d0 </field>': (EXACT, {"expression": "-(a) * 1.5e0", "name": "x"}),
    '<field id="x"> erf(a) </field>': (WITHOUT, None),
    '<field id="x"> a * $lacking </field>': (WITHOUT, None),
    "<field/>": (WITHOUT, None),
    '<field field_ref="a" freq_op="30mi"/>': (EXACT, "a"),
    '<field field_ref="a" freq_op="1h"/>': (EXACT, {"from": "a", "sample": "1 h"}),
    '<field field_ref="a" freq_op="1h" freq_offset="_reset_"/>': (EXACT, {"from": "a", "sample": "1 h"}),
    '<field field_ref="a" freq_op="3h" freq_offset="1h-30mi"/>': (
        EXACT,
        {"from": "a", "sample": "3 h", "sample-offset": "1 h"},
    ),
    '<field field_ref="a" freq_op="6ts" freq_offset="5ts"/>': (EXACT, {"from": "a", "sample": "6 steps"}),
    '<field field_ref="a" freq_op="1mo" freq_offset="0ts"/>': (WITHOUT, None),
    '<field field_ref="a" freq_op="1h-1d"/>': (WITHOUT, None),
    '<field id="x" freq_op="2h"> a * a </field>': (EXACT, {"expression": "a * a", "name": "x", "sample": "2 h"}),
    '<field field_ref="a" operation="instant" freq_op="2h"/>': (APPROXIMATE, None),  # in a file of instants
    '<field field_ref="a" operation="instant" freq_op="4h"/>': (WITHOUT, None),
    '<field field_ref="a" operation="median"/>': (WITHOUT, None),
    '<field field_ref="b"/>': (APPROXIMATE, {"from": "b", "type": "float32"}),
    '<field field_ref="a" operation="once"/>': (EXACT, {"from": "a", "operation": "once"}),
}


@pytest.mark.parametrize("element", OF_XIOS)
def test_a_field_of_xios(tmp_path: Path, element: str) -> None:
    fate, chosen = OF_XIOS[element]
    said = translated(tmp_path, DEFINED.format(f'<field field_ref="a" name="other"/>\n{element}'))
    assert next(line["fate"] for line in said["lines"] if line["line"] == "7") == fate
    made = collections(said)["f"]
    assert "missing" not in made
    assert made["fields"][1:] == ([chosen] if chosen else [])
    assert said["yaml"]["calendar"] == "360_day"
