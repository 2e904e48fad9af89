# ctest: LABELS mpi TIMEOUT 600 ALL 900
"""Whoever writes, in whatever way, on any number of ranks: the files hold every value bit for bit, and files of the
formats without chunks are the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import netCDF4
import pytest
import zarr
from support import conform
from support.batch import CONFIGURATION, Batch, Job, of_tests
from support.cases import CHUNKED, CHUNKS, RECORDS, Case, all_pairs, covering_cases
from support.checksums import with_companions
from support.ways import of

CASES = covering_cases()
STEPS = list(range(1, RECORDS + 1))
KINDS = {
    "cdf1": "NETCDF3_CLASSIC",
    "cdf2": "NETCDF3_64BIT_OFFSET",
    "cdf5": "NETCDF3_64BIT_DATA",
    "netcdf4": "NETCDF4",
    "netcdf4-classic": "NETCDF4_CLASSIC",
}
LARGE_ENOUGH = ("temp", "salt", "corner_angle")  # in every I/O domain, to be encoded


def jobs_of(case: Case) -> list[Job]:
    return [case.job] if case.format in CHUNKED else [case.job, case.reference.job]


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    return of_tests(request, tmp_path_factory, jobs_of)


def test_cases_cover_every_pair_of_settings() -> None:
    assert set().union(*(case.pairs() for case in CASES)) >= all_pairs()
    assert {case.nodes for case in CASES if case.ranks >= 8} >= {"two", "four", "uneven"}
    assert len(CASES) <= of(70, 150)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right(case: Case, batch: Batch) -> None:
    folder = batch.made(case.job)
    made = with_companions({case.file("fields"), case.file("shapes")})
    assert {path.name for path in folder.iterdir()} == {CONFIGURATION, *made}
    check_files(case, folder)
    if case.format not in CHUNKED:
        assert_same_bytes(folder, batch.made(case.reference.job))


def check_files(case: Case, folder: Path) -> None:
    for name, content in {"fields": conform.fields(case.format), "shapes": conform.shapes()}.items():
        path = folder / case.file(name)
        if case.format == "fortran":
            conform.check_fortran_file(path, content, STEPS, case.mode)
            continue
        with conform.zarrs_reads():
            conform.check_file(path, content, STEPS, case.mode, attributes=name == "fields")
        if case.format == "zarr":
            check_arrays(case, path, name)
            continue
        with netCDF4.Dataset(path) as dataset:
            assert dataset.data_model == KINDS[case.format]
            if case.format in CHUNKED:
                check_datasets(case, dataset, name)


def wanted_chunk(case: Case, collection: str, sizes: Sequence[int], dims: Sequence[str]) -> tuple[int | None, ...]:
    """The extents that the configuration says; None where it leaves them open."""
    known = ({"time": 1} if case.is_encoded else {}) | CHUNKS.get(case.chunks, {}).get(collection, {})
    return tuple(
        None if dim not in known else known[dim] if dim == "time" else min(known[dim], size)
        for dim, size in zip(dims, sizes, strict=True)
    )


def assert_chunk(found: Sequence[int] | str, wanted: tuple[int | None, ...], name: str) -> None:
    if found == "contiguous":  # a variable in one block, of which nothing is asked
        assert not any(wanted), name
        return
    assert len(found) == len(wanted), name
    assert all(w in (None, f) for f, w in zip(found, wanted, strict=True)), f"{name}: {found} in place of {wanted}"


def check_datasets(case: Case, dataset: netCDF4.Dataset, collection: str) -> None:
    """Chunks and filters are those that were asked for."""
    for name in set(LARGE_ENOUGH) & set(dataset.variables):
        variable, encoding = dataset[name], case.codec.split("+")
        found = {key for key, value in variable.filters().items() if key != "complevel" and value}
        wanted = {{"deflate": "zlib", "checksum": "fletcher32", "none": ""}.get(word, word) for word in encoding} - {""}
        by_itself = {"shuffle"} if encoding[0] in ("deflate", "zstd") and len(encoding) == 1 else set()
        assert found == wanted | by_itself, name
        assert_chunk(variable.chunking(), wanted_chunk(case, collection, variable.shape, variable.dimensions), name)


def check_arrays(case: Case, path: Path, collection: str) -> None:
    group = zarr.open_group(path, mode="r")
    for name in set(LARGE_ENOUGH) & set(group.array_keys()):
        array = group[name]
        # zstd by itself comes with shuffle, for which Zarr has blosc.
        wanted = set(case.codec.replace("+", " ").split()) - {"none"} if case.codec != "zstd" else {"blosc"}
        names = {"BloscCodec": "blosc", "ZstdCodec": "zstd", "Crc32cCodec": "checksum"}
        found = {names[type(codec).__name__] for codec in array.compressors}
        assert found == wanted, name
        dims = array.metadata.dimension_names
        assert_chunk(array.chunks, wanted_chunk(case, collection, array.shape, dims), name)
        # An I/O domain of one chunk needs no shard.
        assert array.shards is None or case.chunks == "shards", name
        assert name != "salt" or (array.shards is not None) == (case.chunks == "shards")


def assert_same_bytes(folder: Path, reference: Path) -> None:
    for name in ("fields.nc", "shapes.nc"):
        found, wanted = (folder / name).read_bytes(), (reference / name).read_bytes()
        assert len(found) == len(wanted), name
        if found != wanted:
            first = next(i for i, (one, other) in enumerate(zip(found, wanted, strict=True)) if one != other)
            pytest.fail(f"{name} differs from the one of a single rank, first at byte {first} of {len(wanted)}")


def test_a_wrong_value_of_a_fortran_file_is_noticed(batch: Batch, tmp_path: Path) -> None:
    file = tmp_path / "fields.nc"
    data = bytearray((batch.made(Case("fortran").reference.job) / "fields.nc").read_bytes())
    data[-17 - 4] ^= 1  # in 'count', before the time of the last record
    file.write_bytes(data)
    with pytest.raises(AssertionError, match="count, step 4: 1 of 1 differ"):
        conform.check_fortran_file(file, conform.fields("fortran"), STEPS)


def test_a_wrong_value_is_noticed(batch: Batch, tmp_path: Path) -> None:
    """The check itself can fail: one flipped bit in the last value of the last record."""
    file, written = tmp_path / "fields.nc", batch.made(Case("cdf5").reference.job) / "fields.nc"
    data = bytearray(written.read_bytes())
    with netCDF4.Dataset(written) as dataset:
        place = data.rindex(dataset["vorticity"][-1].astype(">f8").tobytes())
    data[place + 7] ^= 1
    file.write_bytes(data)
    with pytest.raises(AssertionError, match=r"vorticity, step 4: 1 of \d+ differ, first at \(0, 0\)"):
        conform.check_file(file, conform.fields("cdf5"), STEPS)
