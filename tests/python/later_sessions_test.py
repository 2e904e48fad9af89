# ctest: SHORT TIMEOUT 180
"""Sessions that have the staging memory of earlier ones: nothing of those comes into their files."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python

FORMATS = ("cdf1", "netcdf4", "packed", "zarr")
ALL = (0, 1, 2, 3)


@dataclass
class Session:
    name: str
    levels: int
    ranks: tuple[int, ...] = ALL
    kill: int = -1


def words(steps: list[list[Session]]) -> str:
    return json.dumps([[asdict(session) for session in step] for step in steps])


def memories(folder: Path, *steps: list[Session]) -> dict[str, set[int]]:
    """Makes the sessions of each step at a time. What its first rank had mapped in each."""
    folder.mkdir(exist_ok=True)
    printed = python.run("later_sessions.py", 4, folder, None, words(list(steps)), alone=True)
    return {name: set(numbers) for name, numbers in map(json.loads, printed.splitlines())}


def contents(folder: Path, session: Session) -> dict[str, bytes]:
    """All files of a session, those of stores one by one."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    names = {str(path.relative_to(folder)): path for path in files}
    return {name: path.read_bytes() for name, path in names.items() if name.startswith(session.name + ".")}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fresh")


def check_as_if_alone(folder: Path, fresh: Path, session: Session) -> None:
    if not contents(fresh, session):
        memories(fresh, [session])
    expected, written = contents(fresh, session), contents(folder, session)
    assert sorted(written) == sorted(expected)
    assert {f"{session.name}.{key}" for key in FORMATS} <= {name.split("/")[0] for name in written}
    assert [name for name in expected if written[name] != expected[name]] == []


def test_one_after_the_other_they_have_the_same_memory(tmp_path: Path, fresh: Path) -> None:
    first, second, smaller = Session("first", 24), Session("second", 20), Session("smaller", 16)
    mapped = memories(tmp_path, [first], [second], [smaller])
    assert len(mapped["first"]) == 1
    assert mapped["second"] == mapped["first"] == mapped["smaller"]
    check_as_if_alone(tmp_path, fresh, second)
    check_as_if_alone(tmp_path, fresh, smaller)


def test_a_larger_one_gets_more_and_leaves_that_to_the_next(tmp_path: Path, fresh: Path) -> None:
    larger, second = Session("larger", 40), Session("second", 20)
    mapped = memories(tmp_path, [Session("first", 12)], [larger], [second])
    assert mapped["first"] < mapped["larger"] == mapped["second"]
    check_as_if_alone(tmp_path, fresh, larger)
    check_as_if_alone(tmp_path, fresh, second)


def test_at_the_same_time_each_has_its_own(tmp_path: Path, fresh: Path) -> None:
    second, smaller = Session("second", 20), Session("smaller", 16)
    mapped = memories(tmp_path, [Session("first", 24)], [smaller, second])
    assert len(mapped["second"]) == 2 and mapped["first"] < mapped["second"]
    check_as_if_alone(tmp_path, fresh, second)
    check_as_if_alone(tmp_path, fresh, smaller)


def test_some_of_the_ranks_have_what_all_had_and_others_join(tmp_path: Path, fresh: Path) -> None:
    some, rest, later = Session("some", 40, (0, 1)), Session("rest", 36, (2, 3)), Session("second", 20)
    mapped = memories(tmp_path, [Session("first", 24)], [some, rest], [later])
    halves = [mapped["some"], mapped["rest"]]
    assert mapped["first"] in halves, "that of all serves the half that asks first, and the other one if that has ended"
    for session in (some, rest, later):
        check_as_if_alone(tmp_path, fresh, session)


def values(session: Session, record: int) -> np.ndarray:
    noise = np.random.default_rng(record).integers(1, 100, (session.levels, 5, 13))
    return np.concatenate([noise + rank for rank in session.ranks], axis=1)


def test_a_killed_one_leaves_its_own_records_alone(tmp_path: Path) -> None:
    killed = Session("killed", 20, kill=1)
    done = python.start("later_sessions.py", 4, tmp_path, None, words([[Session("first", 24)], [killed]]))
    assert done.returncode != 0
    recover = [mpi.program("thalweg-recover"), "killed.cdf1.partial"]
    subprocess.run(recover, cwd=tmp_path, capture_output=True, timeout=30, check=True)
    held = [row for row in range(24) if row % 6 != 5]
    with netCDF4.Dataset(tmp_path / "killed.cdf1") as file:
        file.set_auto_mask(False)
        assert file.dimensions["time"].size >= 1
        for record, floats in enumerate(file["floats"][:, :, held, :], 1):
            assert np.array_equal(floats, values(killed, record))
        assert np.unique(file["floats"][:, :, 5::6, :]) == [netCDF4.default_fillvals["f4"]]
