# ctest: SHORT TIMEOUT 60
"""What the end of definitions costs: ranks meet as often for many collections and variables as for one, and the first
put loads nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from support import mpi, python

MODEL = """
import os
import sys
import numpy as np
import thalweg
from mpi4py import MPI

rank = MPI.COMM_WORLD.Get_rank()
file_format, collections, variables = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
config = {"report": "none", "collections": {f"c{c}": {"format": file_format} for c in range(collections)}}
with thalweg.start(MPI.COMM_WORLD, config) as io:
    cells = io.decompose("y,x", (4, 6), (2 * rank, 0), (2, 6))
    opened = [io.collection(f"c{c}") for c in range(collections)]
    for collection in opened:
        for v in range(variables):
            collection.define_variable(f"v{v}", "time,y,x", np.float32, cells)
    io.ready()
    loaded = set(sys.modules)
    opened[0].put("v0", np.zeros((2, 6), np.float32))
    os.write(1, f"loaded by the first put: {sorted(set(sys.modules) - loaded)}\\n".encode())  # at once, beside others
"""
MEETINGS = ("allreduce", "bcast", "barrier", "scan", "allgather")


def meetings(folder: Path, file_format: str, collections: int, variables: int) -> tuple[int, str]:
    folder.mkdir()
    (folder / "model.py").write_text(MODEL)
    preload = f"LD_PRELOAD={mpi.BUILD}/lib/libcount_messages.so"
    program = [*python.INTERPRETER, "model.py", file_format, collections, variables]
    environment = {"PYTHONPATH": python.PATHS, "THALWEG_TEST_MESSAGES": str(folder / "messages")}
    done = mpi.launch(["-n", 2, "-x", preload, *program], folder, 30, environment)
    assert done.returncode == 0, done.stderr
    counts: Counter[str] = Counter()
    for line in (folder / "messages.0").read_text().splitlines():
        call, _, _, count, _ = line.split()
        counts[call] += int(count)
    return sum(counts[call] for call in MEETINGS), done.stdout


def test_ranks_meet_as_often_for_many_collections_and_variables_as_for_one(tmp_path: Path) -> None:
    for file_format in ("cdf5", "netcdf4"):
        one, _ = meetings(tmp_path / f"{file_format}-one", file_format, 1, 1)
        several, _ = meetings(tmp_path / f"{file_format}-several", file_format, 5, 7)
        assert one > 0
        assert several == one


def test_the_first_put_loads_no_module(tmp_path: Path) -> None:
    _, said = meetings(tmp_path / "run", "cdf5", 1, 1)
    assert said.splitlines() == ["loaded by the first put: []"] * 2
