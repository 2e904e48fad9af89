# ctest: TIMEOUT 500 ALL 14400
"""A job, or a recovery, of which one call to the storage fails or kills it, for one call after the other: under NAME is
the complete old file or the complete new one, and every confirmed record is in NAME or in NAME.partial.

The long tests disturb every call of all models; the others, of models that have each format, encoding, pattern,
durability and engine once, every other one of those that make, rename and remove names, and of some between them, by
turns (support/turns.py)."""

from __future__ import annotations

import errno
import shutil
from itertools import product
from pathlib import Path

import pytest
from calls import Call, Ended, Fault, Model, calls_of, recover
from launch import STORAGE, read_outcomes
from names import NEW, confirmed_records, told
from support.turns import some
from support.ways import ALL, of
from sweep import CHANGING, NAMING, Sweep, chosen, sweeping, turn

pytestmark = pytest.mark.timeout(of(200, 7200))
FEW = [
    Model("cdf5"),
    Model("netcdf4", "encoded", durability="record"),
    Model("zarr", "sharded", durability="record"),
    Model("fortran"),
    Model("netcdf4", pattern="per-domain"),
    Model("cdf5", engine="library"),
]
MORE = [
    Model("cdf5", durability="record"),
    Model("netcdf4"),
    Model("zarr"),
    Model("cdf5", pattern="per-domain"),
]
MODELS = of(FEW, FEW + MORE)
# Parallel HDF5 ends the process at some calls that fail, so it is killed only.
KILLED = [*MODELS, Model("netcdf4", durability="record", engine="library")]
TWO_NODES = [
    Model("cdf5", pattern="shared", ranks=2),
    Model("netcdf4", "encoded", pattern="shared", durability="record", ranks=2),
    Model("zarr", pattern="shared", durability="record", ranks=2),
]
INTERRUPTIBLE = {"open", "create", "truncate", "allocate", "write", "sync"}


def with_each(models: list[Model], *values: object) -> list[tuple]:
    """Each model with each of the values, or with every other one."""
    every = product(enumerate(models), enumerate(values))
    return [(model, value) for (m, model), (v, value) in every if ALL or (m + v) % 2 == 0]


@pytest.mark.parametrize(("model", "existing"), with_each(KILLED, "a_file_before", "nothing_before"), ids=str)
def test_a_kill_at_any_call_loses_nothing(tmp_path: Path, model: Model, existing: str) -> None:
    with sweeping(tmp_path, model, existing == "a_file_before") as sweep:
        for place, (number, call) in enumerate(some(chosen(sweep.calls(), CHANGING, 2, KILLED.index(model)), 2)):
            moments = ("before", "half", "after") if call.kind == "write" else ("before", "after")
            ways = list(product(moments, (sweep.recover_then_run, sweep.run_then_recover)))
            # What has a name before a call that changes it is not what has it behind.
            few = some(ways, 2) if call.kind in NAMING and not ALL else turn(ways, place)
            for moment, follow in few:
                sweep.disturb(Fault(number, moment), call, follow)


FAILURES = {"EIO": str(errno.EIO), "ENOSPC": str(errno.ENOSPC), "EINTR": str(errno.EINTR), "short": "short"}
CONCERNED = {"EIO": CHANGING | {"open", "close"}, "ENOSPC": {"create", "mkdir", "allocate", "write"},
             "EINTR": INTERRUPTIBLE, "short": {"write"}}  # fmt: skip


class Failed:
    """What a job with a call that failed has to say, and to leave."""

    def __init__(self, sweep: Sweep, failure: str) -> None:
        self.sweep, self.failure = sweep, failure

    @property
    def call(self) -> Call:
        assert self.sweep.met is not None
        return self.sweep.met

    def __call__(self, done: Ended) -> None:
        assert not done.killed and done.code >= 0, f"exit {done.code}: {done.output}"
        if done.code == 0:
            self.check_well()
        else:
            assert self.may_end(), f"a call that is to be made again ends the job: {told(self.sweep.folder)}"
            assert told(self.sweep.folder), f"no rank says what failed: {done.output}"
        self.sweep.recover_then_run()

    def may_end(self) -> bool:
        """Format libraries do not try again to open a file; to write, they do."""
        return self.failure not in ("EINTR", "short") or self.call.kind in ("open", "create")

    def check_well(self) -> None:
        sweep = self.sweep
        # Nobody knows whether what was not forced to the storage is there; of checksums it is said that there are none.
        is_kept = self.failure != "EIO" or self.call.kind != "sync" or self.call.top.endswith(".checksums.new")
        assert is_kept, "the job is said to be well"
        assert confirmed_records(sweep.folder) == NEW
        sweep.names.assert_old_or_new("")
        # What could not be removed may be left, but not by the next run as well.
        sweep.assert_no_more_than(sweep.names.usual() | {self.call.top})


class ToldToAll(Failed):
    """On several ranks each of them gets a code and a text."""

    def __call__(self, done: Ended) -> None:
        outcomes = read_outcomes(self.sweep.folder)
        told_to = {rank for rank, every in outcomes.items() if any(one.code == STORAGE and one.text for one in every)}
        assert done.code == 0 or told_to == set(range(self.sweep.model.ranks)), f"only ranks {told_to} are told"
        super().__call__(done)


@pytest.mark.parametrize("existing", of([True], [False, True]))
@pytest.mark.parametrize(("model", "failure"), with_each(MODELS, *FAILURES), ids=str)
def test_a_call_that_fails_is_an_error_that_loses_nothing(
    tmp_path: Path, model: Model, failure: str, existing: bool
) -> None:
    with sweeping(tmp_path, model, existing) as sweep:
        for number, call in some(chosen(sweep.calls(), CONCERNED[failure], 1, MODELS.index(model)), 2):
            sweep.disturb(Fault(number, FAILURES[failure]), call, Failed(sweep, failure))


READ_BY_LIBRARIES = [model for model in MODELS if model.file_format == "netcdf4"]


@pytest.mark.parametrize("model", READ_BY_LIBRARIES, ids=str)
def test_no_close_that_fails_ends_the_process(tmp_path: Path, model: Model) -> None:
    """Format libraries go on using what they have freed, of files that they only read, too."""
    with sweeping(tmp_path, model, True) as sweep:
        for number, call in enumerate(sweep.calls(), 1):
            if call.kind == "close":
                sweep.disturb(Fault(number, FAILURES["EIO"]), call, Failed(sweep, "EIO"))


TAKING_ROOM = ("create", "mkdir", "allocate", "write")


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_disk_that_stays_full_is_an_error_that_loses_nothing(tmp_path: Path, model: Model) -> None:
    with sweeping(tmp_path, model, True) as sweep:
        calls = [call for call in sweep.calls() if call.kind in TAKING_ROOM]
        for number, call in some(chosen(calls, set(TAKING_ROOM), 1, MODELS.index(model)), 2):
            fault = Fault(number, str(errno.ENOSPC), lasts=True, kinds=TAKING_ROOM)
            sweep.disturb(fault, call, Failed(sweep, "ENOSPC"))


# ---- recovery


class Recovery:
    """The recovery of what one and the same killed job left, disturbed in turn."""

    def __init__(self, sweep: Sweep, calls: list[Call], share: float) -> None:
        self.sweep, self.names = sweep, sweep.names
        every = [number for number, call in enumerate(calls, 1) if call.kind in CHANGING]
        every = [number for number in every if number <= self.publishing(calls, self.names.partial.name)]
        self.kill = Fault(every[int(share * (len(every) - 1))], "before")
        self.left = sweep.folder.with_name("left")
        self.confirmed = self.run_until_killed()
        log = sweep.folder / "recovery.log"
        done = recover(sweep.folder, self.names.partial, Fault(0, "before"), log)
        assert done.code == 0, done.output
        self.records, self.calls = int(done.output.splitlines()[-1]), calls_of(log)

    @staticmethod
    def publishing(calls: list[Call], partial: str) -> int:
        """The number of the call by which the file gets its name."""
        numbers = [number for number, call in enumerate(calls, 1) if call.kind == "rename" and call.top == partial]
        return numbers[-1]

    def run_until_killed(self) -> int:
        """How many records the job had confirmed. Another run may be killed at the same call with a record more."""
        self.sweep.clear()
        done = self.sweep.model.run(self.sweep.folder, NEW, self.kill)
        assert done.killed, done.output
        shutil.rmtree(self.left, ignore_errors=True)
        shutil.copytree(self.sweep.folder, self.left, symlinks=True)
        return confirmed_records(self.sweep.folder)

    def leave(self) -> int:
        """As the killed job left it; how many records it had confirmed."""
        shutil.rmtree(self.sweep.folder)
        shutil.copytree(self.left, self.sweep.folder, symlinks=True)
        return self.confirmed

    def disturb(self, fault: Fault, call: Call) -> None:
        confirmed = self.leave()
        try:
            done = recover(self.sweep.folder, self.names.partial, fault)
            assert not done.hung, "hung"
            assert done.killed or done.code >= 0, f"exit {done.code}: {done.output}"
            if self.names.partial.exists():
                assert done.code != 0, "it is said to be recovered"
                assert self.names.assert_recovers(self.names.partial, confirmed) == self.records
            self.sweep.names.assert_has(self.records)
            # Of a recovery that ended behind the renaming: a lock that nobody holds, and a journal without its file.
            passing = {f"{self.names.name.name}.lock", f"{self.names.partial.name}.journal"}
            # What could not be looked at or removed may be left, too.
            self.sweep.assert_no_more_than({self.names.name.name, call.top} | self.names.usual() | passing)
        except AssertionError as error:
            where = f"{self.sweep.model}, recovery of what {self.kill} left"
            self.sweep.failures.append(f"{where}: {fault}, {call}: {str(error).partition(chr(10))[0]}")


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_recovery_that_is_killed_or_fails_can_be_made_again(tmp_path: Path, model: Model) -> None:
    actions = ["before", "after", "half", str(errno.EIO), str(errno.ENOSPC)]
    with sweeping(tmp_path, model, False) as sweep:
        calls = sweep.calls()
        for share in of((0.75,), (0.6, 0.75, 0.9, 1.0)):
            recovery = Recovery(sweep, calls, share)
            for place, (number, call) in enumerate(some(chosen(recovery.calls, CHANGING | {"close"}, 2), 2)):
                for action in turn(actions, place):
                    recovery.disturb(Fault(number, action), call)


# ---- on two nodes


@pytest.mark.parametrize("existing", of([True], [False, True]))
@pytest.mark.parametrize(
    ("model", "rank"),
    list(product(TWO_NODES, (0, 1))) if ALL else list(zip(TWO_NODES, (1, 0, 0), strict=True)),
    ids=str,
)
def test_a_kill_of_one_of_two_nodes_at_any_call_loses_nothing(
    tmp_path: Path, model: Model, rank: int, existing: bool
) -> None:
    with sweeping(tmp_path, model, existing) as sweep:
        calls = chosen(sweep.calls(rank), CHANGING - {"allocate"}, 1, TWO_NODES.index(model))
        # Of those of two models on rank 0 one has what the other leaves out.
        for place, (number, call) in enumerate(calls if ALL else calls[TWO_NODES.index(model) % 2 :: 2]):
            for moment in turn(["before", "after"], place):
                sweep.disturb(Fault(number, moment, rank), call, sweep.recover_then_run)
