"""Kills the steady writer at a random moment and looks at what is left."""

from __future__ import annotations

import random
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
from launch import begin, file_of, history, recover
from numpy.typing import NDArray
from placed import BY_NAME, Place
from support import fortran_file
from support.conform import zarrs_reads
from support.stores import open_store

MODULUS = 16777213
FILL = netCDF4.default_fillvals["f8"]
SEVERAL = {"chunks": "{z: 3, y: 10, x: 12}"}  # a block
LARGE = {"chunks": "{z: 2, y: 300, x: 400}"}
ENCODINGS = {
    "plain": {},
    "chunked": SEVERAL,
    "chunk_a_record": {"chunks": "{time: 1}"},
    "small_deflated_chunks": {"chunks": "{time: 1}", "compression": "{codec: deflate, level: 1}"},
    "small_chunks": {"chunks": "{time: 1, z: 1, y: 4, x: 4}"},
    "deflated": {"compression": "{codec: deflate, level: 1}"},
    "encoded": SEVERAL | {"compression": "{codec: zstd, checksum: true}"},
    "sharded": SEVERAL | {"compression": "zstd", "sharding": "true"},
    "large_chunks": LARGE | {"compression": "{codec: zstd, checksum: true}"},
    "large_shards": LARGE | {"compression": "zstd", "sharding": "true"},
}


@dataclass(frozen=True)
class Variant:
    """How the job writes that is killed. Shape: levels, rows and columns of temp."""

    file_format: str = "cdf5"
    writers: str = "thread"
    """or where servers are: then the nodes are those of the place"""
    nodes: int = 1
    pattern: str = "single"
    wait_every: int = 3
    shape: tuple[int, int, int] = (4, 32, 32)
    encoding: str = "plain"
    durability: str = "close"

    def __str__(self) -> str:
        size = "x".join(map(str, self.shape))
        encoding = "" if self.encoding == "plain" else f"-{self.encoding}"
        durability = "" if self.durability == "close" else f"-{self.durability}"
        how = f"{self.writers}-{self.pattern}-{self.nodes}_nodes-wait_{self.wait_every}"
        return f"{self.file_format}{encoding}{durability}-{how}-{size}"

    @property
    def place(self) -> Place | None:
        return BY_NAME.get(self.writers)

    @property
    def ranks(self) -> int:
        return self.place.ranks if self.place else 4

    def configuration(self) -> str:
        is_cut = self.pattern == "shared" and not (self.place and self.place.divided)
        layout = {"layout": [self.nodes, 1]} if is_cut else {}
        top = f"emulate-nodes: {self.nodes}\n" if self.nodes > 1 else ""
        writers, top = (self.place.writers, self.place.top) if self.place else (self.writers, top)
        settings = self.place.settings if self.place else {}
        return history(writers, top, format=self.file_format, pattern=self.pattern, durability=self.durability,
                       **settings, **layout, **ENCODINGS[self.encoding])  # fmt: skip


@dataclass(frozen=True)
class Remains:
    confirmed: int
    """records that the job knew to be committed"""
    visible: int
    """records in NAME.partial as it was left; -1: it was not readable"""
    recovered: int
    journal: bool
    """a journal was there"""
    left: Path
    """NAME.partial as it was left"""
    shape: tuple[int, int, int]

    @property
    def needed_journal(self) -> bool:
        """Without it, not all recovered records are exact."""
        return not is_exact(self.left, self.recovered, self.shape)


def value(variable: int, record: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """What steady puts, for all records at once."""
    index = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
    start = (variable * 1000003 + record * 7919) % MODULUS
    # Quicker than a remainder of every sum.
    total = start.astype(np.int32).reshape(-1, *[1] * len(shape)) + (index * 31 % MODULUS).astype(np.int32)
    return np.where(total < MODULUS, total, total - np.int32(MODULUS))


def is_netcdf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(3) in (b"CDF", b"\x89HD")


def read_fortran(path: Path, shape: tuple[int, int, int]) -> tuple[dict[str, NDArray], list[dict[str, NDArray]]]:
    """What steady defines, in its order."""
    of_records = {"temp": ("f4", shape), "ssh": ("f8", shape[1:]), "mean": ("f8", ()), "time": ("f8", ())}
    return fortran_file.read(path, {"depth": ("f8", shape[1:])}, of_records)


def read_values(path: Path, records: int, shape: tuple[int, int, int]) -> dict[str, NDArray]:
    """The first records of each variable."""
    if path.is_dir():
        with zarrs_reads():
            group = open_store(path, use_consolidated=True)
            return {name: group[name][...] if name == "depth" else group[name][:records] for name in group.array_keys()}
    if not is_netcdf(path):
        values, of_records = read_fortran(path, shape)
        return values | {name: np.stack([record[name] for record in of_records[:records]]) for name in of_records[0]}
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        return {name: file[name][:] if name == "depth" else file[name][:records] for name in file.variables}


def assert_same(found: NDArray, wanted: NDArray, name: str) -> None:
    """Like assert_array_equal, which takes much longer."""
    if found.shape != wanted.shape or not (found == wanted.astype(found.dtype)).all():
        np.testing.assert_array_equal(found, wanted, name)


def assert_exact(path: Path, records: int, shape: tuple[int, int, int], is_whole: bool = True) -> None:
    """The first records of a file have the values that steady put. Of what has no record a killed job may have left the
    fill value, cell by cell (docs/correctness.md, "Records")."""
    if records <= 0:
        return
    number = np.arange(records)
    values = read_values(path, records, shape)
    assert_same(values["temp"], value(0, number, shape), "temp")
    assert_same(values["ssh"], value(1, number, shape[1:]), "ssh")
    assert_same(values["mean"], value(2, number, ()), "mean")
    assert_same(values["time"], (number + 1) * 600.0, "time")
    depth = value(3, np.zeros(1, int), shape[1:])[0]
    is_filled = values["depth"] == np.asarray(FILL, values["depth"].dtype)
    assert_same(values["depth"], depth if is_whole else np.where(is_filled, values["depth"], depth), "depth")


def assert_nothing_else(path: Path) -> None:
    """A Fortran file ends with its last record, and a Zarr store has no chunk beyond it."""
    if path.is_dir():
        return assert_no_other_object(path)
    data = path.read_bytes()
    assert is_netcdf(path) or fortran_file.length_of(data) == len(data)


def assert_no_other_object(path: Path) -> None:
    group = open_store(path, use_consolidated=False)  # arrays say themselves what the root says of them
    records = group["time"].shape[0]
    assert {array.shape[0] for name, array in group.arrays() if name != "depth"} == {records}
    # A kill may leave the note of which store it replaces, until the next run.
    names = {file.name for file in path.iterdir()} - {"thalweg-replaces"}
    assert names == {"zarr.json", *group.array_keys()}, f"{path.name} has {sorted(names)}"
    assert not list(path.rglob("*.partial"))
    for name, array in group.arrays():
        if name != "depth":
            rows = {int(row.name) for row in (path / name / "c").glob("*")}
            assert rows == set(range(-(-records // array.chunks[0]))), name


def is_exact(path: Path, records: int, shape: tuple[int, int, int]) -> bool:
    try:
        assert_exact(path, records, shape)
    except (AssertionError, OSError, RuntimeError, KeyError, IndexError):
        return False
    return True


def visible_records(path: Path, shape: tuple[int, int, int]) -> int:
    try:
        if path.is_dir():
            return visible_in_store(path)
        if not is_netcdf(path):
            return len(read_fortran(path, shape)[1])
        with netCDF4.Dataset(path) as file:
            return len(file.dimensions["time"])
    except (OSError, RuntimeError, KeyError):
        return -1


def visible_in_store(path: Path) -> int:
    group = open_store(path, use_consolidated=True)
    lengths = {array.shape[0] for name, array in group.arrays() if name != "depth"}
    assert len(lengths) == 1, f"arrays have {lengths} records"
    return lengths.pop()


def confirmed_records(folder: Path) -> int:
    lines = (folder / "committed.log").read_text().splitlines()
    return int(lines[-1]) if lines else 0


def copy_of(path: Path, copy: Path) -> Path:
    return Path(shutil.copytree(path, copy) if path.is_dir() else shutil.copy(path, copy))


def look_at(
    folder: Path, shape: tuple[int, int, int], readable: bool, name: str = "history.nc", torn: bool = False
) -> Remains:
    """Checks the partial file as it was left, and what recovery makes of it.

    readable: the partial file must be readable as it is, as for formats without a journal.
    torn: a write of metadata that are in the journal may have failed half way, and then only the journal mends them.
    """
    partial, journal = folder / f"{name}.partial", folder / f"{name}.partial.journal"
    confirmed = confirmed_records(folder)
    copy = copy_of(partial, folder / "as-it-was-left")
    visible, had_journal = visible_records(copy, shape), journal.exists()
    assert visible >= 0 or not readable, "the partial file cannot be read"
    # A journaled record is whole when the journal was replayed, one that was confirmed is whole before.
    if not (torn and had_journal):
        assert_exact(copy, visible if readable else min(visible, confirmed), shape)
    done = recover(partial)
    assert done.returncode == 0, done.stderr
    recovered = int(done.stdout)
    assert recovered >= max(confirmed, visible), f"{confirmed} confirmed, {visible} visible, {recovered} recovered"
    assert visible >= confirmed or had_journal, f"{confirmed} confirmed, {visible} visible, and no journal"
    assert not partial.exists() and not journal.exists()
    assert visible_records(folder / name, shape) == recovered
    assert_exact(folder / name, recovered, shape)
    assert_nothing_else(folder / name)
    return Remains(confirmed, visible, recovered, had_journal, copy, shape)


def kill_once(folder: Path, variant: Variant, seed: int) -> Remains:
    """Runs steady, kills all of them at once some time after the first commit, and checks what is left."""
    after_s = random.Random(seed).uniform(0.0, 0.25)
    program = ("steady", 0, variant.wait_every, *variant.shape)
    variables = {"THALWEG_TEST_SYNC": 1} if variant.writers == "sync" else {}
    job = begin(folder, variant.configuration(), [(variant.ranks, program, variables)])
    log = folder / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    time.sleep(after_s)
    job.signal(signal.SIGKILL)
    assert job.end(limit_s=20).returncode != 0
    return look_at(folder, variant.shape, not variant.file_format.startswith("netcdf4"), file_of(variant.file_format))
