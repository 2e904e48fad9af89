# ctest: SHORT LABELS mpi TIMEOUT 120
"""thalweg-combine and what Thalweg encoded; and files that are damaged."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import file_sets as sets
from support import mpi
from support.combining import combine

STORAGE, FORMAT = 8, 11
DISTURBED_CALLS = mpi.BUILD / "lib" / "libdisturbed_calls.so"
ENCODINGS = {
    "zstd": "{codec: zstd}",
    "all steps": "{codec: zstd, level: 9, shuffle: true, checksum: true}",
    "deflate": "{codec: deflate, shuffle: true, checksum: true}",
    "checksum": "{codec: none, checksum: true}",
}
CONFIGURATION = """\
writers: sync
report: none
emulate-nodes: 2
collections:
  history:
    {{file: history.nc, format: netcdf4, pattern: per-domain, layout: [2, 1], compression: {compression}}}
"""


def write_encoded_set(folder: Path, encoding: str) -> Path:
    (folder / "thalweg.yaml").write_text(CONFIGURATION.format(compression=ENCODINGS[encoding]))
    mpi.run("steady", 2, folder, 3, 0, 2, 40, 30)
    (folder / "history.nc").unlink()  # the virtual master
    return folder / "history.nc"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_sets_that_thalweg_encoded_are_joined(tmp_path: Path, encoding: str) -> None:
    done = combine("--copy", write_encoded_set(tmp_path, encoding))
    assert done.returncode == 0, done.stderr
    with netCDF4.Dataset(tmp_path / "history.nc") as whole:
        whole.set_auto_mask(False)
        for number, rows in enumerate((slice(0, 20), slice(20, 40))):
            with netCDF4.Dataset(tmp_path / f"history.nc.000{number}") as part:
                part.set_auto_mask(False)
                np.testing.assert_array_equal(whole["temp"][:, :, rows], part["temp"][:])
                np.testing.assert_array_equal(whole["ssh"][:, rows], part["ssh"][:])
        assert len(whole.dimensions["time"]) == 3


def spoilt(content: bytes, seed: int) -> bytes:
    """Cut short, with one bit changed, or with several bytes; mostly where the library's own data are."""
    rng = np.random.default_rng(seed)
    if seed % 3 == 0:
        return content[: rng.integers(len(content))]
    spoilt = bytearray(content)
    for _ in range(1 if seed % 3 == 1 else 20):
        place = rng.integers(min(len(content), 12_000) if rng.random() < 0.8 else len(content))
        spoilt[place] ^= 1 << rng.integers(8) if seed % 3 == 1 else rng.integers(1, 256)
    return bytes(spoilt)


@pytest.mark.parametrize("seed", range(int(os.environ.get("THALWEG_TEST_SPOILT", "12"))))
def test_a_damaged_part_is_named_or_makes_no_difference(tmp_path: Path, seed: int, encoded_set: list[bytes]) -> None:
    for number, content in enumerate(encoded_set):
        (tmp_path / f"a.nc.000{number}").write_bytes(spoilt(content, seed) if number == seed % 2 else content)
    before = sorted(tmp_path.iterdir())
    done = combine(*["--copy"] * (seed % 4 < 2), tmp_path / "a.nc")
    assert done.returncode in (0, STORAGE, FORMAT), (done.returncode, done.stderr)
    if done.returncode == 0:
        return
    assert sorted(tmp_path.iterdir()) == before
    assert f"a.nc.000{seed % 2}" in done.stderr


@pytest.fixture(scope="module")
def encoded_set(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("encoded")
    write_encoded_set(folder, "all steps")
    return [(folder / f"history.nc.000{number}").read_bytes() for number in (0, 1)]


@pytest.mark.parametrize("how", [["--copy"], []], ids=str)
def test_a_part_that_ends_the_process_that_reads_it_is_named(tmp_path: Path, how: list[str]) -> None:
    whole = sets.make_whole("netcdf4")
    sets.write_set(tmp_path / "a.nc", whole, "netcdf4", sets.parts_of((6,), (5,)))
    before = sorted(tmp_path.iterdir())
    done = combine(*how, tmp_path / "a.nc", LD_PRELOAD=DISTURBED_CALLS, THALWEG_TEST_CRASH_PATH="a.nc.0002")
    assert done.returncode == FORMAT, (done.returncode, done.stderr)
    assert "a.nc.0002' is damaged: the format library came to grief" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("format_name", "how", "where", "has_result"),
    [("netcdf4", [], "/a.nc.combining", False), ("cdf5", ["--remove"], "/the_folder", True)],
)
def test_storage_that_keeps_the_result_or_its_name_not_leaves_the_parts(
    tmp_path: Path, format_name: str, how: list[str], where: str, *, has_result: bool
) -> None:
    folder = tmp_path / "the_folder"
    folder.mkdir()
    sets.write_set(folder / "a.nc", sets.make_whole(format_name), format_name, sets.parts_of((6,), (5,)))
    before = sorted(folder.iterdir())
    failing = {"THALWEG_TEST_FSYNC_ERRNO": errno.EIO, "THALWEG_TEST_FSYNC_PATH": where}
    done = combine(*how, folder / "a.nc", LD_PRELOAD=DISTURBED_CALLS, **failing)
    assert (done.returncode, "stable storage: Input/output error" in done.stderr) == (STORAGE, True), done.stderr
    assert sorted(folder.iterdir()) == [folder / "a.nc"] * has_result + before
