# ctest: SHORT LABELS cli mpi TIMEOUT 120
"""thalweg doctor: findings about the environment, each with what to do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.command import bad_inputs, refused, thalweg, use_programs
from thalweg import programs
from thalweg.cli.doctor import known, machine, storage

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


def findings(folder: Path, *words: object, code: int = 0) -> dict[str, dict[str, Any]]:
    """By their subjects; of several of one the last."""
    done = thalweg("doctor", "--json", folder, *words)
    assert done.code == code, done.out
    assert done.json["ok"] == (code == 0)
    return {found["subject"]: found for part in done.json["findings"].values() for found in part}


def fake_mpiexec(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """What is found on PATH before the real one."""
    path = folder / "bin" / "mpiexec"
    path.parent.mkdir()
    path.write_text(f'#!/bin/bash\n[ "$1" = --version ] && echo "fake 1.0" && exit 0\n{script}\n')
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")


def test_this_environment_is_right_and_two_ranks_write_a_file(tmp_path: Path) -> None:
    found = findings(tmp_path, "--probe", 8)
    assert found["self-test"]["text"] == "2 ranks wrote a file together, and all of its values are right"
    assert found["threads"]["level"] == "ok"
    for subject in ("mpiexec", "MPI", "HDF5", "PnetCDF", "Python", "codecs", "type", "free", "speed", "processors"):
        assert subject in found
    assert list(tmp_path.iterdir()) == []


def test_a_report_says_what_to_do(tmp_path: Path) -> None:
    done = thalweg("doctor", tmp_path, "--probe", 0, "--ranks", 0)
    assert done.code == 0
    assert "\nmachine\n" in done.out
    assert "→ " in done.out
    assert done.out.splitlines()[-1].endswith("0 problems")


def test_a_launcher_that_hangs_is_ended_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_mpiexec(tmp_path, monkeypatch, "sleep 100 & echo $! > $(dirname $0)/../child; wait")
    found = findings(tmp_path, "--probe", 0, "--limit", 1, code=1)
    assert found["self-test"]["text"] == "2 ranks under mpiexec: did not end within 1 s"
    child = (tmp_path / "child").read_text().strip()
    status = Path(f"/proc/{child}/stat")
    assert not status.exists() or status.read_text().split()[2] == "Z"


def test_a_launcher_of_another_library_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each program then believes to be the only one."""
    fake_mpiexec(tmp_path, monkeypatch, 'shift 2; "$@"; "$@"')
    found = findings(tmp_path, "--probe", 0, code=1)
    assert "do not know of each other" in found["self-test"]["text"]


def test_a_launcher_that_fails_is_told_with_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_mpiexec(tmp_path, monkeypatch, "echo '-----' >&2; echo 'no slots left' >&2; exit 7")
    found = findings(tmp_path, "--probe", 0, code=1)
    assert found["self-test"]["text"] == "2 ranks under mpiexec: ended with code 7: no slots left"


def test_wrong_values_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_mpiexec(tmp_path, monkeypatch, 'echo \'{"ranks": 2}\'; touch "$4"')
    assert "cannot be read" in findings(tmp_path, "--probe", 0, code=1)["self-test"]["text"]


def test_missing_programs_are_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "folders", list)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = findings(tmp_path, "--probe", 0, code=1)
    assert (found["mpiexec"]["level"], found["mpiexec"]["text"]) == ("problem", "not on PATH")
    assert found["thalweg-probe"]["level"] == "problem"


def test_a_folder_where_nothing_can_be_written_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(Path("/proc"), "--ranks", 0, code=1)
    assert (found["type"]["text"].split()[0], found["writing"]["level"]) == ("proc", "problem")


def test_the_innermost_mount_counts(tmp_path: Path) -> None:
    assert storage.file_system_of(Path("/proc/self"))[0] == "proc"
    assert storage.file_system_of(Path("/"))[1] == "/"


@pytest.mark.parametrize(
    ("software", "version", "count"),
    [
        ("Open MPI", "Open MPI v4.1.4", 1),
        ("Open MPI", "Open MPI v5.0.99", 1),
        ("Open MPI", "Open MPI v4.0.7", 0),
        ("Open MPI", "Open MPI v5.1.0", 0),
        ("netCDF-C", "4.9.0 of Aug 7 2022", 2),
        ("netCDF-C", "4.9.2", 0),
        ("netCDF-C", "4.8.1", 1),
        ("HDF5", "1.10.8", 1),
        ("HDF5", "1.14.0", 0),
        ("HDF5", "1.8.20", 1),
        ("HDF5", "unknown", 0),
    ],
)
def test_what_is_known_of_a_version_is_told(software: str, version: str, count: int) -> None:
    assert len(list(known.remarks(software, version))) == count


@pytest.mark.parametrize(("choice", "level"), [("never", "note"), ("deny", "note"), ("advise", "ok"), ("always", "ok")])
def test_large_pages_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choice: str, level: str) -> None:
    choices = "always within_size advise never deny force"
    place = tmp_path / "shmem_enabled"
    place.write_text(choices.replace(choice, f"[{choice}]") + "\n")
    monkeypatch.setattr(machine, "LARGE_PAGES", place)
    found = machine.large_pages()
    assert found.level == level
    assert f"{choice})" in found.text
    assert bool(found.advice) == (level == "note")


@pytest.mark.parametrize("name", ["text.nc", "missing.nc"])
def test_what_is_no_folder_is_one_clear_line(tmp_path: Path, name: str) -> None:
    places = bad_inputs(tmp_path)
    assert str(places[name]) in refused(3, "doctor", places[name])
