"""Decompositions of many cells of which few are held: sizes.py, on two ranks. The first says in lines of JSON what each
met, in which time and with how much more memory."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI


def peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def met(shape: Sequence[int], file_format: str, dtype: type) -> str:
    """The error, or nothing."""
    names = ",".join("yx"[-len(shape) :])
    settings = {"report": "none", "collections": {"o": {"file": "o.nc", "format": file_format}}}
    Path(f"run{MPI.COMM_WORLD.rank}.yaml").write_text(json.dumps(settings))
    start = (MPI.COMM_WORLD.rank,) + (0,) * (len(shape) - 1)
    try:
        with thalweg.start(MPI.COMM_WORLD, f"run{MPI.COMM_WORLD.rank}.yaml", on_exception="raise") as io:
            cells = io.decompose(names, shape, start, (1,) * len(shape), masked=True)
            io.collection("o").define_variable("temp", f"time,{names}", dtype, cells)
            io.ready()
    except thalweg.Error as error:
        return str(error)
    return ""


def main() -> None:
    file_format, dtype, *shape = sys.argv[1:]
    before_s, before_kib = time.monotonic(), peak_kib()
    error = met([int(extent) for extent in shape], file_format, getattr(np, dtype))
    if MPI.COMM_WORLD.rank == 0:
        seconds, kib = time.monotonic() - before_s, peak_kib() - before_kib
        print(json.dumps({"error": error, "seconds": seconds, "kib": kib}), flush=True)


if __name__ == "__main__":
    main()
