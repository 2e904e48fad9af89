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


def between_all(
    io: thalweg.Session, cells: thalweg.Decomposition, own: list[tuple[tuple[int, int], tuple[int, int]]], most: int
) -> None:
    """Odd boxes into arrays without a halo, whose rows lie the other way round."""
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    with netCDF4.Dataset("input.nc") as file:
        temp = np.asarray(file["temp"])
    with io.open_input("input.nc") as before:
        before.declare("temp", cells, dims="time,z,y,x", periodic="x")
        too_many = max(1, len(own))
        array = np.zeros((2, 2, 3), "f4")
        if len(own) == most:
            array = array[:0]
        refused(thalweg.Code.ARGUMENT, "there is no box -1", lambda: before.get_at("temp", 5400.0, box=-1))
        if most > 1 and min(io.model_comm.allgather(len(own))) < most:
            refused(
                thalweg.Code.ARGUMENT,
                "give none where other ranks",
                lambda: before.get_at("temp", 5400.0, array, box=too_many),
            )
        if ranks > 1:
            refused(thalweg.Code.AGREEMENT, "box", lambda: before.get_at("temp", 5400.0, box=rank % 2))
        for hours in (1.0, 1.25, 2.0, 2.5, 3.0, 1.5):
            lower, weight = int(hours) - 1, hours % 1.0
            upper = temp[min(lower + 1, len(temp) - 1)].astype("f8")
            field = (temp[lower] + weight * (upper - temp[lower])).astype("f4")
            around = np.pad(np.pad(field, [(0, 0), (1, 1), (0, 0)]), [(0, 0), (0, 0), (2, 1)], mode="wrap")
            for box in reversed(range(most)):
                if box >= len(own):
                    before.get_at("temp", hours * 3600.0, np.empty((2, 0, 0), "f4"), box=box)
                    continue
                (j, i), (rows, columns) = own[box]
                if box % 2 == 0:
                    found = before.get_at("temp", hours * 3600.0, box=box)
                    wanted = around[:, j : j + rows + 2, i : i + columns + 3]
                else:
                    found = np.full((2, rows, columns), -1.0, "f4")[:, ::-1]
                    before.get_at("temp", hours * 3600.0, found, box=box)
                    wanted = field[:, j : j + rows, i : i + columns]
                assert np.array_equal(found, wanted), (hours, box, found, wanted)


def restore_all(
    io: thalweg.Session, cells: thalweg.Decomposition, own: list[tuple[tuple[int, int], tuple[int, int]]], most: int
) -> None:
    """Restores the last record, and puts what it got twice into state.nc."""
    state = io.collection("state", "{file: state.nc, every: on-demand}")
    state.define_dimension("z", 2)
    state.define_variable("temp", "time,z,y,x", np.float32, cells, memory_dims="x,z,y")
    state.define_variable("depth", "y,x", np.int16, cells)
    none = np.zeros(0, "f4")
    refused(thalweg.Code.ARGUMENT, "there is no box -1", lambda: state.register_array("temp", none, box=-1))
    arrays = []
    for box in range(most):
        rows, columns = own[box][1] if box < len(own) else (0, 0)
        temp = np.full((columns + 3, 2, rows + 2) if box < len(own) else (0, 2, 0), -7.0, "f4")
        depth = np.full((rows, columns), -7, "i2")
        arrays.append((temp, depth))
        if box == most - 1:
            refused(thalweg.Code.ARGUMENT, "arrays, into which it could be got", lambda: state.restore("input.nc"))
        state.register_array("depth", depth, box=box)
        state.register_array("temp", temp, box=box)
    if own:
        more = np.zeros((3, 2, 3), "f4")
        refused(
            thalweg.Code.ARGUMENT,
            f"there is an array for box {len(own)}, but this rank declared {len(own)}",
            lambda: state.register_array("temp", more, box=len(own)),
        )
    assert state.restore("input.nc") == 3 * 3600.0
    with netCDF4.Dataset("input.nc") as file:
        temp, depth = np.asarray(file["temp"][-1]), np.asarray(file["depth"])
    around = np.pad(temp, [(0, 0), (1, 1), (2, 1)], constant_values=-7.0)
    for ((j, i), (rows, columns)), (found, deep) in zip(own, arrays, strict=False):
        wanted = around[:, j : j + rows + 2, i : i + columns + 3].transpose(2, 0, 1)
        assert found.tobytes() == np.ascontiguousarray(wanted).tobytes(), (found, wanted)
        assert np.array_equal(deep, depth[j : j + rows, i : i + columns])
    for record in range(2):
        state.put_arrays()
        state.record(record + 1.0)


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
        get_all(before, own, most)
    between_all(io, cells, own, most)
    restore_all(io, cells, own, most)


with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        main(io)
