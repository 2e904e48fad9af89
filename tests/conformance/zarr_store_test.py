# ctest: TIMEOUT 300
"""Zarr stores, as zarr-python, xarray, TensorStore and zarrs read them, and beside those that zarr-python writes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import cftime
import numpy as np
import pytest
import tensorstore
import xarray
import zarr
from numcodecs.zstd import Zstd
from numpy.typing import NDArray
from support.zarr_sample import ARRAYS, ODD_NAN, RECORD_ARRAYS, SIZES, assert_same, expected, write

RECORDS = 7
MODES = {"plain": (), "crc32c": ("crc32c",), "sharded": ("sharded",), "sharded-crc32c": ("sharded", "crc32c")}
NAMES = pytest.mark.parametrize("name", ARRAYS)


@pytest.fixture(scope="module", params=MODES)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp(request.param) / "sample.zarr", RECORDS, *MODES[request.param])


@pytest.fixture
def zarrs_pipeline() -> Iterator[None]:
    """Reading is done by the Rust library zarrs, and not by zarr-python where zarrs does not know something."""
    with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "codec_pipeline.strict": True}):
        yield


def by_tensorstore(path: Path) -> NDArray:
    spec = {"driver": "zarr3", "kvstore": f"file://{path}/", "recheck_cached_data": "open"}
    return tensorstore.open(spec, read=True).result().read().result()


def by_xarray(store: Path, **how: object) -> xarray.Dataset:
    return xarray.open_zarr(store, zarr_format=3, chunks=None, **how)


def metadata(path: Path) -> dict:
    def refuse(word: str) -> None:
        raise AssertionError(f"{path} holds {word}, which is no JSON")

    return json.loads((path / "zarr.json").read_text(), parse_constant=refuse)


def test_zarr_python_reads_every_bit(store: Path) -> None:
    group = zarr.open_group(store, mode="r", use_consolidated=True)
    assert set(group.array_keys()) == set(ARRAYS)
    for name in ARRAYS:
        assert_same(name, group[name][...], expected(name, RECORDS))


def test_zarr_python_reads_every_array_by_its_own_metadata(store: Path) -> None:
    group = zarr.open_group(store, mode="r", use_consolidated=False)
    assert set(group.array_keys()) == set(ARRAYS)
    for name in ARRAYS:
        assert_same(name, group[name][...], expected(name, RECORDS))


def test_tensorstore_reads_every_bit(store: Path) -> None:
    for name in ARRAYS:
        assert_same(name, by_tensorstore(store / name), expected(name, RECORDS))


@pytest.mark.usefixtures("zarrs_pipeline")
def test_zarrs_reads_every_bit(store: Path) -> None:
    group = zarr.open_group(store, mode="r")
    for name, array in ARRAYS.items():
        wanted = expected(name, RECORDS)
        if name == "odd_nan":
            wanted[array.hole] = np.nan  # zarr-python, through which zarrs is told of the fill value, has one NaN only
        assert_same(name, group[name][...], wanted)


def test_xarray_reads_every_bit(store: Path) -> None:
    with by_xarray(store, consolidated=True, mask_and_scale=False, decode_cf=False) as dataset:
        assert set(dataset.variables) == set(ARRAYS)
        assert dict(dataset.sizes) == SIZES | {"time": RECORDS}
        for name, array in ARRAYS.items():
            assert dataset[name].dims == array.dims
            assert_same(name, dataset[name].values, expected(name, RECORDS))


def test_xarray_understands_coordinates_time_and_missing_values(store: Path) -> None:
    with by_xarray(store, consolidated=True) as dataset:
        assert set(dataset.coords) == {"time", "y", "x", "area"}
        assert dataset["time"].values[-1] == cftime.DatetimeNoLeap(2000, 1, 2, 12)
        assert dataset.indexes["time"].size == RECORDS
        hole = dataset["sparse"].isel(time=3).values[ARRAYS["sparse"].hole]
        assert np.isnan(hole).all()
        assert dataset["sparse"].encoding["_FillValue"] == np.float32(1e20)
        assert dataset["triple"].encoding["_FillValue"] == -9
        assert dataset["gap"].dtype == np.int16


def test_attributes_arrive(store: Path) -> None:
    with by_xarray(store) as dataset:
        attributes = dataset.attrs
    assert attributes == {"title": "sample é", "latin": "5 °C", "empty": "", "numbers": [0.1, "NaN", "-Infinity"],
                          "one": -7, "largest": 2**64 - 1, "single": float(np.float32(0.1))}  # fmt: skip


def test_only_objects_that_belong_to_zarr_are_left(store: Path) -> None:
    files = [path.relative_to(store) for path in store.rglob("*") if path.is_file()]
    assert all(path.name == "zarr.json" or path.parts[1] == "c" for path in files)
    assert sum(path.name == "zarr.json" for path in files) == len(ARRAYS) + 1


def test_a_chunk_that_was_never_written_takes_no_room(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain", RECORDS)
    assert not (plain / "sparse/c/3/0/1").exists()
    assert (plain / "sparse/c/3/0/0").exists()


def written_by_zarr_python(path: Path, mode: tuple[str, ...]) -> dict[str, dict]:
    """The metadata of the same arrays made by zarr-python; attributes are ours."""
    group = zarr.create_group(path)
    compressors = [zarr.codecs.ZstdCodec(level=3)] if "zstd" in mode else []
    compressors += [zarr.codecs.Crc32cCodec()] if "crc32c" in mode else []
    for name, array in ARRAYS.items():
        shape = ((RECORDS,) if array.has_record else ()) + array.shape
        chunks = tuple(max(1, extent) for extent in array.chunk)
        factors = tuple(1 if dim == "time" else 2 for dim in array.dims)
        shards = tuple(c * f for c, f in zip(chunks, factors, strict=True)) if "sharded" in mode and shape else None
        fill = defaults(array.type_name) if array.fill is None else array.fill
        group.create_array(name, shape=shape, chunks=chunks, shards=shards, dtype=array.type_name, fill_value=fill,
                           compressors=compressors or None, dimension_names=array.dims or None)  # fmt: skip
    zarr.consolidate_metadata(path)
    return json.loads((path / "zarr.json").read_text())


def defaults(type_name: str) -> object:
    """Fill values of netCDF."""
    bits = np.dtype(type_name).itemsize * 8
    if type_name.startswith("float"):
        return np.dtype(type_name).type(9.9692099683868690e36)
    if type_name.startswith("uint"):
        return 2**bits - (2 if bits == 64 else 1)
    return -(2 ** (bits - 1)) + {8: 1, 16: 1, 32: 1, 64: 2}[bits]


@pytest.mark.filterwarnings("ignore::zarr.errors.ZarrUserWarning")
@pytest.mark.parametrize("mode", [*MODES.values(), ("zstd",), ("zstd", "sharded", "crc32c")], ids="-".join)
def test_metadata_are_those_of_zarr_python_field_by_field(tmp_path: Path, mode: tuple[str, ...]) -> None:
    ours = metadata(write(tmp_path / "ours", RECORDS, *mode))
    theirs = written_by_zarr_python(tmp_path / "theirs", mode)
    assert {key: value for key, value in ours.items() if key not in ("consolidated_metadata", "attributes")} == {
        key: value for key, value in theirs.items() if key not in ("consolidated_metadata", "attributes")
    }
    arrays = ours["consolidated_metadata"].pop("metadata")
    their_arrays = theirs["consolidated_metadata"].pop("metadata")
    assert ours["consolidated_metadata"] == theirs["consolidated_metadata"]
    assert set(arrays) == set(their_arrays)
    for name, array in arrays.items():
        assert array == metadata(tmp_path / "ours" / name), f"{name}: consolidated and its own"
        if name == "odd_nan":
            array["fill_value"] = "NaN"  # zarr-python drops its bits
        assert array | {"attributes": {}} == their_arrays[name], name


def test_fill_values_keep_their_bits(store: Path) -> None:
    group = zarr.open_group(store, mode="r")
    assert group["odd_nan"].fill_value.view("u4") == ODD_NAN.view("u4")
    assert metadata(store / "odd_nan")["fill_value"] == "0x7fc00abc"
    assert metadata(store / "nan")["fill_value"] == "NaN"


def test_a_fill_value_is_encoded_as_xarray_does(tmp_path: Path) -> None:
    ours = metadata(write(tmp_path / "ours", 1))["consolidated_metadata"]["metadata"]
    names = ("sparse", "triple", "nan")
    dims = {name: ARRAYS[name].dims for name in names}
    dataset = xarray.Dataset({n: (dims[n], expected(n, 1), {"_FillValue": ARRAYS[n].fill}) for n in names})
    dataset.to_zarr(tmp_path / "theirs", zarr_format=3, consolidated=False)
    for name in names:
        theirs = metadata(tmp_path / "theirs" / name)["attributes"]["_FillValue"]
        assert ours[name]["attributes"]["_FillValue"] == theirs


@pytest.mark.parametrize("name", RECORD_ARRAYS)
def test_a_store_that_says_zstd_is_read_once_its_chunks_are(tmp_path: Path, name: str) -> None:
    """The codec itself is not made here: chunks are compressed afterwards, where they are."""
    path = write(tmp_path / "sample.zarr", RECORDS, "zstd")
    codec = Zstd(level=3)
    for chunk in (path / name / "c").rglob("*"):
        if chunk.is_file():
            chunk.write_bytes(codec.encode(chunk.read_bytes()))
    assert_same(name, zarr.open_array(path / name, mode="r")[...], expected(name, RECORDS))
    assert_same(name, by_tensorstore(path / name), expected(name, RECORDS))


def test_a_damaged_chunk_is_found(tmp_path: Path) -> None:
    path = write(tmp_path / "sample.zarr", 1, "crc32c")
    chunk = path / "int32_field/c/0/0/0"
    damaged = bytearray(chunk.read_bytes())
    damaged[5] ^= 1
    chunk.write_bytes(damaged)
    with pytest.raises(ValueError, match="crc32c|checksum|Checksum"):
        zarr.open_array(path / "int32_field", mode="r")[...]


def test_a_store_without_a_record_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "sample.zarr", 0)
    with by_xarray(path, decode_times=False) as dataset:  # xarray decodes no empty time of this calendar
        assert dataset.sizes["time"] == 0
        assert_same("area", dataset["area"].values, expected("area", 0))


def test_a_store_is_moved_and_read_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path / "sample.zarr", RECORDS)
    shutil.move(path, tmp_path / "elsewhere")
    assert_same("profile", zarr.open_group(tmp_path / "elsewhere")["profile"][...], expected("profile", RECORDS))
