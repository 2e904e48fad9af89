"""Gets several boxes a rank, fewer on some ranks, of a domain with a hole, and compares them bit for bit with NumPy."""

from __future__ import annotations

from collections.abc import Callable

import netCDF4
import numpy as np
import thalweg
from mpi4py import MPI

NY, NX = 5, 8
TILES = [((j, i), (j2 - j, i2 - i)) for j, j2 in ((0, 2), (2, 5)) for i, i2 in ((0, 3), (3, 5), (5, 8))]
HALO = ((1, 1), (2, 1))


def refused(code: thalweg.Code, text: str, call: Callable[[], object]) -> None:
    try:
        call()
    except thalweg.Error as error:
        assert error.code is code and text in str(error), error
    else:
        raise AssertionError(f"not refused: {text}")


def get_all(before: thalweg.Input, own: list[tuple[tuple[int, int], tuple[int, int]]], most: int) -> None:
    with netCDF4.Dataset("input.nc") as file:
        temp = np.asarray(file["temp"][1])
    around = np.pad(np.pad(temp, [(0, 0), (1, 1), (0, 0)]), [(0, 0), (0, 0), (2, 1)], mode="wrap")
    for box in [*range(most), 0]:
        found = before.get("temp", record=1, box=box)
        if box < len(own):
            (j, i), (rows, columns) = own[box]
            wanted = around[:, j : j + rows + 2, i : i + columns + 3]
            assert found.tobytes() == np.ascontiguousarray(wanted).tobytes(), (box, found, wanted)
            array = np.full((2, rows, columns), -1.0)[:, ::-1]
            before.get("temp", array, record=1, box=box)
            assert np.array_equal(array, temp[:, j : j + rows, i : i + columns]), box
        else:
            assert found.shape == (2, 0, 0), found.shape
            before.get("temp", np.empty((2, 0, 0)), record=1, box=box)


def main(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    shares = [[tile for n, tile in enumerate(TILES) if n * n % ranks == of and n != 4] for of in range(ranks)]
    own, most = shares[rank], max(map(len, shares))
    cells = io.decompose("y,x", (NY, NX), boxes=own, halo=HALO, masked=True)
    with io.open_input("input.nc") as before:
        before.declare("temp", cells, dims="time,z,y,x", periodic="x")
        get_all(before, own, most)
        too_many = max((len(share) for share in shares if share), default=0)
        array = np.zeros((2, 2, 3))
        refused(
            thalweg.Code.ARGUMENT, "give none where other ranks", lambda: before.get("temp", array, 0, box=too_many)
        )
        refused(thalweg.Code.ARGUMENT, "there is no box -1", lambda: before.get("temp", record=0, box=-1))
        if ranks > 1:
            refused(thalweg.Code.AGREEMENT, "box", lambda: before.get("temp", record=0, box=rank % 2))
        if most > 1:
            refused(thalweg.Code.SHAPE, "what is got by time fills one", lambda: before.get_at("temp", 3600.0))
        get_all(before, own, most)
    state = io.collection("state", "{file: state.nc, every: on-demand}")
    state.define_dimension("z", 2)
    state.define_variable("temp", "time,z,y,x", np.float32, cells)
    shape = (2, *own[0][1]) if own else (2, 0, 0)
    state.register_array("temp", np.zeros(shape, np.float32))
    if most > 1:
        refused(thalweg.Code.SHAPE, "get each box by thalweg_get_box", lambda: state.restore("input.nc"))


with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        main(io)
