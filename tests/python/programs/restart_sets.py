"""Writes the restarts of an ocean and of its ice, or restores both and says of which time each is.

restart_sets.py write STEPS; restart_sets.py restore [RECORD]: prints JSON, for each collection its time and whether its
values are those of that time, or the code and the text of its error, as all ranks have them. restart_sets.py late:
restores both twice; a file of the ice becomes complete behind the first restore of the ocean.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

STEP_S = 3600.0
NY, NX = 6, 5


def values(name: str, rows: slice, time_s: float) -> np.ndarray:
    whole = np.random.default_rng([len(name), round(time_s)]).random((NY, NX))
    return whole[rows]


def main() -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        rows = slice(NY * rank // ranks, NY * (rank + 1) // ranks)
        cells = io.decompose("y,x", (NY, NX), (rows.start, 0), (rows.stop - rows.start, NX))
        collections = {name: io.collection(name) for name in ("ocean", "ice")}
        arrays = {name: np.full((rows.stop - rows.start, NX), -1.0) for name in collections}
        for name, collection in collections.items():
            collection.define_variable(f"{name}_height", "time,y,x", "f8", cells)
            collection.register_array(f"{name}_height", arrays[name])
        if sys.argv[1] == "write":
            for step in range(1, int(sys.argv[2]) + 1):
                for name, collection in collections.items():
                    arrays[name][...] = values(name, rows, step * STEP_S)
                    collection.put_arrays()
                io.advance(step * STEP_S)
            return
        record = int(sys.argv[2]) if len(sys.argv) > 2 else None
        said: dict[str, list[object]] = {}
        is_late = sys.argv[1] == "late"
        for name in [*collections, *collections] if is_late else collections:
            collection = collections[name]
            try:
                time_s = collection.restore(None, record)
                said[f"{name} again" if name in said else name] = [
                    time_s,
                    bool(np.array_equal(arrays[name], values(name, rows, time_s))),
                ]
            except thalweg.Error as error:
                said[name] = [error.code.name, str(error)]
            if is_late and len(said) == 1 and rank == 0:
                for partial in Path().glob("ice_*.partial"):
                    partial.rename(partial.with_suffix(""))
            io.model_comm.Barrier()
        all_said = io.model_comm.gather(said)
        if all_said is not None:
            assert all(each == all_said[0] for each in all_said), all_said
            print(json.dumps(all_said[0]))


if __name__ == "__main__":
    main()
