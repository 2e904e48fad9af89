# ctest: TIMEOUT 300 ALL 14400
"""Models in Fortran and Python of which one call to the storage fails or kills them: the same is kept as of one in C
(calls_test.py), and they learn of it by the code and text of a call, or end with that text if they ask for no code."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from calls import OUT, Call, Ended, Fault, Model, calls_of, ended, preloaded
from calls_test import CONCERNED, FAILURES, Failed, ToldToAll
from launch import BIN, exports, history
from support.mpi import SOURCE
from support.python import INTERPRETER, PATHS
from support.ways import ALL, of
from sweep import CHANGING, chosen, sweeping, turn

pytestmark = pytest.mark.timeout(of(100, 7200))


def written(language: str) -> list[Model]:
    return [
        Model("cdf5", language=language),
        Model("netcdf4", "encoded", durability="record", language=language),
        Model("zarr", language=language),
        Model("fortran", language=language),
    ]


EVERY = [*written("fortran"), *written("python")]
FORTRAN, PYTHON = EVERY[0], EVERY[5]


def some(calls: list[tuple[int, Call]], start: int) -> list[tuple[int, Call]]:
    """A third of them, without the long tests."""
    return calls if ALL else calls[start % 3 :: 3]


@pytest.mark.parametrize("existing", of([True], [False, True]))
@pytest.mark.parametrize("model", of([FORTRAN, PYTHON], EVERY), ids=str)
def test_a_kill_at_any_call_loses_nothing(tmp_path: Path, model: Model, existing: bool) -> None:
    with sweeping(tmp_path, model, existing) as sweep:
        calls = some(chosen(sweep.calls(), CHANGING, 2), EVERY.index(model))
        for place, (number, call) in enumerate(calls):
            for moment in turn(["before", "half" if call.kind == "write" else "after", "after"], place):
                sweep.disturb(Fault(number, moment), call, sweep.recover_then_run)


ENDING = {"truncate", "write", "sync"}
"""a failure of these ends the job"""
FAILING = [(FORTRAN, "EIO"), (PYTHON, "ENOSPC")]


@pytest.mark.parametrize(
    ("model", "failure"), of(FAILING, [(model, failure) for model in EVERY for failure in FAILURES]), ids=str
)
def test_a_call_that_fails_is_an_error_that_loses_nothing(tmp_path: Path, model: Model, failure: str) -> None:
    with sweeping(tmp_path, model, True) as sweep:
        kinds = CONCERNED[failure] & of(ENDING, CONCERNED[failure])
        for number, call in some(chosen(sweep.calls(), kinds, 3), 1):
            sweep.disturb(Fault(number, FAILURES[failure]), call, Failed(sweep, failure))


@pytest.mark.parametrize("language", ["fortran", "python"])
def test_all_ranks_learn_of_a_call_that_fails_on_one(tmp_path: Path, language: str) -> None:
    model = Model("netcdf4", pattern="shared", ranks=2, language=language)
    with sweeping(tmp_path, model, True) as sweep:
        for number, call in some(chosen(sweep.calls(1), {"create", "write", "sync", "rename"}, 2), 1):
            sweep.disturb(Fault(number, str(errno.EIO), rank=1), call, ToldToAll(sweep, "EIO"))


# ---- models that ask for no code

MINIMAL = {
    "fortran": [str(BIN / "minimal_fortran")],
    "python": [*INTERPRETER, str(SOURCE / "examples" / "python" / "minimal.py")],
}


def run_minimal(folder: Path, language: str, fault: Fault, log: Path) -> Ended:
    (folder / OUT).mkdir(parents=True, exist_ok=True)
    (folder / "thalweg.yaml").write_text(history(file=f"{OUT}/history.nc", format="cdf5"))
    variables = {"PYTHONPATH": PATHS, **preloaded(fault, log)}
    command = ["mpiexec", "-n", "2", *exports(dict(variables)), *MINIMAL[language], "thalweg.yaml"]
    return ended(command, folder, {})


@pytest.mark.parametrize("language", MINIMAL)
def test_a_model_that_asks_for_no_code_ends_with_the_text(tmp_path: Path, language: str) -> None:
    log = tmp_path / "calls.log"
    assert run_minimal(tmp_path / "whole", language, Fault(0, "before"), log).code == 0
    calls = calls_of(log)
    for kind in of(("create", "rename"), ("create", "allocate", "write", "sync", "rename")):
        # Without a lock, or without its checksums, a file is written all the same, and that is said. Nobody waits for
        # records, so how many writes there are is not the same in each run.
        of_kind = [call.top for call in calls if call.kind == kind]
        number = of_kind.index("history.nc.partial") + 1
        done = run_minimal(tmp_path / kind, language, Fault(number, str(errno.EIO), kinds=(kind,)), log)
        assert not done.hung and done.code > 0, f"{kind}: exit {done.code}: {done.output}"
        assert os.strerror(errno.EIO) in done.output and "history.nc" in done.output, f"{kind}: {done.output}"
