# ctest: SHORT LABELS mpi TIMEOUT 180
"""`append: continue` with Zarr stores: of any type, with files of other formats before and behind them, and with stores
that zarr-python wrote, on one to three ranks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import xarray
import zarr
from support import python
from zarr.codecs import BloscCodec, BytesCodec, GzipCodec, ZstdCodec

MODEL = {"deadline": "20 s", "time-step": "1 min", "reference-date": "2000-01-01"}
ZARR = {"format": "zarr", "file": "history"}
FORMATS: dict[str, dict[str, Any]] = {
    "zarr": ZARR,
    "records": ZARR | {"chunks": {"ocean_time": 1}},
    "zstd": ZARR | {"compression": "zstd"},
    "shards": ZARR | {"sharding": True, "compression": {"codec": "zstd", "shuffle": False, "checksum": False}},
    "raw": ZARR | {"compression": {"checksum": False}},
    "cdf5": {"format": "cdf5", "file": "history"},
    "netcdf4": {"format": "netcdf4", "file": "history"},
}


def launch(folder: Path, of: Mapping[str, Any], ranks: int, *words: object) -> tuple[int, str]:
    folder.mkdir(exist_ok=True)
    history = {"every": "1 step", "record-dimension": "ocean_time"} | of
    done = python.start("continued_kinds.py", ranks, folder, MODEL | {"collections": {"history": history}}, *words)
    return done.returncode, done.stdout + done.stderr


def run(folder: Path, of: str, ranks: int, first: int, last: int, append: str = "continue") -> None:
    code, said = launch(folder, FORMATS[of] | {"append": append}, ranks, first, last)
    assert code == 0, said
    assert ("goes on with" in said) == (first > 0), said


def read(path: Path) -> dict[str, tuple[str, bytes, dict[str, Any]]]:
    if path.is_dir():
        arrays = zarr.open_group(path, mode="r").arrays()
        return {name: (str(of.dtype), np.asarray(of[...]).tobytes(), dict(of.attrs)) for name, of in arrays}
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)
        return {
            name: (str(of.dtype), np.asarray(of[...]).tobytes(), {key: str(of.getncattr(key)) for key in of.ncattrs()})
            for name, of in file.variables.items()
        }


def content(path: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.parametrize(
    "formats",
    [
        ("zarr", "shards", "zstd", "raw"),
        ("cdf5", "zarr", "netcdf4"),
        ("netcdf4", "zstd", "cdf5"),
        ("shards", "cdf5", "shards"),
    ],
    ids="-".join,
)
def test_values_of_every_type_go_on_in_other_formats(tmp_path: Path, formats: tuple[str, ...]) -> None:
    for number, of in enumerate(formats):
        run(tmp_path / "some", of, 1 + number % 3, 3 * number, 3 * number + 5)
    last = 3 * (len(formats) - 1) + 5
    run(tmp_path / "one", formats[-1], 2, 0, last, append="new")
    wanted, found = read(tmp_path / "one" / "history"), read(tmp_path / "some" / "history")
    assert len(wanted) == 26 and wanted == found
    if FORMATS[formats[-1]]["format"] == "zarr":
        one, some = (xarray.open_zarr(tmp_path / folder / "history", chunks=None) for folder in ("one", "some"))
        assert one.sizes["ocean_time"] == last and one.identical(some)


def rewrite(path: Path, **how: Any) -> None:
    """As zarr-python writes the same."""
    group = zarr.open_group(path, mode="r")
    new = zarr.create_group(path.with_suffix(".new"), zarr_format=3, attributes=dict(group.attrs))
    for name, of in group.arrays():
        of_several = {} if of.dtype.itemsize > 1 else {"serializer": BytesCodec(endian=None)}
        chunks = tuple(min(3, size) for size in of.shape)
        if "shards" in how:
            of_several["shards"] = tuple(2 * size for size in chunks) if chunks else None
        array = new.create_array(
            name,
            shape=of.shape,
            dtype=of.dtype,
            chunks=chunks,
            fill_value=of.fill_value,
            attributes=dict(of.attrs),
            dimension_names=of.metadata.dimension_names,
            **how | of_several,
        )
        array[...] = of[...]
    shutil.rmtree(path)
    path.with_suffix(".new").rename(path)


@pytest.mark.parametrize(
    "how",
    [
        {"compressors": GzipCodec(level=5)},
        {"compressors": BloscCodec(cname="zstd", shuffle="shuffle", blocksize=16)},
        {"compressors": ZstdCodec(level=1), "shards": True},
        {"compressors": None, "serializer": BytesCodec(endian="big")},
        {"chunk_key_encoding": {"name": "default", "separator": "."}},
    ],
    ids=["gzip", "blosc", "shards", "big-endian", "periods"],
)
def test_a_store_that_zarr_python_wrote_goes_on(tmp_path: Path, how: dict[str, Any]) -> None:
    run(tmp_path / "one", "zarr", 2, 0, 7, append="new")
    run(tmp_path / "two", "zarr", 2, 0, 5)
    rewrite(tmp_path / "two" / "history", **how)
    (tmp_path / "two" / "history.checksums").unlink()
    run(tmp_path / "two", "zarr", 2, 5, 7)
    wanted, found = (content(tmp_path / folder / "history") for folder in ("one", "two"))
    assert [*wanted.values()] and {f.name: b for f, b in wanted.items()} == {f.name: b for f, b in found.items()}


def damage(store: Path) -> None:
    chunk = store / "f8_field" / "c" / "1" / "0"
    chunk.write_bytes(chunk.read_bytes()[:-9] + bytes(9))


def leave_out(store: Path) -> None:
    shutil.rmtree(store / "f8_field" / "c" / "1")


def has_blosclz(store: Path) -> None:
    rewrite(store, compressors=BloscCodec(cname="blosclz"))


@pytest.mark.parametrize(
    ("change", "word", "wanted"),
    [
        (damage, "", "variable 'f8_field', record 1: with 'append: continue' it would have other values"),
        (leave_out, "", "variable 'f8_field', record 1: with 'append: continue' it would have other values"),
        (has_blosclz, "", 'it has the codec {"name":"blosc"'),
        (None, "single", "attribute 'scale_factor' of variable 'packed' is 0.1 (float64) in that file and 0.100000001"),
        (None, "letters", "attribute '_FillValue' of variable 'label' is '*' in that file and '-' in this run"),
    ],
    ids=["damage", "missing", "blosclz", "single", "letters"],
)
def test_a_store_that_cannot_go_on_is_told_of_and_stays(tmp_path: Path, change: Any, word: str, wanted: str) -> None:
    run(tmp_path, "records", 2, 0, 5)
    if change is not None:
        change(tmp_path / "history")
    before = content(tmp_path / "history")
    code, said = launch(tmp_path, FORMATS["records"] | {"append": "continue"}, 2, 5, 7, *([word] if word else []))
    assert code != 0 and wanted in said, said
    assert "collection 'history'" in said
    assert content(tmp_path / "history") == before
