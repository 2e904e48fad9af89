"""Jobs whose core, interface and model are instrumented by a sanitizer (tools/sanitized.sh): they write what is right,
or learn what failed, and no_report_of_a_sanitizer looks at what the sanitizer says of every process."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest
from calls import Fault, Model
from calls_test import Failed
from killed_job import Variant, kill_once
from launch import SLOW_PWRITE, STORAGE, history, run
from support import conform, mpi, reports, threads
from support.batch import Batch
from support.cases import RECORDS, Case
from support.python import start
from support.ways import ALL
from sweep import sweeping

SHAPE = (4, 32, 64)
FORMATS = [
    Case("cdf5"),
    Case("netcdf4", codec="zstd+checksum", chunks="odd"),
    Case("zarr", codec="zstd", chunks="shards"),
    Case("fortran"),
]
# Each on four ranks, so that all are made in one start.
PLACES = [
    {"ranks": 4, "nodes": "two", "pattern": "shared", "mode": "deal"},
    {"ranks": 3, "servers": "rank"},
    {"ranks": 2, "servers": "node"},
]
EVERY = [replace(case, **place) for case in FORMATS for place in PLACES]
CASES = EVERY if ALL else [case for number, case in enumerate(EVERY) if number % 3 != number // 3 % 3]
STEPS = list(range(1, RECORDS + 1))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right(case: Case, batch: Batch) -> None:
    folder = batch.made(case.job)
    for name, content in {"fields": conform.fields(case.format), "shapes": conform.shapes()}.items():
        check = conform.check_fortran_file if case.format == "fortran" else conform.check_file
        check(folder / case.file(name), content, STEPS, case.mode)


@pytest.mark.parametrize("writers", ["thread", "{ranks: 1}"])
def test_all_ranks_learn_of_a_write_that_fails(tmp_path: Path, writers: str) -> None:
    failing = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_ERRNO": errno.EIO, "THALWEG_TEST_PWRITE_AFTER": 12}
    yaml = history(writers, format="netcdf4", compression="zstd")
    done = run(tmp_path, yaml, 3, ("steady", 0, 2, *SHAPE, 5), 60, THALWEG_TEST_FINALIZE=1, **failing)
    for rank in range(2):
        assert done.first_failure(rank).code == STORAGE


KILLED = [
    Variant("netcdf4", "thread", 2, "shared", 1, SHAPE, "encoded"),
    Variant("zarr", "node", 1, "single", 3, SHAPE, "sharded"),
    Variant("cdf5", "ranks", 1, "single", 1, SHAPE),
]


@pytest.mark.parametrize("variant", KILLED if ALL else KILLED[:2], ids=str)
def test_every_confirmed_record_survives_a_kill(tmp_path: Path, variant: Variant) -> None:
    kill_once(tmp_path, variant, 1)


@pytest.mark.parametrize("language", ["c", "fortran", "python"])
def test_a_model_that_ends_well_and_one_that_does_not(tmp_path: Path, language: str) -> None:
    model = Model("netcdf4", "encoded", language=language)
    with sweeping(tmp_path, model, True) as sweep:
        calls = [one for one in enumerate(sweep.calls(), 1) if one[1].kind == "write"]
        number, call = calls[len(calls) // 2]
        sweep.disturb(Fault(number, str(errno.EIO)), call, Failed(sweep, "EIO"))


@pytest.mark.parametrize("language", ["fortran", "python"])
def test_models_on_several_ranks(tmp_path: Path, language: str) -> None:
    model = Model("cdf5", pattern="shared", ranks=2, language=language)
    with sweeping(tmp_path, model, False) as sweep:
        assert sweep.calls()


def test_threads_put_parts(tmp_path: Path) -> None:
    of_one, of_several = (threads.written(tmp_path / f"{number}", "one rank", number) for number in (1, 4))
    assert of_several == of_one


# ---- the tests can fail

BLUNDERS = {
    "asan": {
        "overflow(8)": "heap-buffer-overflow",
        "leak(80)": "detected memory leaks",
        "sum(2**31 - 1, 1)": "signed integer overflow",
    },
    "tsan": {"race()": "data race"},
}


@pytest.mark.parametrize(("call", "words"), BLUNDERS[mpi.BUILD.name].items())
def test_what_a_library_does_wrong_within_an_interpreter_is_reported(tmp_path: Path, call: str, words: str) -> None:
    program = tmp_path / "blunder.py"
    program.write_text(f"import ctypes\nctypes.CDLL('{mpi.BUILD}/lib/libblunders.so').{call}\n")
    done = start(program, 1, tmp_path)
    # UndefinedBehaviorSanitizer beside the other one reports to the standard error, and ends the process.
    found = reports.taken() or [done.stderr]
    assert len(found) == 1 and words in found[0], found
