# ctest: SHORT LABELS cli mpi TIMEOUT 120
"""thalweg convert, on one rank: how variables are compressed is kept where the format has it, and else is said."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support.command import thalweg, use_programs
from thalweg.data import open_any

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

VALUES = np.arange(4 * 40 * 50, dtype="f4").reshape(4, 40, 50)
WAYS = {
    "deflated": {"compression": "zlib", "complevel": 7, "shuffle": False},
    "with.dot": {"compression": "zlib", "complevel": 2, "shuffle": True, "fletcher32": True},
    "small": {"compression": "zstd", "complevel": 5, "shuffle": True},
    "plain": {},
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    with netCDF4.Dataset(tmp_path / "source.nc", "w") as file:
        for name, size in (("time", None), ("y", 40), ("x", 50)):
            file.createDimension(name, size)
        file.createVariable("time", "f8", ("time",))[...] = np.arange(4.0)
        for name, way in WAYS.items():
            file.createVariable(name, "f4", ("time", "y", "x"), **way)[...] = VALUES
    return tmp_path / "source.nc"


def encodings(path: Path) -> dict[str, tuple[tuple[str, ...], dict[str, int]]]:
    with open_any(path) as dataset:
        for name in WAYS:
            assert np.array_equal(dataset.variables[name].read(), VALUES)
        return {name: (dataset.variables[name].filters, dict(dataset.variables[name].levels)) for name in WAYS}


def test_codec_level_shuffle_and_checksum_are_kept(source: Path, tmp_path: Path) -> None:
    done = thalweg("convert", source, tmp_path / "copy.nc")
    assert done.code == 0, done.err
    assert encodings(tmp_path / "copy.nc") == encodings(source)
    assert encodings(source)["deflated"] == (("deflate",), {"deflate": 7})
    assert "not kept" not in done.out


def test_a_codec_that_the_format_lacks_is_named(source: Path, tmp_path: Path) -> None:
    done = thalweg("convert", source, tmp_path / "copy.zarr")
    assert done.code == 0, done.err
    assert "note: not kept: deflate of 'deflated', 'with.dot'; zarr has zstd" in done.out
    written = encodings(tmp_path / "copy.zarr")
    assert written["small"][0] == ("zstd", "crc32c")
    assert "zstd" not in written["deflated"][0] + written["plain"][0]
    done = thalweg("convert", "--format", "cdf5", source, tmp_path / "classic.nc")
    assert "note: not kept: zstd of 'small'; cdf5 has no compression" in done.out


def test_a_shuffle_is_kept_from_format_to_format(source: Path, tmp_path: Path) -> None:
    chain = [source, *(tmp_path / name for name in ("a.nc", "b.zarr", "c.nc"))]
    for given, made, words in zip(chain, chain[1:], (("--compression", "zstd"), (), ()), strict=False):
        done = thalweg("convert", *words, given, made)
        assert done.code == 0, done.err
    assert [encodings(path)["small"][0] for path in chain] == [
        ("zstd",), ("shuffle", "zstd"), ("shuffle", "zstd", "crc32c"), ("shuffle", "zstd")
    ]  # fmt: skip


def test_what_the_user_says_prevails(source: Path, tmp_path: Path) -> None:
    done = thalweg("convert", "--compression", "none", source, tmp_path / "plain.nc")
    assert done.code == 0, done.err
    assert {filters for filters, _ in encodings(tmp_path / "plain.nc").values()} == {()}
    one = "collections.replay.variables.small.compression={codec: deflate, level: 1}"
    done = thalweg("convert", "--set", one, source, tmp_path / "one.nc")
    assert done.code == 0, done.err
    written = encodings(tmp_path / "one.nc")
    assert written["small"][1] == {"deflate": 1}
    assert written["deflated"] == encodings(source)["deflated"]
