"""Puts fields that a translated configuration may choose, hour by hour.

translated.py HOURS FIELD… ; what a step puts is as support/translated_values.py says. STATIC/… is put once.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

sys.path.append(str(Path(__file__).parents[2]))
from support.translated_values import CELLS, values


def main() -> None:
    hours, names = int(sys.argv[1]), sys.argv[2:]
    with thalweg.start(config="thalweg.yaml", comm=MPI.COMM_WORLD) as io:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        cells = slice(CELLS * rank // ranks, CELLS * (rank + 1) // ranks)
        held = io.decompose("x", (CELLS,), (cells.start,), (cells.stop - cells.start,))
        fields = {
            name: io.define_field(name, "x", np.float64, held, static=name.startswith("static/")) for name in names
        }
        for hour in range(1, hours + 1):
            for number, (name, field) in enumerate(fields.items()):
                if hour == 1 or not name.startswith("static/"):
                    field.put(values(number, hour)[cells])
            io.advance(hour * 3600.0)


if __name__ == "__main__":
    main()
