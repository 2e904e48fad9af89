# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg check: a configuration before the run."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from support import mpi
from support.command import Done, refused, thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

FAULTY = """\
writters: thread
staging: 2 parsecs
collections:
  history:
    format: netcdf5
    every: 6 h
    patern: single
"""


def check(folder: Path, yaml: str, *words: object) -> Done:
    (folder / "ocean.yaml").write_text(yaml)
    return thalweg("check", folder / "ocean.yaml", *words)


def test_all_errors_come_at_once_with_line_and_caret(tmp_path: Path) -> None:
    done = check(tmp_path, FAULTY)
    assert (done.code, done.out) == (3, "")
    assert "ocean.yaml:1:1: error: unknown key 'writters'; did you mean 'writers'?" in done.err
    assert "    2 | staging: 2 parsecs\n      |          ^" in done.err
    assert "ocean.yaml' has 4 errors" in done.err


def test_errors_are_told_to_programs_with_their_places(tmp_path: Path) -> None:
    done = check(tmp_path, FAULTY, "--json")
    assert (done.code, done.json["ok"]) == (3, False)
    places = [(fault["line"], fault["column"]) for fault in done.json["errors"]]
    assert places == [(1, 1), (2, 10), (5, 13), (7, 5)]
    assert {fault["file"] for fault in done.json["errors"]} == {str(tmp_path / "ocean.yaml")}


BOMBS = {
    "aliases of a long text": "a: &a " + "x" * 200_000 + "\nb:\n" + "- *a\n" * 90_000,
    "aliases of aliases": "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
    "many faults in a long line": "{" + ", ".join(f"key{n}: 1" for n in range(20_000)) + "}",
    "deep": "[" * 100_000,
    "anchors in anchors": "a: " + "".join(f"&a{n} [" for n in range(400)) + "x, " * 10_000 + "]" * 400,
    "a long key": "k" * 1_000_000 + ": 1\n",
    "names in long names": "collections: {" + "n" * 1_000_000 + ": {variables: {"
    + "".join(f"v{n}: {{level: 1}}, " for n in range(20_000)) + "}}}",
    "no text": "\0" * (17 << 20),
}  # fmt: skip


@pytest.mark.parametrize("kind", BOMBS)
def test_a_configuration_that_is_meant_to_take_all_memory_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    (tmp_path / "ocean.yaml").write_text(BOMBS[kind])
    command = ["/bin/bash", "-c", 'ulimit -v 1000000; exec timeout 20 "$@"', "sh", mpi.program("thalweg-check")]
    done = subprocess.run([*command, tmp_path / "ocean.yaml"], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1, (done.returncode, done.stderr[:1000])
    assert 0 < len(done.stderr) < 200_000


def test_the_program_alone_answers_a_person_in_lines(tmp_path: Path) -> None:
    file = tmp_path / "ocean.yaml"
    file.write_text("time-step: 1 h\ncollections: {history: {file: o.nc, every: 6 h}}\n")
    words = [str(word) for word in (mpi.program("thalweg-check"), file, "--ranks", 4)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{file}: no errors\nsettings that are not the default ones")
    assert "first records of 'history'\n  0: after step 6, " in done.stdout
    assert len(done.stdout.splitlines()) < 16
    told = subprocess.run([*words, "--json"], capture_output=True, text=True, timeout=30, check=False)
    assert len(json.loads(told.stdout)["ranks"]) == 4
    file.write_text(FAULTY)
    wrong = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.endswith(f"'{file}' has 4 errors\n")


def test_settings_are_shown_with_their_origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THALWEG_STAGING", "1 GiB")
    done = check(tmp_path, "writers: sync\n")
    assert done.code == 0
    origins = [line.strip() for line in done.out.splitlines() if " = " in line]
    assert len(origins) == 2
    assert origins[0].startswith("writers.place = sync  (file ")
    assert origins[1] == "staging       = 1 GiB  (environment THALWEG_STAGING)"
    assert "deadline" in check(tmp_path, "writers: sync\n", "--all").out


def test_defaults_are_shown_and_checked_where_the_program_names_the_collections(tmp_path: Path) -> None:
    done = check(tmp_path, "time-step: 1 h\ndefaults: {every: 1 d, record-dimension: none}\n")
    assert done.code == 0, done.err
    assert "  defaults.every            = 1 d  (file " in done.out
    assert "  defaults.record-dimension = none  (file " in done.out
    assert "no collections: the model may name them freely, each with the settings of 'defaults'" in done.out
    plain = check(tmp_path, "staging: 1 GiB\n").out
    assert "each with default settings" in plain
    assert "defaults." not in plain
    assert "set 'time-step: 10 min'" in check(tmp_path, "defaults: {every: 1 d}\n").err
    wrong = check(tmp_path, "defaults: {format: cdf5, compression: zstd}\n")
    assert (wrong.code, wrong.out) == (3, "")
    assert "ocean.yaml:1:39: error: codec: CDF files have no compression" in wrong.err


def test_files_of_one_record_are_shown_as_such_and_need_names_of_their_own(tmp_path: Path) -> None:
    yaml = "time-step: 1 h\ncollections: {{r: {{every: 1 d, record-dimension: none, file: {}}}}}\n"
    done = check(tmp_path, yaml.format("r_%d.nc"))
    assert "collections.r.record-dimension = none  (file " in done.out
    for name in ("r_%m.nc", "r.nc"):
        wrong = check(tmp_path, yaml.format(name))
        assert wrong.code == 3
        assert "set every: on-demand, and the program names each file (thalweg_new_file)" in wrong.err


def test_a_variable_of_the_environment_that_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THALWEG_STAGGING", "1 GiB")
    done = check(tmp_path, "writers: sync\n")
    assert done.code == 3
    assert "did you mean 'THALWEG_STAGING'" in done.err


def test_a_variable_that_a_run_ignores_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THALWEG_DEFAULTS", "{format: zarr}")
    done = check(tmp_path, "writers: sync\n")
    assert done.code == 0
    assert "THALWEG_DEFAULTS is no setting of Thalweg and is ignored" in done.err


def test_an_advised_launch_is_the_models(tmp_path: Path) -> None:
    options = ("--npes_model", "6", "--nodes_output_server", "2")
    done = check(tmp_path, "command-line: pfio\n", "--ranks", 12, "--ranks-per-node", 4, "--", *options)
    assert done.code == 3
    assert f"This works: mpiexec -np 16 ./model {' '.join(options)}\n" in done.err


def test_first_records_are_shown_with_their_files(tmp_path: Path) -> None:
    yaml = """\
time-step: 6 h
calendar: noleap
collections:
  daily: {file: "daily_%Y-%m.nc", every: 1 d, new-file: 1 month}
  steps: {every: 5 steps, initial-record: yes}
"""
    found = check(tmp_path, yaml, "--json", "--records", 32).json
    daily, steps = (collection["records"] for collection in found["collections"])
    assert daily[0] == {"record": 0, "step": 4, "file": "daily_2000-01.nc", "date": "2000-01-02 00:00:00"}
    assert [record["file"] for record in daily] == ["daily_2000-01.nc"] * 31 + ["daily_2000-02.nc"]
    assert [record["step"] for record in steps[:3]] == [0, 5, 10]
    assert {record["file"] for record in steps} == {"steps.nc"}


def test_first_intervals_are_shown_with_their_files(tmp_path: Path) -> None:
    yaml = """\
time-step: 150 min
collections:
  m: {file: "%v_%Y%m.nc", every: 1 month, new-file: 2 months, operation: mean, fields: [t]}
  whole: {every: end, operation: max, fields: [t]}
"""
    done = check(tmp_path, yaml, "--records", 3)
    assert (
        """\
records of 'm' have what is gathered over 1 month
  0: from 2000-01-01 00:00:00 to 2000-02-01 00:00:00 → %v_200001.nc
  1: from 2000-02-01 00:00:00 to 2000-03-01 00:00:00 → %v_200001.nc
  2: from 2000-03-01 00:00:00 to 2000-04-01 00:00:00 → %v_200003.nc
the record of 'whole' has what is gathered over the whole run
"""
        in done.out
    )
    month, whole = check(tmp_path, yaml, "--json", "--records", 1).json["collections"]
    assert month["records"] == [
        {"record": 0, "begin": "2000-01-01 00:00:00", "end": "2000-02-01 00:00:00", "file": "%v_200001.nc"}
    ]
    assert whole["records"] == []


def test_without_a_time_step_records_are_counted_in_steps(tmp_path: Path) -> None:
    (collection,) = check(tmp_path, "collections: {a: {every: 3 steps}}\n", "--json").json["collections"]
    assert collection["records"] == [{"record": n, "step": 3 * (n + 1), "file": "a.nc"} for n in range(3)]


def test_what_a_run_finds_at_its_start_is_found(tmp_path: Path) -> None:
    done = check(tmp_path, "collections:\n  a: {every: 6 h}\n  b: {every: 1 d}\n")
    assert done.code == 3
    assert "collection 'a'" in done.err
    assert "collection 'b'" in done.err
    assert "set 'time-step: 10 min'" in done.err


@pytest.mark.parametrize(
    ("writers", "ranks", "per_node", "lines"),
    [
        ("thread", 8, 4, ["8 ranks on 2 nodes", "8 clients, which compute: 0-7", "2 clients that also write: 0, 4"]),
        ("{ranks: 2}", 8, 4, ["6 clients, which compute: 0-2, 4-6", "2 servers that write: 3, 7"]),
        ("{nodes: {count: 1, backends-per-node: 1}}", 8, 4,
         ["4 clients, which compute: 0-3", "1 servers that write: 7", "3 servers that only receive: 4-6"]),
        ("{ranks: 1, clients: 2}", 4, 0, ["2 clients, which compute: 0-1", "1 idle: 2"]),
    ],
)  # fmt: skip
def test_ranks_have_the_roles_of_a_run(
    tmp_path: Path, writers: str, ranks: int, per_node: int, lines: list[str]
) -> None:
    words = ["--ranks", ranks, *(["--ranks-per-node", per_node] if per_node else [])]
    done = check(tmp_path, f"writers: {writers}\n", *words)
    assert done.code == 0, done.err
    for line in lines:
        assert line in done.out


def test_servers_that_do_not_fit_the_job_are_refused(tmp_path: Path) -> None:
    done = check(tmp_path, "writers: {nodes: 2}\n", "--ranks", 8, "--ranks-per-node", 4)
    assert done.code == 3
    assert "ocean.yaml:1:18: error: writers: 2 nodes of servers" in done.err
    assert "start it on 3 nodes" in done.err
    assert " 1 | writers: {nodes: 2}" in done.err
    done = check(tmp_path, "report: none\nemulate-nodes: [2, 1]\n", "--ranks", 4)
    assert done.code == 3
    assert "ocean.yaml:2:16: error: emulate-nodes: the ranks of the 2 nodes add up to 3" in done.err


def test_options_of_pfio_are_those_of_the_program(tmp_path: Path) -> None:
    words = ("--ranks", 16, "--ranks-per-node", 4, "--", "--npes_model", 8, "--nodes_output_server", 2)
    done = check(tmp_path, "command-line: pfio\n", *words)
    assert done.code == 0, done.err
    assert "8 clients, which compute: 0-7" in done.out
    assert "8 servers that write: 8-15" in done.out


@pytest.mark.parametrize("name", ["ocean", "pfio_demo", "asyncio_demo", "atlas"])
def test_configurations_of_the_examples_are_right(name: str) -> None:
    done = thalweg("check", mpi.SOURCE / "examples" / name / f"{name}.yaml")
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("name", "part"),
    [("missing.yaml", "No such file"), (".", "it is a directory"), ("binary.yaml", "binary.yaml:3:3: error: YAML")],
)
def test_what_is_no_configuration_is_told(tmp_path: Path, name: str, part: str) -> None:
    (tmp_path / "binary.yaml").write_bytes(b"\x89HDF\r\n\x1a\n\x00\xff\xfe")
    done = thalweg("check", tmp_path / name)
    assert (done.code, done.out) == (3, "")
    assert part in done.err


def test_all_keys_are_explained_as_in_the_reference() -> None:
    page = (mpi.SOURCE / "docs" / "configuration.md").read_text()
    rows = thalweg("check", "--keys", "--json").json
    assert [row["key"] for row in rows] == re.findall(r"^\| `([a-zA-Z.-]+)` \|", page, re.MULTILINE)
    told = thalweg("check", "--keys")
    assert told.code == 0
    assert "collections.NAME.format: cdf1, cdf2," in told.out
    level = "collections.NAME.compression.level: whole number from 1 to 19 (default: auto)\n    How hard the codec"
    assert level in told.out


def test_a_wrong_call_is_told_as_such(tmp_path: Path) -> None:
    assert "give either a configuration, or --keys" in refused(2, "check")
    assert thalweg("check", "a.yaml", "--ranks", "many").code == 2
    assert "--ranks-per-node needs --ranks" in refused(2, "check", tmp_path / "a.yaml", "--ranks-per-node", 2)


def test_the_record_of_the_end_is_said_to_be_that(tmp_path: Path) -> None:
    path = tmp_path / "thalweg.yaml"
    path.write_text("time-step: 1 h\ncollections: {final: {every: end}, his: {every: 6 h}}\n")
    done = thalweg("check", path)
    assert done.code == 0, done.err
    assert "the record of 'final' is that of the end of the run" in done.out
    assert "first records of 'his'" in done.out
