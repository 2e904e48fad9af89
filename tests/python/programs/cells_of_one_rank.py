"""Puts fields whose cells are all on the first rank: the others put arrays without elements.

cells_of_one_rank.py: records by the hour."""

from __future__ import annotations

import numpy as np
import thalweg

CELLS = 4


class Model:
    def __init__(self, io: thalweg.Session) -> None:
        self.own = np.arange(CELLS if io.model_comm.Get_rank() == 0 else 0)
        cells = io.decompose_indices("cell", CELLS, self.own)
        self.t = io.define_field("t", "cell", np.float64, cells)
        fixed = {"area": "m2", "lon": "degrees_east", "lat": "degrees_north"}
        self.fixed = [
            io.define_field(name, "cell", np.float64, cells, static=True, units=units) for name, units in fixed.items()
        ]

    def put_fixed(self) -> None:
        for field in self.fixed:
            field.put(self.own + 1.0)

    def put(self, step: int) -> None:
        self.t.put(self.own + float(step))


if __name__ == "__main__":
    from hourly import run

    run(Model, 2)
