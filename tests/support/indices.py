"""What tests/programs/indices.cpp writes, said a second time: variables, and the points that nobody holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import netCDF4
import numpy as np
import zarr
from numpy.typing import NDArray
from support import checksums, formula
from support.conform import differences, fill_of, native, same_bits, zarrs_reads

STEP_S = 3600.0


@dataclass(frozen=True)
class Mesh:
    points: int = 500
    mean: int = 10
    levels: int = 5
    records: int = 3
    holes: bool = False
    copies: bool = False
    empty: int = 0
    missing: bool = False

    def words(self) -> list[str]:
        """The options of the program."""
        return [f"{name}={int(value)}" for name, value in vars(self).items()]

    @property
    def sizes(self) -> dict[str, int]:
        return {
            "cell": self.points,
            "edge": 3 * self.points // 2,
            "node": 4 * self.points // 5,
            "lev": self.levels,
            "four": 4,
        }


@dataclass(frozen=True)
class Variable:
    type: str
    dims: tuple[str, ...]
    has_record: bool = True
    memory_type: str = ""


VARIABLES = {
    "face_nodes": Variable("int32", ("cell", "four"), False),
    "node_lon": Variable("float64", ("node",), False),
    "node_lat": Variable("float64", ("node",), False),
    "temp": Variable("float32", ("lev", "cell"), True, "float64"),
    "salt": Variable("float64", ("lev", "cell")),
    "tracer": Variable("float32", ("cell", "lev"), True, "float64"),
    "dye": Variable("float32", ("cell", "lev")),
    "widened": Variable("float64", ("cell", "lev"), True, "float32"),
    "flag": Variable("int16", ("cell",)),
    "flux": Variable("float32", ("lev", "edge")),
    "vorticity": Variable("float64", ("node",)),
}


def drawn(dim: str, what: str, count: int) -> NDArray[np.uint64]:
    return formula.mix(formula.seed_of(f"{dim} {what}") + np.arange(count, dtype=np.uint64))


@cache
def holders(mesh: Mesh, dim: str, ranks: int) -> NDArray[np.int64]:
    """The rank that holds each point; -1: nobody."""
    size = mesh.sizes[dim]
    lengths = 1 + (drawn(dim, "length", size) % np.uint64(2 * mesh.mean - 1)).astype(np.int64)
    holder = (drawn(dim, "holder", size) % np.uint64(max(1, ranks - mesh.empty))).astype(np.int64)
    if mesh.holes:
        holder[drawn(dim, "hole", size) % np.uint64(7) == 0] = -1
    runs = np.searchsorted(np.cumsum(lengths), size) + 1  # those behind them end beyond the mesh
    return np.repeat(holder[:runs], lengths[:runs])[:size]


def expected(mesh: Mesh, name: str, step: int, ranks: int) -> NDArray:
    variable = VARIABLES[name]
    shape = tuple(mesh.sizes[dim] for dim in variable.dims)
    values = formula.values(name, step, shape, variable.type, variable.memory_type).copy()
    place = next(i for i, dim in enumerate(variable.dims) if dim in ("cell", "edge", "node"))
    holder = holders(mesh, variable.dims[place], ranks)
    unwritten = holder < 0
    if mesh.missing and name == "flag" and step == 2:
        unwritten = unwritten | (holder == 1)
    np.moveaxis(values, place, 0)[unwritten] = fill_of(name, variable.type)
    return values


def check_file(path: Path, mesh: Mesh, ranks: int) -> None:
    """Every dimension, variable and value, bit for bit, and the checksums of what is read."""
    check_arrays(path, read_store(path) if path.is_dir() else read_file(path, mesh), mesh, ranks)


def read_file(path: Path, mesh: Mesh) -> dict[str, NDArray]:
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        sizes = {name: len(dimension) for name, dimension in dataset.dimensions.items()}
        assert sizes == mesh.sizes | {"time": mesh.records}
        assert dataset["mesh2d"].face_node_connectivity == "face_nodes"
        return {name: native(variable[...]) for name, variable in dataset.variables.items()}


def read_store(path: Path) -> dict[str, NDArray]:
    with zarrs_reads():
        arrays = dict(zarr.open_group(path, mode="r").arrays())
        for name, variable in VARIABLES.items():
            dims = (("time",) if variable.has_record else ()) + variable.dims
            assert tuple(arrays[name].metadata.dimension_names or ()) == dims, name
        return {name: native(np.asarray(array[...])) for name, array in arrays.items()}


def check_arrays(path: Path, arrays: dict[str, NDArray], mesh: Mesh, ranks: int) -> None:
    assert set(arrays) == set(VARIABLES) | {"time", "mesh2d"}
    for name in VARIABLES:
        check_values(name, arrays[name], mesh, ranks)
    assert checksums.beside(path).exists(), path.name
    checksums.check(path, arrays, {"time"} | {name for name, variable in VARIABLES.items() if variable.has_record})


def check_values(name: str, values: NDArray, mesh: Mesh, ranks: int) -> None:
    has_record = VARIABLES[name].has_record
    assert not has_record or len(values) == mesh.records, name
    for step in range(1, mesh.records + 1) if has_record else (0,):
        found = np.asarray(values[step - 1]) if has_record else values
        wanted = expected(mesh, name, step, ranks)
        assert same_bits(found, wanted), f"{name}, step {step}: {differences(found, wanted)}"
