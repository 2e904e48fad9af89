# ctest: LABELS soak TIMEOUT 900
"""A day of 86,400 steps, and many files: nothing that a process has grows with the number of steps, and nothing is
left over."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from launch import Job, begin
from numpy.typing import NDArray
from support import fortran_file

RANKS, STEPS = 3, 86_400
EVERY_S, NEW_FILE_S = 300, 1800
RECORDS = NEW_FILE_S // EVERY_S
FILES = STEPS // NEW_FILE_S
SHAPE = (6, 8)
FORMATS = {
    "classic": ("cdf5", "nc"),
    "hdf": ("netcdf4", "nc"),
    "store": ("zarr", "zarr"),
    "fortran": ("fortran", "bin"),
}


def configuration(writers: str) -> str:
    top = f"writers: {writers}\nreport: none\ntime-step: 1 s\ndeadline: 60 s\ncollections:\n"
    return top + "".join(
        f"  {name}: {{file: 'out/{name}.%j%H%M.{ending}', format: {file_format}, every: {EVERY_S} s, "
        f"new-file: {NEW_FILE_S} s, durability: none}}\n"
        for name, (file_format, ending) in FORMATS.items()
    )


@dataclass(frozen=True)
class Holdings:
    """What a process has."""

    descriptors: int
    threads: int
    segments: int
    segment_kib: int
    own_kib: int
    """memory that is not shared"""

    @staticmethod
    def of(process: int) -> Holdings:
        folder = Path(f"/proc/{process}")
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        shared = [line.split()[0] for line in (folder / "maps").read_text().splitlines() if "/dev/shm/" in line]
        bounds = [[int(end, 16) for end in place.split("-")] for place in shared]
        return Holdings(
            len(list((folder / "fd").iterdir())),
            int(status["Threads"]),
            len(shared),
            sum(end - begin for begin, end in bounds) // 1024,
            int(status["RssAnon"].split()[0]),
        )

    def assert_no_more_than(self, other: Holdings) -> None:
        for name in ("descriptors", "threads", "segments", "segment_kib"):
            assert getattr(self, name) <= getattr(other, name) + (2 if name == "descriptors" else 0), (other, self)
        # What allocators keep, and what clients tell servers between two waits; 24 bytes for each step would be more.
        assert self.own_kib <= other.own_kib + 1536, (other, self)


def segments_of(job: Job) -> set[str]:
    """Names in /dev/shm that the job's processes have mapped."""
    maps = [Path(f"/proc/{process}/maps").read_text() for process in job.ranks().values()]
    return {found for text in maps for found in re.findall(r"/dev/shm/\S+", text)}


def look_at(job: Job, step: int) -> dict[int, Holdings]:
    """What each rank has when all wait behind that step, until they are told to go on."""
    job.wait_until((job.folder / f"at.{step}").exists, limit_s=300)
    found = {rank: Holdings.of(process) for rank, process in job.ranks().items()}
    (job.folder / f"go.{step}").touch()
    return found


def read_netcdf(path: Path) -> tuple[NDArray, NDArray]:
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        return file["time"][:], file["state"][:]


def read_store(path: Path) -> tuple[NDArray, NDArray]:
    group = zarr.open_group(path, mode="r")
    return group["time"][...], group["state"][...]


def read_fortran(path: Path) -> tuple[NDArray, NDArray]:
    _, records = fortran_file.read(path, {}, {"state": ("f8", SHAPE), "time": ("f8", ())})
    return np.array([record["time"] for record in records]), np.array([record["state"] for record in records])


READERS: dict[str, Callable[[Path], tuple[NDArray, NDArray]]] = {
    "classic": read_netcdf,
    "hdf": read_netcdf,
    "store": read_store,
    "fortran": read_fortran,
}


def assert_right(out: Path, name: str) -> None:
    files = sorted(path for path in out.glob(f"{name}.*") if path.suffix != ".checksums")
    assert len(files) == FILES, [path.name for path in files]
    place = np.arange(np.prod(SHAPE)).reshape(SHAPE)
    for number, file in enumerate(files):
        times = number * NEW_FILE_S + (np.arange(RECORDS) + 1.0) * EVERY_S
        time, state = READERS[name](file)
        np.testing.assert_array_equal(time, times, file.name)
        np.testing.assert_array_equal(state, times[:, None, None] * 100 + place, file.name)


@pytest.mark.timeout(420)
@pytest.mark.parametrize("writers", ["thread", "{ranks: 1}"], ids=["thread", "ranks"])
def test_a_day_takes_no_more_at_its_end_than_in_its_morning(tmp_path: Path, writers: str) -> None:
    (tmp_path / "out").mkdir()
    program = ("long_day", STEPS, NEW_FILE_S, *FORMATS)
    job = begin(tmp_path, configuration(writers), [(RANKS, program, {})])
    try:
        morning = look_at(job, STEPS // 10)
        segments = segments_of(job)
        evening = look_at(job, STEPS)
    finally:
        done = job.end(limit_s=60)
    assert done.returncode == 0, (done.outcomes, done.output)
    assert len(morning) == len(evening) == RANKS
    for rank, holdings in evening.items():
        holdings.assert_no_more_than(morning[rank])
    left = [path.name for path in (tmp_path / "out").iterdir()]
    assert len(left) == 2 * FILES * len(FORMATS), sorted(left)  # each with its checksums
    assert not [name for name in left if name.endswith((".lock", ".partial", ".journal"))]
    assert not [name for name in segments if Path(name).exists()]
    for name in FORMATS:
        assert_right(tmp_path / "out", name)
