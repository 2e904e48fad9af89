"""The way that models without parallel output have: all fields go to rank 0, which writes them by netCDF4-python."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import netCDF4
import numpy as np
from numpy.typing import NDArray

from thalweg.cli.replay.cut import box_of
from thalweg.cli.replay.fields import Fields
from thalweg.cli.replay.plan import Plan, Planned
from thalweg.cli.replay.play import How, Timing
from thalweg.data import Dataset

if TYPE_CHECKING:
    from mpi4py import MPI

MODELS = {
    "cdf1": "NETCDF3_CLASSIC",
    "cdf2": "NETCDF3_64BIT_OFFSET",
    "cdf5": "NETCDF3_64BIT_DATA",
    "netcdf4": "NETCDF4",
    "netcdf4-classic": "NETCDF4_CLASSIC",
}
# Of others the way is that of netCDF-4.
OTHERS = "NETCDF4"
CODECS = {"deflate": ("zlib", 4), "zstd": ("zstd", 3)}


def play(
    comm: MPI.Comm, path: Path, kind: str, codec: dict[str, Any], dataset: Dataset, plan: Plan, how: How
) -> Timing:
    """codec: what 'createVariable' is told of compression."""
    timing = Timing()
    fields = Fields(plan, comm.Get_size(), comm.Get_rank())
    if how.keeps_all:
        fields.keep(range(plan.records))
    fixed = {planned.name: fields.read(planned, 0) for planned in fields.held(has_record=False)}
    root = comm.Get_rank() == 0
    file = create(path, kind, codec, dataset, plan) if root else None
    comm.Barrier()
    begin = time.perf_counter()
    write(comm, file, plan, fixed, None)
    if not plan.records:
        timing.stalls_s.append(time.perf_counter() - begin)
    for record in range(plan.records):
        began = time.perf_counter()
        pieces = {planned.name: fields.of(planned, record) for planned in fields.held(has_record=True)}
        timing.reading_s += time.perf_counter() - began
        time.sleep(how.step_s)
        began = time.perf_counter()
        write(comm, file, plan, pieces, record)
        timing.stalls_s.append(time.perf_counter() - began)
        how.told.step()
    closing = time.perf_counter()
    if file is not None:
        close(file, path)
    comm.Barrier()
    timing.finish_s = time.perf_counter() - closing
    timing.wall_s = time.perf_counter() - begin - timing.reading_s
    return timing


def create(path: Path, kind: str, codec: dict[str, Any], dataset: Dataset, plan: Plan) -> netCDF4.Dataset:
    file = netCDF4.Dataset(path, "w", format=MODELS.get(kind, OTHERS))  # type: ignore[arg-type]
    file.set_fill_off()
    for name, dim in plan.dims.items():
        if dim.size > 0 or name == plan.record:
            file.createDimension(name, None if name == plan.record else dim.size)
    for planned in plan.variables:
        dims = ((plan.record,) if planned.has_record and plan.record else ()) + planned.dims
        made = file.createVariable(planned.name, planned.source.dtype, dims, **(codec if dims else {}))
        made.set_auto_maskandscale(False)
    return file


def write(
    comm: MPI.Comm, file: netCDF4.Dataset | None, plan: Plan, pieces: dict[str, NDArray[Any]], record: int | None
) -> None:
    """Returns on all ranks when rank 0 has written, because the model's next exchange with it waits for that."""
    for planned in plan.variables:
        if planned.has_record == (record is not None):
            whole = gathered(comm, planned, pieces.get(planned.name))
            if file is not None:
                file[planned.name][... if record is None else record] = whole
    comm.Barrier()


def gathered(comm: MPI.Comm, planned: Planned, piece: NDArray[Any] | None) -> NDArray[Any] | None:
    """The whole field on rank 0."""
    if not planned.cut or comm.Get_size() == 1:
        return piece
    if comm.Get_rank() != 0:
        if piece is not None:
            comm.Send(np.ascontiguousarray(piece).view(np.uint8), dest=0)  # MPI has no type of characters for NumPy's
        return None
    whole = np.empty(planned.shape, planned.source.dtype)
    for rank in range(comm.Get_size()):
        box = box_of(planned.cut_shape, comm.Get_size(), rank)
        if box is None:
            continue
        place: list[slice] = [slice(None)] * len(planned.shape)
        for dim, start, count in zip(planned.cut, *box, strict=True):
            place[planned.dims.index(dim)] = slice(start, start + count)
        part = whole[tuple(place)]
        if rank == 0:
            part[...] = piece
        else:
            buffer = np.empty(part.shape, part.dtype)
            comm.Recv(buffer.view(np.uint8), source=rank)
            part[...] = buffer
    return whole


def close(file: netCDF4.Dataset, path: Path) -> None:
    """To stable storage, as Thalweg does before a file gets its name."""
    file.close()
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def codec_of(settings: list[str]) -> dict[str, Any]:
    """After the settings of Thalweg's run, as its profile has them."""
    said = dict(line.split(" (")[0].split(" = ", 1) for line in settings)
    before = "collections.replay.compression."
    if said.get(f"{before}codec") not in CODECS:
        return {}
    name, level = CODECS[said[f"{before}codec"]]
    chosen = said.get(f"{before}level", "auto")
    return {"compression": name, "complevel": level if chosen == "auto" else int(chosen)}
