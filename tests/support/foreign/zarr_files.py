"""Zarr stores of versions 2 and 3 by zarr-python and xarray."""

from __future__ import annotations

import json
import warnings
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numcodecs
import numpy as np
import zarr
import zarr.codecs
from support.foreign.netcdf_files import ALL, FEW, NT, NX, NY, NZ, dataset, tree, values

Version = Literal[2, 3]
DIMS = ("time", "z", "y", "x")
SHAPE = (NT, NZ, NY, NX)
TIME = {"units": "days since 2000-01-01"}


def add(group: zarr.Group, name: str, data: Any, dims: tuple[str | None, ...] | None, **options: Any) -> None:
    """Names of dimensions as xarray has them in either version."""
    data = np.asarray(data)
    attributes = dict(options.pop("attributes", {}))
    if group.metadata.zarr_format == 2:
        attributes |= {} if dims is None else {"_ARRAY_DIMENSIONS": list(dims)}
    else:
        options["dimension_names"] = dims
    array = group.create_array(name, shape=data.shape, dtype=data.dtype, attributes=attributes,
                               **{"chunks": tuple(min(n, 4) for n in data.shape), **options})  # fmt: skip
    array[...] = data


def add_fields(group: zarr.Group, kinds: tuple[str, ...]) -> None:
    add(group, "time", np.arange(NT) * 0.5, ("time",), attributes=TIME)
    for kind in kinds:
        add(group, f"record_{kind}", values(SHAPE, kind), DIMS)
        add(group, f"big_{kind}", values((NY, NX), kind).astype(np.dtype(kind).newbyteorder(">")), ("y", "x"))
    add(group, "one", np.float32(1.5), ())


def plain(path: Path, version: Version) -> None:
    add_fields(zarr.create_group(path, zarr_format=version), ALL)


def consolidated(path: Path, version: Version) -> None:
    root = zarr.create_group(path, zarr_format=version)
    add_fields(root, FEW)
    inner = root.create_group("inner").create_group("most")
    add(inner, "temp", values((NT, NY, 3), "f4", 1), ("time", "y", "x"))  # x of its own
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that version 3 says nothing of it
        zarr.consolidate_metadata(path, zarr_format=version)


def with_groups(path: Path, version: Version) -> None:
    root = zarr.create_group(path, zarr_format=version)
    add(root, "time", np.arange(NT) * 0.5, ("time",), attributes=TIME)
    inner = root.create_group("inner")
    add(inner, "time", np.arange(5) * 0.25, ("time",), attributes=TIME)
    add(inner, "temp", values((5, NY, NX), "f4"), ("time", "y", "x"))
    add(inner.create_group("most"), "salt", values((NT, NY), "f8"), ("time", "y"))


def with_gaps(path: Path, version: Version) -> None:
    """Chunks that were never written, with fill values of every kind."""
    root = zarr.create_group(path, zarr_format=version)
    fills: dict[str, tuple[str, Any]] = {
        "minus": ("i2", -7), "large": ("u8", 2**64 - 1), "nan": ("f4", np.nan), "nan8": ("f8", np.nan),
        "infinite": ("f4", np.inf), "below": ("f8", -np.inf), "odd": ("f4", 1e-3), "zero": ("i4", 0),
    }  # fmt: skip
    if version == 2:
        fills |= {"none": ("f4", None), "none_i": ("i8", None)}
    for name, (kind, fill) in fills.items():
        array = root.create_array(name, shape=(NY, NX), chunks=(3, 4), dtype=kind, fill_value=fill)
        array[0:3, 4:9] = values((3, 5), kind)
    letters = root.create_array("letters", shape=(NY,), chunks=(3,), dtype="S1", fill_value=b"#")
    letters[0:3] = np.array(list("abc"), "S1")


def without_names(path: Path, version: Version) -> None:
    root = zarr.create_group(path, zarr_format=version)
    add(root, "plain", values((NY, NX), "f4"), None)
    add(root, "square", values((NX, NX), "i2"), None)
    add(root, "other", values((NX, 2, NY), "i2"), None)
    add(root, "time", np.arange(4.0), ("time",), attributes=TIME)
    add(root, "late", values((NY, 4), "f4"), ("y", "time"))
    add(root, "longer", values((6, NX), "f4"), ("time", "x"))
    if version == 3:
        add(root, "half", values((NY, NX), "f4"), (None, "x"))


def in_order(path: Path, order: Literal["C", "F"], separator: Literal[".", "/"]) -> None:
    """Version 2, whose chunks may have the first dimension fastest, and their numbers in folders."""
    root = zarr.create_group(path, zarr_format=2)
    options = {"order": order, "chunk_key_encoding": {"name": "v2", "separator": separator}, "chunks": (2, 2, 3, 4)}
    add(root, "time", np.arange(NT), ("time",), attributes=TIME)
    for kind in ("f4", "i1", ">f8"):
        add(root, f"field_{kind[-2:]}", values(SHAPE, kind), DIMS, **options)
    add(root, "line", values((NX,), "i2"), ("x",), order=order, chunks=(4,))


COMPRESSORS = {
    "none": None,
    "zlib": numcodecs.Zlib(9),
    "gzip": numcodecs.GZip(5),
    "zstd": numcodecs.Zstd(1),
    "zstd_sum": numcodecs.Zstd(3, checksum=True),
    "blosc": numcodecs.Blosc("zstd", 5, numcodecs.Blosc.SHUFFLE),
    "blosc_plain": numcodecs.Blosc("zstd", 5, numcodecs.Blosc.NOSHUFFLE),
    "blosc_small": numcodecs.Blosc("zstd", 1, numcodecs.Blosc.SHUFFLE, 256),
    "blosc_lz4": numcodecs.Blosc("lz4", 5, numcodecs.Blosc.SHUFFLE),
    "blosc_lz4hc": numcodecs.Blosc("lz4hc", 9, numcodecs.Blosc.AUTOSHUFFLE),
    "blosc_zlib": numcodecs.Blosc("zlib", 5, numcodecs.Blosc.SHUFFLE, 512),
    "blosc_bits": numcodecs.Blosc("zstd", 5, numcodecs.Blosc.BITSHUFFLE),
    "blosc_bits_lz4": numcodecs.Blosc("lz4", 5, numcodecs.Blosc.BITSHUFFLE),
}
MISSING_2: dict[str, Any] = {
    "lz4": {"compressors": numcodecs.LZ4()},
    "bz2": {"compressors": numcodecs.BZ2()},
    "delta": {"compressors": None, "filters": [numcodecs.Delta("f4")]},
}


def compressed_2(path: Path) -> None:
    root = zarr.create_group(path, zarr_format=2)
    for name, compressor in COMPRESSORS.items():
        for kind in ("f4", "i1", "i8"):
            data = np.round(values((40, 50), "f4") / 1e4).astype(kind)
            add(root, f"{name}_{kind}", data, ("y", "x"), chunks=(16, 50), compressors=compressor)
    for name, options in MISSING_2.items():
        add(root, name, values((NY, NX), "f4"), ("y", "x"), **options)
    root.create_array("times", shape=(3,), dtype="M8[s]")
    root.create_array("words", shape=(3,), dtype="U5")
    root.create_array("truths", shape=(3,), dtype="bool")


def with_codecs_3(path: Path) -> None:
    codec = zarr.codecs
    ways: dict[str, dict[str, Any]] = {
        "none": {"compressors": None},
        "gzip": {"compressors": codec.GzipCodec(level=4)},
        "zstd": {"compressors": codec.ZstdCodec(level=3, checksum=True)},
        "blosc": {"compressors": codec.BloscCodec()},
        "blosc_bits": {"compressors": codec.BloscCodec(cname="zstd", shuffle="bitshuffle")},
        "blosc_lz4": {"compressors": codec.BloscCodec(cname="lz4", shuffle="shuffle")},
        "summed": {"compressors": [codec.ZstdCodec(), codec.Crc32cCodec()]},
        "big": {"serializer": codec.BytesCodec(endian="big")},
        "turned": {"filters": codec.TransposeCodec(order=(2, 0, 1))},
        "turned_twice": {"filters": [codec.TransposeCodec(order=(2, 0, 1)), codec.TransposeCodec(order=(1, 2, 0))]},
        "shards": {"shards": (2, 8, 12), "chunks": (2, 4, 4)},
        "shards_turned": {"shards": (2, 8, 12), "chunks": (2, 4, 4), "filters": codec.TransposeCodec(order=(1, 2, 0))},
        "points": {"chunk_key_encoding": {"name": "default", "separator": "."}},
        "keys_2": {"chunk_key_encoding": {"name": "v2", "separator": "."}},
        "keys_2_in_folders": {"chunk_key_encoding": {"name": "v2", "separator": "/"}},
    }
    root = zarr.create_group(path, zarr_format=3)
    for name, options in ways.items():
        for kind in ("f4", "i8", "u1"):
            add(root, f"{name}_{kind}", values((5, 10, 15), kind), ("z", "y", "x"), **options)
    add(root, "blosclz", values((NY, NX), "f4"), ("y", "x"), compressors=codec.BloscCodec(cname="blosclz"))
    root.create_array("truths", shape=(3,), dtype="bool")


def by_xarray(path: Path, version: Version, *, is_consolidated: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that version 3 says nothing of consolidated metadata
        dataset().to_zarr(path, zarr_format=version, consolidated=is_consolidated)


def by_xarray_tree(path: Path, version: Version) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree().to_zarr(path, zarr_format=version)


def with_bare_nan(path: Path, version: Version) -> None:
    """Attributes that Python writes by words that are no JSON."""
    root = zarr.create_group(path, zarr_format=version)
    limits = {"valid_range": [float("-inf"), float("inf")], "bad": float("nan"), "text": 'say "NaN", Infinity \\'}
    add(root, "temp", values((NY, NX), "f4"), ("y", "x"), attributes=limits)
    metadata = path / "temp" / (".zattrs" if version == 2 else "zarr.json")
    json.loads(metadata.read_text())
    assert ": NaN" in metadata.read_text()


FILES = {
    **{f"{make.__name__}_{version}.zarr": partial(make, version=version)
       for make in (plain, consolidated, with_groups, with_gaps, without_names, by_xarray_tree, with_bare_nan)
       for version in (2, 3)},
    **{f"by_xarray_{version}_{word}.zarr": partial(by_xarray, version=version, is_consolidated=word == "consolidated")
       for version in (2, 3) for word in ("consolidated", "single")},
    **{f"order_{order}_{number}.zarr": partial(in_order, order=order, separator=separator)
       for order in "CF" for number, separator in enumerate("./")},
    "compressed_2.zarr": compressed_2,
    "codecs_3.zarr": with_codecs_3,
}  # fmt: skip
