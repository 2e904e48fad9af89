# ctest: SERIAL TIMEOUT 60
"""Changes of attributes that cannot be: each is refused at once, with the reason, and the files have the others."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from launch import AGREEMENT, ARGUMENT, FORMAT, NAME, STATE, Run, run
from support.checksums import without_companions

RANKS = 2
ROUNDED = """report: none
time-step: 1 min
collections:
  history: {file: first.nc, format: netcdf4-classic, compression: {keep-digits: 4}}
"""
SHORT = """report: none
time-step: 1 min
collections:
  history: {file: first.nc, format: cdf1, header-reserve: 1000 B}
"""


@pytest.fixture(scope="module")
def rounded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("rounded"), ROUNDED, RANKS, ("changes",))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("short"), SHORT, RANKS, ("changes",))


def assert_met(done: Run, label: str, code: int, *parts: str) -> None:
    for rank in range(RANKS):
        outcome = done.of(rank, label)
        assert outcome.code == code, outcome
        for part in parts:
            assert part in outcome.text, f"no '{part}' in:\n{outcome.text}"


@pytest.mark.parametrize(
    ("label", "code", "parts"),
    [
        ("before ready", STATE, ("'history'", "'title'", "before definitions have ended", "thalweg_define_text")),
        ("no collection", ARGUMENT, ("'name'",)),
        ("unknown variable", NAME, ("'units'", "'tepm'", "did you mean 'temp'?")),
        ("fill value", NAME, ("'temp'", "'_FillValue' does not change", "holes")),
        ("units of the time", NAME, ("'time'", "'units' does not change", "reference-date", "define it in the model")),
        ("calendar of the time", NAME, ("'time'", "'calendar' does not change")),
        ("rounding", NAME, ("'temp'", "'quantization' does not change", "'compression' sets")),
        ("how it is rounded", NAME, ("'algorithm' does not change", "other variables are rounded")),
        ("type that the format lacks", FORMAT, ("'flag' of variable 'temp'", "int64", "format: cdf5 or netcdf4")),
        ("less than no values", ARGUMENT, ("'flag'", "-1 values")),
        ("behind the first put", STATE, ("'title'", "before the first put behind the call that closed")),
        ("new file behind the first put", STATE, ("'other.nc'", "before the first put behind the call that closed")),
    ],
)
def test_a_change_that_cannot_be_is_refused(rounded: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    assert_met(rounded, label, code, *parts)


def test_a_header_grows_by_its_reserve_only(short: Run) -> None:
    parts = ("'history' of the file", "makes the header 2020 bytes longer", "header-reserve", "1084 more bytes")
    assert_met(short, "longer than the reserve", FORMAT, *parts)


@pytest.mark.parametrize("name", ["rounded", "short"])
def test_refused_changes_leave_no_trace(name: str, request: pytest.FixtureRequest) -> None:
    done: Run = request.getfixturevalue(name)
    assert done.returncode == 0, done.output
    assert [path.name for path in without_companions(done.folder.glob("*.nc*"))] == ["first.nc", "second.nc"]
    for file_name, title, records in (("first.nc", "first", [1, 2]), ("second.nc", "second", [3])):
        with netCDF4.Dataset(done.folder / file_name) as file:
            assert file.title == title
            assert ("history" in file.ncattrs()) == (name == "rounded")  # a format whose headers grow as they like
            assert file["time"].units == "seconds since 2000-01-01 00:00:00"
            assert file["time"].long_name == "model time"
            values = [[10.0 * record + rank for rank in range(RANKS) for _ in range(3)] for record in records]
            for variable in ("temp", "rain"):
                np.testing.assert_array_equal(file[variable][:], np.array(values, dtype="float32"))


def test_ranks_that_change_different_things_are_told_at_the_end(tmp_path: Path) -> None:
    done = run(tmp_path, SHORT, RANKS, ("changes", "disagree"))
    assert_met(done, "finish", AGREEMENT, "changes of attributes differ between ranks", "rank 1 has", "rank 0 has")
