"""Puts the fields of field_cases.py, step_cases.py and day_cases.py, each case as a session of its own, for all clients
of the job.

chosen_fields.py FORMAT KEYS (a map in YAML that every session has as well)
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI

sys.path.append(str(Path(__file__).parents[1]))
from day_cases import DAYS
from field_cases import CASES, CELLS, FILL, HOUR, Case
from step_cases import STEPS

ENDINGS = {"zarr": ".zarr"}


def folder_of(name: str) -> Path:
    return Path(name.replace(" ", "_"))


def settings_of(case: Case, folder: Path, form: str, keys: dict[str, Any]) -> dict[str, Any]:
    collections = {}
    for name, said in case.collections.items():
        file = said.get("file", name) + ENDINGS.get(form, ".nc")
        collections[name] = said | {"file": str(folder / file), "format": form}
    return {"report": "none", "time-step": "1 h"} | case.settings | keys | {"collections": collections}


def part(values: Any, cells: slice) -> Any:
    return np.broadcast_to(np.asarray(values, "f8"), (CELLS,))[cells]


def run(case: Case, settings: dict[str, Any]) -> None:
    with thalweg.start(config=settings, comm=MPI.COMM_WORLD) as io:
        if not io.is_client:
            return
        ranks, rank = io.model_comm.Get_size(), io.model_comm.Get_rank()
        cells = slice(CELLS * rank // ranks, CELLS * (rank + 1) // ranks)
        count = cells.stop - cells.start
        held = io.decompose("c", (CELLS,), (cells.start,), (count,))
        define = partial(io.define_field, dims="c", dtype=np.float64, decomposition=held, units="m", missing_value=FILL)
        fields = {name: define(f"ocean/{name}") for name in ("x", *case.more)}
        io.define_field("ocean/unused", "c", np.float64, held)
        axis = io.define_field("c", "c", np.float64, held, static=True, units="1")
        if case.start_s:
            io.set_time(case.start_s)
        axis.put(np.arange(CELLS, dtype="f8")[cells])
        if case.initial is not None:
            fields["x"].put(part(case.initial["x"], cells))
            io.advance(case.start_s)
        for end_s, put in case.put:
            if case.says_steps:
                io.step(end_s)
            mask = np.asarray(put["mask"])[cells] if "mask" in put else None
            for name in [name for name in put if name in fields]:
                fields[name].put(part(put[name], cells), weight=put.get("weight"), mask=mask)
            if "again" in put:
                fields["x"].put(part(put["again"], cells))
            io.advance(end_s)


def main() -> None:
    form, keys = sys.argv[1], json.loads(sys.argv[2])
    for name, case in (CASES | STEPS | DAYS).items():
        folder = folder_of(name)
        folder.mkdir(exist_ok=True)
        run(case, settings_of(case, folder, form, keys))
    assert HOUR == 3600.0


if __name__ == "__main__":
    main()
