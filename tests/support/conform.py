"""What tests/programs/conform.cpp writes, said a second time: variables, decompositions, land, attributes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import netCDF4
import numpy as np
from numpy.typing import NDArray
from support import checksums, formula, fortran_file
from support.stores import open_store

ALL_TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
             "char"]  # fmt: skip
CLASSIC_TYPES = ["int8", "int16", "int32", "float32", "float64", "char"]
STEP_S = 3600.0
MASKED_MODES = ("mask", "barren")
FILL = {"temp": np.float32(-1e30), "flags": np.int16(-99)}
CELLS, CORNERS = ("y", "x"), ("yc", "xc")
SHAPES = {1: (97,), 2: (19, 13), 3: (7, 9, 11), 4: (5, 6, 7, 4), 5: (4, 3, 5, 2, 6)}


def types_of(format_name: str) -> list[str]:
    return CLASSIC_TYPES if format_name in ("cdf1", "cdf2", "netcdf4-classic") else ALL_TYPES


@dataclass(frozen=True)
class Variable:
    type: str
    dims: tuple[str, ...]
    has_record: bool = True
    memory_type: str = ""
    decomposed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """The variables of a collection and the sizes of their dimensions."""

    sizes: dict[str, int]
    variables: dict[str, Variable]


def fields(format_name: str, ny: int = 61, nx: int = 83) -> Content:
    """In the order in which the program defines them."""
    volume = ("z", "y", "x")
    fixed = {
        "area": Variable("float64", CELLS, False, decomposed=CELLS),
        "corner_angle": Variable("float32", CORNERS, False, "float64", CORNERS),
        "z": Variable("float64", ("z",), False),
    }
    typed = {f"as_{name}": Variable(name, CELLS, decomposed=CELLS) for name in types_of(format_name)}
    named = {
        "temp": Variable("float32", volume, True, "float64", CELLS),
        "salt": Variable("float64", volume, decomposed=CELLS),
        "widened": Variable("float64", volume, True, "float32", CELLS),
        "section": Variable("float32", volume, decomposed=CELLS),
        "backwards": Variable("float64", volume, decomposed=CELLS),
        "level_last": Variable("float32", ("y", "x", "z"), True, "float64", CELLS),
        "vorticity": Variable("float64", CORNERS, decomposed=CORNERS),
        "flags": Variable("int16", CORNERS, decomposed=CORNERS),
        "profile": Variable("float32", ("z",), True, "float64"),
        "total": Variable("float64", ()),
        "count": Variable("int32", ()),
    }
    return Content({"z": 7, "y": ny, "x": nx, "yc": ny + 1, "xc": nx + 1}, fixed | typed | named)


def shapes() -> Content:
    sizes: dict[str, int] = {}
    variables: dict[str, Variable] = {}
    types = ("int32", "float32", "float64", "int16", "int8")
    for rank, shape in SHAPES.items():
        dims = tuple(f"{'abcde'[rank - 1]}{d}" for d in range(rank))
        sizes |= dict(zip(dims, shape, strict=True))
        variables[f"v{rank}"] = Variable(types[rank - 1], dims, decomposed=dims)
        variables[f"v{rank}_fixed"] = Variable("float32", dims, False, "float64", dims)
    return Content(sizes, variables)


def small(ny: int, nx: int) -> Content:
    scalars = {name: Variable("float64", ()) for name in ("mean", "least", "most")}
    return Content({"y": ny, "x": nx}, {"ssh": Variable("float32", CELLS, True, "float64", CELLS)} | scalars)


def square(ny: int, nx: int) -> Content:
    variables = {
        "plane": Variable("float32", CELLS, True, "float64", CELLS),
        "covariance": Variable("float64", ("x", "x")),
        "tensor": Variable("float32", ("x", "y", "x"), False, "float64"),
    }
    return Content({"y": ny, "x": nx}, variables)


def region(ny: int, nx: int) -> Content:
    cells = ("yr", "xr")
    variables = {
        "depth": Variable("float64", cells, False, decomposed=cells),
        "speed": Variable("float32", ("z", *cells), True, "float64", cells),
        "height": Variable("float64", cells, decomposed=cells),
    }
    return Content({"z": 7, "yr": ny // 3, "xr": nx // 3}, variables)


def many(count: int, ny: int, nx: int) -> Content:
    types = ("float32", "float64")
    variables = {f"m{i}": Variable(types[i % 2], CELLS, i % 10 != 9, decomposed=CELLS) for i in range(count)}
    return Content({"y": ny, "x": nx}, variables)


def is_land(mode: str, shape: tuple[int, ...], start: int, number: int) -> bool:
    beyond_the_coast = mode == "barren" and 3 * start >= shape[0]
    return beyond_the_coast or int(formula.mix(np.array([number], dtype=np.uint64))[0]) % 3 == 0


@cache
def land_of(mode: str, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The cells of an index space that no rank holds."""
    land = np.zeros(shape, dtype=bool)
    if mode not in MASKED_MODES:
        return land
    parts = [min(cells, 4 if d < 2 else 2) for d, cells in enumerate(shape)]
    edges = [[cells * i // count for i in range(count + 1)] for cells, count in zip(shape, parts, strict=True)]
    for number, block in enumerate(product(*(range(count) for count in parts))):
        if is_land(mode, shape, edges[0][block[0]], number):
            land[tuple(slice(along[i], along[i + 1]) for along, i in zip(edges, block, strict=True))] = True
    return land


def fill_of(name: str, type_name: str) -> np.generic:
    if type_name in ("char", "|S1"):
        return np.bytes_(b"\0")
    code = np.dtype(type_name).str[1:]
    return FILL.get(name, np.dtype(type_name).type(netCDF4.default_fillvals[code]))


@cache
def holes_of(mode: str, shape: tuple[int, ...], places: tuple[int, ...]) -> NDArray[np.bool_]:
    """Land is known along the decomposed dimensions, which are in these places, and the same along all others."""
    others = [d for d in range(len(shape)) if d not in places]
    holes = np.empty(shape, dtype=bool)
    np.moveaxis(holes, (*others, *places), range(len(shape)))[...] = land_of(mode, tuple(shape[d] for d in places))
    return holes


def expected(name: str, content: Content, mode: str, step: formula.Steps) -> NDArray:
    """All values of one step, holes included; of several, along a dimension before all others."""
    variable = content.variables[name]
    shape = tuple(content.sizes[dim] for dim in variable.dims)
    step = step if variable.has_record else 0
    values = formula.values(name, step, shape, variable.type, variable.memory_type)
    if mode not in MASKED_MODES or not variable.decomposed:
        return values
    places = tuple(variable.dims.index(dim) for dim in variable.decomposed)
    values = values.copy()
    values[..., holes_of(mode, shape, places)] = fill_of(name, variable.type)
    return values


def require(name: str, found: NDArray, content: Content, mode: str, steps: list[int]) -> None:
    """That all values of a variable are those of the model; of which record not, the error says."""
    has_record = content.variables[name].has_record
    wanted = expected(name, content, mode, tuple(steps) if has_record else 0)
    if same_bits(found, wanted):
        return
    assert len(found) == len(wanted), f"{name}: {len(found)} in place of {len(wanted)}"
    for step, one, other in zip(steps, found, wanted, strict=True) if has_record else [(0, found, wanted)]:
        assert same_bits(one, other), f"{name}, step {step}: {differences(np.asarray(one), np.asarray(other))}"
    raise AssertionError(f"{name}: {differences(found, wanted)}")


def same_bits(one: NDArray, other: NDArray) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def differences(one: NDArray, other: NDArray) -> str:
    if one.dtype != other.dtype or one.shape != other.shape:
        return f"{one.dtype}{one.shape} in place of {other.dtype}{other.shape}"
    places = np.argwhere(np.asarray(one != other))
    if len(places) == 0:
        return "other bits of equal values"
    first = tuple(int(i) for i in places[0])
    return f"{len(places)} of {one.size} differ, first at {first}: {one[first]} in place of {other[first]}"


def native(values: NDArray) -> NDArray:
    return np.asarray(values).astype(np.asarray(values).dtype.newbyteorder("="))


def read(dataset: netCDF4.Dataset, name: str) -> NDArray:
    return native(dataset[name][...])


def zarrs_reads() -> AbstractContextManager[object]:
    """In place of zarr-python, which takes ten times as long for shards."""
    import zarr
    import zarrs  # noqa: F401 (it registers itself)

    return zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"})


def of_records(content: Content) -> set[str]:
    return {"time"} | {name for name, variable in content.variables.items() if variable.has_record}


def check_store(path: Path, content: Content, steps: list[int], mode: str = "block", attributes: bool = False) -> None:
    """Every dimension, variable and value of a Zarr store, bit for bit."""
    group = open_store(path)
    assert set(group.array_keys()) == set(content.variables) | {"time"}
    times = np.asarray(group["time"][...])
    assert same_bits(times, np.array([STEP_S * step for step in steps])), path.name
    arrays = {"time": times}
    for name, variable in content.variables.items():
        array = group[name]
        dims = (("time",) if variable.has_record else ()) + variable.dims
        assert tuple(array.metadata.dimension_names or ()) == dims, name
        assert array.dtype == formula.dtype_of(variable.type), name
        arrays[name] = native(np.asarray(array[...]))
        require(name, arrays[name], content, mode, steps)
    checksums.check(path, arrays, of_records(content))
    if attributes:
        assert group.attrs["title"] == "Conformance: every value can be computed again"
        assert group["temp"].attrs["long_name"] == "potential temperature θ"
        assert group["salt"].attrs["letters"] == "abc"
        assert (group["salt"].attrs["nothing"], group.attrs["nothing"]) == ("", [])
        for type_name in numbers_of(content):
            wanted = formula.values("attribute", 0, (3,), type_name)
            for owner in (group, group["salt"]):
                assert same_bits(np.array(owner.attrs[f"a_{type_name}"], dtype=wanted.dtype), wanted), type_name


def check_file(path: Path, content: Content, steps: list[int], mode: str = "block", attributes: bool = False) -> None:
    """Every dimension, variable and value of a file, bit for bit."""
    if path.is_dir():
        return check_store(path, content, steps, mode, attributes)
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        sizes = {name: len(dimension) for name, dimension in dataset.dimensions.items()}
        assert sizes == content.sizes | {"time": len(steps)}
        assert dataset.dimensions["time"].isunlimited()
        assert set(dataset.variables) == set(content.variables) | {"time"}
        times = np.array([STEP_S * step for step in steps])
        assert same_bits(read(dataset, "time"), times), f"{path.name}: time {dataset['time'][...]}"
        arrays = {"time": times}
        for name, variable in content.variables.items():
            arrays[name] = check_variable(dataset, name, variable, content, mode, steps)
        checksums.check(path, arrays, of_records(content))
        if attributes:
            check_attributes(dataset, content)


def check_variable(
    dataset: netCDF4.Dataset, name: str, variable: Variable, content: Content, mode: str, steps: list[int]
) -> NDArray:
    stored = dataset[name]
    assert stored.dimensions == (("time",) if variable.has_record else ()) + variable.dims, name
    assert stored.dtype.newbyteorder("=") == formula.dtype_of(variable.type), name
    values = read(dataset, name)
    require(name, values, content, mode, steps)
    return values


def check_fortran_file(path: Path, content: Content, steps: list[int], mode: str = "block") -> None:
    """Every value of a Fortran unformatted file, bit for bit, and nothing else in it."""
    kinds = {
        name: (of.type, tuple(content.sizes[dim] for dim in of.dims), of.has_record)
        for name, of in content.variables.items()
    } | {"time": ("float64", (), True)}
    by_record = [{n: kind[:2] for n, kind in kinds.items() if kind[2] == wanted} for wanted in (False, True)]
    fixed, records = fortran_file.read(path, *by_record)
    assert len(records) == len(steps)
    data = path.read_bytes()
    assert fortran_file.length_of(data) == len(data), f"{path.name} ends in no whole array"
    for name, found in fixed.items():
        wanted = expected(name, content, mode, 0)
        assert same_bits(native(found), wanted), f"{name}: {differences(found, wanted)}"
    for step, record in zip(steps, records, strict=True):
        for name, found in record.items():
            wanted = np.array(STEP_S * step) if name == "time" else expected(name, content, mode, step)
            assert same_bits(native(found), wanted), f"{name}, step {step}: {differences(found, wanted)}"
    arrays = fixed | {name: np.stack([record[name] for record in records]) for name in by_record[1]}
    checksums.check(path, {name: native(values) for name, values in arrays.items()}, by_record[1])


def numbers_of(content: Content) -> list[str]:
    """The types of numbers, of which there are attributes."""
    types = [name.removeprefix("as_") for name in content.variables if name.startswith("as_")]
    return [name for name in types if name != "char"]


def check_attributes(dataset: netCDF4.Dataset, content: Content) -> None:
    assert dataset.title == "Conformance: every value can be computed again"
    assert dataset["temp"].long_name == "potential temperature θ"
    assert dataset["temp"].units == "degC"
    assert dataset["time"].units == "seconds since 2000-01-01 00:00:00"
    assert dataset["salt"].letters == "abc"
    assert dataset["salt"].nothing == ""
    nothing = np.asarray(dataset.nothing)
    assert nothing.size == 0 and nothing.dtype == np.int16
    for owner in (dataset, dataset["salt"]):
        for type_name in numbers_of(content):
            found = native(owner.getncattr(f"a_{type_name}"))
            wanted = formula.values("attribute", 0, (3,), type_name)
            assert same_bits(found, wanted), f"a_{type_name}: {found} in place of {wanted}"
    for name, fill in FILL.items():
        assert native(dataset[name].getncattr("_FillValue")) == fill
