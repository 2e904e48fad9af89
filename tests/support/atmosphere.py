"""The example atmosphere: started under mpiexec, or computed within the process of the test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpi4py
import numpy as np
from support import mpi, python

EXAMPLE = mpi.SOURCE / "examples" / "python" / "atmosphere"
# MPI would not let this process start mpiexec afterwards; of MPI the model alone needs constants only.
mpi4py.rc.initialize = False
sys.path.append(str(EXAMPLE))

import rossby_haurwitz
from band import Band
from shallow_water import ShallowWater

COLUMNS, ROWS, STEP_S = 48, 24, 720
GRID = ("--grid", f"{COLUMNS}x{ROWS}", "--step", STEP_S)


class Alone:
    """In place of a communicator of one rank."""

    def Get_rank(self) -> int:
        return 0

    def Get_size(self) -> int:
        return 1

    def Sendrecv(self, *_: Any, **__: Any) -> None:
        """To nobody."""

    def allgather(self, value: Any) -> list[Any]:
        return [value]

    def allreduce(self, value: Any, _: Any) -> Any:
        return value


def model(columns: int = COLUMNS, rows: int = ROWS) -> ShallowWater:
    """At the beginning."""
    made = ShallowWater(Band(Alone(), rows, columns))  # type: ignore[arg-type]
    rossby_haurwitz.start(made)
    return made


def states(steps: int) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
    """Number of each step, and what is on the sphere after it; rows of southern edges without the pole."""
    made = model()
    for step in range(1, steps + 1):
        made.step(STEP_S)
        vorticity = made.vorticity()[1:]
        yield step, {"height": made.height.copy(), "u": made.u.copy(), "v": made.v[1:].copy(), "vorticity": vorticity}


def run(ranks: int, folder: Path, configuration: dict[str, Any], *words: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    python.run(EXAMPLE / "atmosphere.py", ranks, folder, configuration, *GRID, "--config", "thalweg.yaml", *words)
    assert not list(folder.glob("*.partial*"))
    return folder


def run_c(ranks: int, folder: Path, days: float) -> Path:
    """By the configuration that is in the folder."""
    mpi.run("atmosphere_c", ranks, folder, "thalweg.yaml", days, COLUMNS, ROWS, STEP_S)
    assert not list(folder.glob("*.partial*"))
    return folder
