# ctest: TIMEOUT 300 ALL 7200
"""Engine library on two ranks, one of which is killed at its k-th call to the storage, or has it fail: an older
complete file stays, all ranks learn of it, nothing hangs, and the next run writes. What the libraries leave of a file
that is not complete is theirs (docs/correctness.md): only records that were synced, or of CDF files, are asked for."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from calls import Call, Ended, Fault, Model
from calls_test import ToldToAll
from support.ways import ALL, of
from sweep import CHANGING, chosen, sweeping, turn

pytestmark = pytest.mark.timeout(of(100, 7200))
CDF = Model("cdf5", pattern="shared", ranks=2, engine="library")
HDF = Model("netcdf4", pattern="shared", durability="record", ranks=2, engine="library")
MODELS = [CDF, HDF]
ENDS = (5, 134, 139)
"""MPI_ERR_COMM, of a communicator that is freed twice where no file can be made; abort; a file that cannot be closed"""


def some(calls: list[tuple[int, Call]], start: int) -> list[tuple[int, Call]]:
    """A third of them, without the long tests."""
    return calls if ALL else calls[start % 3 :: 3]


@pytest.mark.parametrize("rank", of([1], [0, 1]))
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_kill_at_any_call_leaves_the_older_file(tmp_path: Path, model: Model, rank: int) -> None:
    with sweeping(tmp_path, model, True) as sweep:
        calls = some(chosen(sweep.calls(rank), CHANGING - {"allocate"}, 2), rank)
        for place, (number, call) in enumerate(calls):
            for moment in turn(["before", "after"], place):
                sweep.disturb(Fault(number, moment, rank), call, sweep.recover_then_run)


class ToldToAllOrEnded(ToldToAll):
    """What parallel HDF5 cannot go on with ends the processes, in it or in MPI."""

    def __call__(self, done: Ended) -> None:
        if self.sweep.model == HDF and done.code in ENDS:
            assert done.output, "the job ends without a text"
            self.sweep.recover_then_run()
        else:
            super().__call__(done)


FAILURES = {"EIO": CHANGING | {"open"}, "ENOSPC": {"create", "allocate", "write"}}


@pytest.mark.parametrize("rank", of([0], [0, 1]))
@pytest.mark.parametrize(("model", "failure"), of([(CDF, "EIO"), (HDF, "ENOSPC")],
                         [(model, failure) for model in MODELS for failure in FAILURES]), ids=str)  # fmt: skip
def test_all_ranks_learn_of_a_call_that_fails_on_one(tmp_path: Path, model: Model, failure: str, rank: int) -> None:
    with sweeping(tmp_path, model, True) as sweep:
        # HDF5 waits in a flush for a rank whose own has failed.
        kinds = FAILURES[failure] - ({"sync"} if model == HDF else set())
        for number, call in some(chosen(sweep.calls(rank), kinds, 2), 1):
            fault = Fault(number, str(getattr(errno, failure)), rank)
            sweep.disturb(fault, call, ToldToAllOrEnded(sweep, failure))
