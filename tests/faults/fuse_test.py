# ctest: TIMEOUT 200 ALL 900
"""File systems that lack something, write less than they were given, or tell an error late, as those of networks do: a
job ends well, or with an error on all ranks that loses nothing.

The long tests meet every difficulty in every format."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from calls import OUT, Ended, Fault, Model, calls_of, recover
from difficult import difficult, why_not
from launch import STORAGE, read_outcomes
from living import Living
from names import NEW, OLD, Names, confirmed_records, digest, told
from support.ways import ALL

pytestmark = pytest.mark.timeout(60)
FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4", "zarr", "fortran")
# Options of difficult_fs, and which of its counts are not nothing then: of files, and of stores.
DIFFICULTIES: dict[str, tuple[str, set[str], set[str]]] = {
    "short": ("short=5000", {"short"}, {"short"}),
    "short pages": ("short=8192", {"short"}, {"short"}),
    "short direct": ("direct_io,short=12288", {"short"}, {"short"}),
    "short and odd direct": ("direct_io,short=5001", {"short"}, {"short"}),
    "without direct writes": ("no_direct", {"no_direct"}, set()),
    "without fallocate": ("no_allocate", set(), set()),
    "without exchange": ("no_exchange", set(), {"no_exchange"}),
    "locks not available": (f"no_locks={errno.ENOLCK}", {"no_locks"}, {"no_locks"}),
    "locks not implemented": (f"no_locks={errno.ENOSYS}", {"no_locks"}, {"no_locks"}),
    "own inodes": ("own_inodes,silly", set(), set()),
    "all": (
        f"own_inodes,silly,short=5000,no_direct,no_allocate,no_exchange,no_locks={errno.ENOLCK}",
        {"short", "no_direct", "no_locks"},
        {"short", "no_exchange", "no_locks"},
    ),
}


@pytest.fixture(autouse=True)
def has_fuse() -> None:
    if why_not():
        pytest.skip(why_not())


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Path]:
    """Beside the folder of the jobs; its files are those that the jobs see through the difficult file system."""
    (tmp_path / "below" / OUT).mkdir(parents=True)
    yield tmp_path / "below"


def difficulties() -> list[tuple[str, str]]:
    return [
        (name, file_format)
        for place, name in enumerate(DIFFICULTIES)
        for number, file_format in enumerate(FORMATS)
        if ALL or name == "all" or (number - place) % len(FORMATS) in (0, 3)
    ]


def assert_well(done: Ended, folder: Path) -> None:
    assert done.code == 0, f"exit {done.code}, hung: {done.hung}: {told(folder)}\n{done.output}"


@pytest.mark.parametrize(("name", "file_format"), difficulties(), ids=lambda value: str(value).replace(" ", "_"))
def test_a_difficult_file_system_gets_every_value(tmp_path: Path, below: Path, name: str, file_format: str) -> None:
    """On one rank: a run, one that replaces its file, one that is killed, and the recovery of that."""
    model = Model(file_format, durability="record" if len(name) % 2 else "close")
    options, by_files, by_stores = DIFFICULTIES[name]
    names = Names(tmp_path, model)
    with difficult(below / OUT, tmp_path / OUT, options) as counts:
        for records in (OLD, NEW):
            assert_well(model.run(tmp_path, records), tmp_path)
            Names(below, model).assert_has(records)
        assert names.present() == names.usual()
        confirmed = Living(tmp_path, model).die()
        old = digest(Names(below, model).name)
        done = recover(tmp_path, names.partial)
        assert done.code == STORAGE and "exists already" in done.output, done.output
        assert digest(Names(below, model).name) == old
        names.make_free()
        assert names.assert_recovers(names.partial, confirmed) >= confirmed
    for met in by_stores if file_format == "zarr" else by_files:
        assert counts[met] > 0, f"{met} was not met: {counts}"


@pytest.mark.parametrize("durability", ["close", "record"])
def test_without_fallocate_a_file_is_as_long_as_it_says_behind_each_record(
    tmp_path: Path, below: Path, durability: str
) -> None:
    """A netCDF-4 file whose run is killed before it writes any more: the last chunk has one record of many."""
    model, log = Model("netcdf4", durability=durability), tmp_path / "calls.log"
    names = Names(below, model)
    with difficult(below / OUT, tmp_path / OUT, "no_allocate"):
        assert_well(model.run(tmp_path, 1, Fault(0, "before"), log), tmp_path)
        calls = enumerate(calls_of(log), 1)
        journals = [number for number, call in calls if call.kind == "write" and call.path.endswith(".journal")]
        names.make_free()
        assert model.run(tmp_path, 1, Fault(journals[1], "before")).killed
    names.make_free()
    assert confirmed_records(tmp_path) == 1
    assert names.assert_recovers(names.partial, 1) == 1


# ---- what is on stable storage when a file gets its name


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("durability", ["close", "record"])
def test_a_file_gets_its_name_when_every_byte_of_it_is_synced(
    tmp_path: Path, below: Path, file_format: str, durability: str
) -> None:
    """Linux does not hand on syncfs to a file system in user space."""
    model = Model(file_format, durability=durability)
    with difficult(below / OUT, tmp_path / OUT) as counts:
        assert_well(model.run(tmp_path, NEW), tmp_path)
    assert counts["renamed_early"] == 0, counts
    assert counts["synced"] > 0, counts


def test_nothing_is_synced_that_need_not_be(tmp_path: Path, below: Path) -> None:
    with difficult(below / OUT, tmp_path / OUT) as counts:
        assert_well(Model("zarr", durability="none").run(tmp_path, NEW), tmp_path)
    assert counts["renamed_early"] > 0 and counts["synced"] == 0, counts


# ---- errors that are told late


@dataclass(frozen=True)
class Late:
    """Where an error is told, and what became of the data."""

    told_at: str
    number: int
    are_kept: bool
    after: int
    """bytes that go well"""

    def __str__(self) -> str:
        return f"{self.told_at}-{errno.errorcode[self.number]}-{'kept' if self.are_kept else 'dropped'}-{self.after}"

    def options(self) -> list[str]:
        only_fsync = ["late_fsync"] if self.told_at == "fsync" else []
        keeps = ["late_keeps"] if self.are_kept else []
        return [f"late={self.after}", f"late_errno={self.number}", *only_fsync, *keeps]


AT_ONCE, IN_A_RECORD = 0, 250_000  # a record has 98 kB
LATE = [
    Late(told_at, number, are_kept, after)
    for told_at, number, are_kept in (
        ("fsync_or_close", errno.ENOSPC, True),
        ("fsync", errno.EIO, True),
        ("fsync_or_close", errno.EDQUOT, False),
        ("fsync", errno.EIO, False),
    )
    for after in (AT_ONCE, IN_A_RECORD)
]


def on_two_nodes(file_format: str, durability: str) -> Model:
    pattern = "shared" if file_format in ("cdf5", "netcdf4", "zarr") else "single"
    return Model(file_format, pattern=pattern, durability=durability, ranks=2)


def late_cases() -> list[tuple[Late, Model]]:
    every = [
        (late, on_two_nodes(file_format, durability))
        for late in LATE
        for file_format in FORMATS
        for durability in ("close", "record")
        if can_be_told(late, file_format)
    ]
    return every if ALL else every[::5]  # meets every format and both durabilities with every kind of error


def can_be_told(late: Late, file_format: str) -> bool:
    """HDF5, which reads its header again, says only that it is none when its bytes are gone."""
    return not (file_format == "netcdf4" and late.after == AT_ONCE and not late.are_kept)


def assert_told(folder: Path, late: Late) -> None:
    """On all ranks, with the name and the cause."""
    outcomes = read_outcomes(folder)
    for rank in (0, 1):
        failures = [outcome for outcome in outcomes[rank] if outcome.code != 0]
        assert failures, f"rank {rank} is told nothing"
        assert failures[0].code == STORAGE, failures[0]
        for word in ("history.", os.strerror(late.number)):
            assert word in failures[0].text, failures[0]


@pytest.mark.parametrize(("late", "model"), late_cases(), ids=str)
def test_an_error_that_is_told_late_is_one_on_all_ranks(tmp_path: Path, below: Path, late: Late, model: Model) -> None:
    names = Names(below, model)
    with difficult(below / OUT, tmp_path / OUT):
        assert_well(model.run(tmp_path, OLD), tmp_path)
    old = digest(names.name)
    with difficult(below / OUT, tmp_path / OUT, *late.options()) as counts:
        done = model.run(tmp_path, NEW)
    assert not done.hung
    assert counts["dropped"] > 0, "the difficulty was not met"
    assert done.code != 0, f"the job is said to be well: {counts}"
    assert_told(tmp_path, late)
    assert digest(names.name) == old, "the old file is not as it was"
    confirmed = confirmed_records(tmp_path)
    if late.are_kept or model.durability == "record":
        assert confirmed == 0 or names.partial.exists(), sorted(names.present())
        names.make_free()
        if names.partial.exists():
            names.assert_recovers(names.partial, confirmed)
