"""Writes the dataset of tests/support/python_dataset.py to all collections of the configuration, by its names. The one
called "local" is defined by what each rank has of it."""

from __future__ import annotations

import sys

import thalweg
from mpi4py import MPI
from support.python_dataset import HOUR_S, NT, local, whole


def main(*names: str) -> None:
    datasets = {name: whole(name) for name in names}
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        cells = thalweg.decompose_like(io, whole(), halo={"y": 1, "x": (1, 2)})
        collections = [io.collection(name) for name in names]
        for collection in collections:
            dataset = datasets[collection.name]
            collection.define_like(dataset.isel(cells.own) if collection.name == "local" else dataset, cells)
        for step in range(NT):
            for collection in collections:
                collection.put_dataset(local(datasets[collection.name], step, cells.own, cells.with_halo))
            io.advance(HOUR_S * (step + 1))


main(*sys.argv[1:])
