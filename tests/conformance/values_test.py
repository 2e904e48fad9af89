# ctest: LABELS mpi TIMEOUT 900
"""Whoever writes, in whatever way, on any number of ranks: the files hold every value bit for bit, and files of the
formats without chunks are the same bytes."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import pytest
from support import conform
from support.cases import RECORDS, Case, all_pairs, covering_cases

CASES = covering_cases()
STEPS = list(range(1, RECORDS + 1))
KINDS = {"cdf1": "NETCDF3_CLASSIC", "cdf2": "NETCDF3_64BIT_OFFSET", "cdf5": "NETCDF3_64BIT_DATA", "netcdf4": "NETCDF4"}


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Folders of what one rank writes by itself, by format and what is land; made when asked for."""
    folder = tmp_path_factory.mktemp("references")

    class References(dict):
        def __missing__(self, key: tuple[str, str]) -> Path:
            format_name, mode = key
            made = folder / f"{format_name}-{mode}"
            Case(format=format_name, mode=mode, writers="sync", pattern="single", direct="off").run(made)
            return self.setdefault(key, made)

    return References()


def test_cases_cover_every_pair_of_settings() -> None:
    assert set().union(*(case.pairs() for case in CASES)) >= all_pairs()
    assert {case.nodes for case in CASES if case.ranks >= 8} >= {"two", "four", "uneven"}
    assert len(CASES) <= 100


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right(case: Case, references: dict[tuple[str, str], Path], tmp_path: Path) -> None:
    case.run(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["conform.yaml", "fields.nc", "shapes.nc"]
    check_files(case, tmp_path)
    if case.format != "netcdf4":
        land = case.mode if case.mode in conform.MASKED_MODES else "block"
        assert_same_bytes(tmp_path, references[case.format, land])


def check_files(case: Case, folder: Path) -> None:
    contents = {folder / "fields.nc": conform.fields(case.format), folder / "shapes.nc": conform.shapes()}
    for path, content in contents.items():
        if case.format == "fortran":
            conform.check_fortran_file(path, content, STEPS, case.mode)
            continue
        conform.check_file(path, content, STEPS, case.mode, attributes=path.name == "fields.nc")
        with netCDF4.Dataset(path) as dataset:
            assert dataset.data_model == KINDS[case.format]


def assert_same_bytes(folder: Path, reference: Path) -> None:
    for name in ("fields.nc", "shapes.nc"):
        found, wanted = (folder / name).read_bytes(), (reference / name).read_bytes()
        assert len(found) == len(wanted), name
        if found != wanted:
            first = next(i for i, (one, other) in enumerate(zip(found, wanted, strict=True)) if one != other)
            pytest.fail(f"{name} differs from the one of a single rank, first at byte {first} of {len(wanted)}")


def test_a_wrong_value_of_a_fortran_file_is_noticed(references: dict[tuple[str, str], Path], tmp_path: Path) -> None:
    file = tmp_path / "fields.nc"
    data = bytearray((references["fortran", "block"] / "fields.nc").read_bytes())
    data[-17 - 4] ^= 1  # in 'count', before the time of the last record
    file.write_bytes(data)
    with pytest.raises(AssertionError, match="count, step 4: 1 of 1 differ"):
        conform.check_fortran_file(file, conform.fields("fortran"), STEPS)


def test_a_wrong_value_is_noticed(references: dict[tuple[str, str], Path], tmp_path: Path) -> None:
    """The check itself can fail: one flipped bit in the last value of the last record."""
    file = tmp_path / "fields.nc"
    data = bytearray((references["cdf5", "block"] / "fields.nc").read_bytes())
    with netCDF4.Dataset(references["cdf5", "block"] / "fields.nc") as dataset:
        place = data.rindex(dataset["vorticity"][-1].astype(">f8").tobytes())
    data[place + 7] ^= 1
    file.write_bytes(data)
    with pytest.raises(AssertionError, match=r"vorticity, step 4: 1 of \d+ differ, first at \(0, 0\)"):
        conform.check_file(file, conform.fields("cdf5"), STEPS)
