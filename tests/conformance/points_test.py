# ctest: LABELS mpi TIMEOUT 300
"""Lists of the points of a grid: whatever the order, the land, the format and the writers, files have the grid's
dimensions and every value bit for bit."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import zarr
from numpy.typing import NDArray
from support import checksums, fortran_file, python
from support.conform import native, same_bits, zarrs_reads
from support.points import FIELDS, LEVELS, Points, expected

MAP = Points("lat,lon", (12, 19), land=True)
WHOLE = Points("lat,lon", (12, 19))
ROWS = Points("lat,lon", (12, 19), land=True, rows=True)
COPIES = Points("lat,lon", (12, 19), land=True, copies=True)
EMPTY = Points("lat,lon", (12, 19), empty=True)
TILES = Points("tile,y,x", (6, 8, 5), land=True)
VOLUME = Points("z,lat,lon", (2, 9, 7))
CHUNKS = {"lat": 5, "lev": 2}
SHARED = {"pattern": "shared"}
ZSTD = {"codec": "zstd"}
NODES = {"emulate-nodes": 2}


@dataclass(frozen=True)
class Case:
    name: str
    points: Points
    format: str
    settings: dict[str, Any] = field(default_factory=dict)  # of the collection
    session: dict[str, Any] = field(default_factory=dict)
    clients: int = 4
    boxes: bool = False
    records: tuple[tuple[int, int], ...] = ((1, 3),)  # of each run, one after the other

    def runs(self, folder: Path) -> list[dict[str, Any]]:
        land = {"file": "land.nc", "format": self.format, "every": "1 h", "records-ahead": 3} | self.settings
        session = {"time-step": "1 h", "report": "none", "writers": "thread"} | self.session
        runs = []
        for first, last in self.records:
            run: dict[str, Any] = {"folder": str(folder), "points": self.points.word(), "first": first, "last": last}
            run["configuration"] = session | {"collections": {"land": land}}
            if len(self.records) > 1:
                run["starts_at"] = first - 1
            if self.boxes:
                run["boxes"] = True
            if self.format == "user":
                run["procedure"] = True
            runs.append(run)
        return runs


CONTINUED = ((1, 2), (3, 3))
OWNER = {"owner": "lowest-rank"}
CASES = [
    Case("cdf5", MAP, "cdf5"),
    Case("cdf5-whole-sync", WHOLE, "cdf5", session={"writers": "sync"}),
    Case("cdf5-rows", ROWS, "cdf5"),
    Case("cdf5-boxes", ROWS, "cdf5", boxes=True),
    Case("cdf5-tiles", TILES, "cdf5", session=NODES),
    Case("cdf5-many-domains", MAP, "cdf5", {"layout": [11, 1], "pattern": "shared"}, NODES),
    Case("cdf2-copies", COPIES, "cdf2", session=OWNER),
    Case("cdf5-empty", EMPTY, "cdf5"),
    Case("cdf5-servers", MAP, "cdf5", session={"writers": {"ranks": 1}}, clients=3),
    Case("cdf5-server-nodes", COPIES, "cdf5", session=NODES | OWNER | {"writers": {"nodes": 1}}, clients=2),
    Case("cdf5-continued", MAP, "cdf5", {"append": "continue"}, records=CONTINUED),
    Case("cdf5-library", MAP, "cdf5", {"engine": "library", "pattern": "shared"}, NODES),
    Case("cdf5-library-layout", TILES, "cdf5", {"engine": "library", "pattern": "shared", "layout": [4, 1, 1]}, NODES),
    Case("netcdf4", MAP, "netcdf4"),
    Case("netcdf4-volume", VOLUME, "netcdf4", session=NODES),
    Case("netcdf4-chunks", MAP, "netcdf4", {"chunks": CHUNKS, "pattern": "shared"}, NODES),
    Case("netcdf4-parts-of-rows", TILES, "netcdf4", {"chunks": {"tile": 1, "y": 4}, "compression": ZSTD}, NODES),
    Case("netcdf4-zstd", COPIES, "netcdf4", {"compression": ZSTD, "chunks": CHUNKS} | SHARED, NODES | OWNER),
    Case("netcdf4-zstd-servers", MAP, "netcdf4", {"compression": ZSTD}, {"writers": {"ranks": 1}}, clients=3),
    Case("netcdf4-continued", TILES, "netcdf4", {"append": "continue", "compression": ZSTD}, records=CONTINUED),
    Case("netcdf4-library", MAP, "netcdf4", {"engine": "library", "pattern": "shared", "chunks": CHUNKS}, NODES),
    Case("zarr", MAP, "zarr"),
    Case("zarr-many-domains", TILES, "zarr", {"layout": [6, 1, 1], "pattern": "shared"}, NODES),
    Case("zarr-chunks", EMPTY, "zarr", {"chunks": CHUNKS, "compression": ZSTD, "pattern": "shared"}, NODES),
    Case("zarr-sharded", COPIES, "zarr", {"chunks": CHUNKS, "sharding": True, "pattern": "shared"}, NODES | OWNER),
    Case("zarr-server-nodes", VOLUME, "zarr", {"chunks": {"lat": 3}}, NODES | {"writers": {"nodes": 1}}, clients=2),
    Case("fortran", MAP, "fortran"),
    Case("user", TILES, "user", {"pattern": "shared"}, NODES),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All cases are made in one start of mpiexec, each in a folder of its name."""
    root = tmp_path_factory.mktemp("points")
    runs = []
    for case in CASES:
        (root / case.name).mkdir()
        runs += case.runs(root / case.name)
    (root / "runs.json").write_text(json.dumps(runs))
    done = python.start("points.py", 4, root, None, "runs.json", limit_s=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


def shapes_in(case: Case) -> dict[str, tuple[str, ...]]:
    return {name: tuple(case.points.dims_of(one).split(",")) for name, one in FIELDS.items()}


def of_netcdf(path: Path, case: Case) -> dict[str, NDArray[Any]]:
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        sizes = {name: len(dimension) for name, dimension in dataset.dimensions.items()}
        wanted = dict(zip(case.points.dims.split(","), case.points.shape, strict=True))
        assert sizes == wanted | {"time": case.records[-1][1], "lev": LEVELS}
        for name, dims in shapes_in(case).items():
            assert dataset[name].dimensions == dims
        return {name: native(dataset[name][...]) for name in dataset.variables}


def of_zarr(path: Path, case: Case) -> dict[str, NDArray[Any]]:
    with zarrs_reads():
        arrays = dict(zarr.open_group(path, mode="r").arrays())
        for name, dims in shapes_in(case).items():
            assert tuple(arrays[name].metadata.dimension_names or ()) == dims
        return {name: native(np.asarray(array[...])) for name, array in arrays.items()}


def of_fortran(path: Path, case: Case) -> dict[str, NDArray[Any]]:
    kinds: list[dict[str, fortran_file.Kind]] = [{}, {"time": ("f8", ())}]
    for name, one in FIELDS.items():
        kinds["time" in one.dims][name] = (one.dtype, expected(case.points, name, 0, case.clients).shape)
    of_records = {name: kinds[1][name] for name in (*(n for n in FIELDS if n in kinds[1]), "time")}
    fixed, records = fortran_file.read(path, kinds[0], of_records)
    return fixed | {name: np.stack([record[name] for record in records]) for name in of_records}


def of_procedure(path: Path, case: Case) -> dict[str, NDArray[Any]]:
    """What a callable got, put together by what it was told of each block."""
    found: dict[str, NDArray[Any]] = {}
    for part in sorted(path.parent.glob("blocks.*.pickle")):
        with part.open("rb") as file:
            while file.peek(1):
                variable, record, start, count, shape, data = pickle.load(file)
                has_record = variable == "time" or "time" in FIELDS[variable].dims
                shape = (case.records[-1][1], *shape) if has_record else shape
                whole = found.setdefault(variable, np.zeros(shape, data.dtype))
                where = tuple(slice(first, first + n) for first, n in zip(start, count, strict=True))
                whole[(record, *where) if has_record else where] = data
    return found


READERS = {"zarr": of_zarr, "fortran": of_fortran, "user": of_procedure}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_values_are_right(case: Case, folder: Path) -> None:
    path = folder / case.name / "land.nc"
    arrays = READERS.get(case.format, of_netcdf)(path, case)
    for name, one in FIELDS.items():
        has_record = "time" in one.dims
        for record in range(1, case.records[-1][1] + 1) if has_record else (0,):
            found = arrays[name][record - 1] if has_record else arrays[name]
            wanted = expected(case.points, name, record, case.clients)
            assert found.shape == wanted.shape
            assert same_bits(found, wanted), f"{name}, record {record}: {np.argwhere(found != wanted)[:5]}"
    if case.format != "user":
        checksums.check(path, arrays, {"time"} | {name for name, one in FIELDS.items() if "time" in one.dims})
        assert checksums.beside(path).exists()


def test_boxes_make_the_same_file(folder: Path) -> None:
    """Points in one order, so that a box is a run: what is written does not depend on how they were declared."""
    by_list, by_boxes = (folder / name for name in ("cdf5-rows", "cdf5-boxes"))
    assert (by_list / "land.nc").read_bytes() == (by_boxes / "land.nc").read_bytes()
    sums = [json.loads(checksums.beside(one / "land.nc").read_text()) for one in (by_list, by_boxes)]
    assert sums[0] == sums[1]


@cache
def chunks_in(path: Path) -> dict[str, tuple[int, ...]]:
    if path.is_dir():
        return {name: array.chunks for name, array in zarr.open_group(path, mode="r").arrays()}
    with netCDF4.Dataset(path) as dataset:
        chunked = {name: one for name, one in dataset.variables.items() if one.chunking() != "contiguous"}
        return {name: tuple(one.chunking()) for name, one in chunked.items()}


@pytest.mark.parametrize(
    ("name", "temp", "soil"),
    [
        ("netcdf4-chunks", (2, 5, 19), (5, 19, 2)),
        ("zarr-sharded", (2, 5, 19), (5, 19, 2)),
        ("netcdf4-parts-of-rows", (3, 1, 4, 5), (1, 4, 5, 3)),
    ],
)
def test_chunks_are_those_that_are_asked_for(
    name: str, temp: tuple[int, ...], soil: tuple[int, ...], folder: Path
) -> None:
    found = chunks_in(folder / name / "land.nc")
    assert (found["temp"][1:], found["soil"][1:]) == (temp, soil)
    if name == "zarr-sharded":
        shards = dict(zarr.open_group(folder / name / "land.nc", mode="r").arrays())["flux"].shards
        assert shards is not None
        assert shards[2] == 19


# ---- what cannot be is refused on all ranks, by name

REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str, list[str]]] = {
    "order": ({"dims": "time,lon,lat"}, {}, "SHAPE", ["variable 'more'", "(lon,lat)", "(lat,lon)", "in this order"]),
    "apart": ({"dims": "lat,lev,lon"}, {}, "SHAPE", ["variable 'more'", "next to each other"]),
    "one": ({"dims": "time,lat"}, {}, "SHAPE", ["variable 'more'", "lack 'lon', which its decomposition"]),
    "memory": ({"dims": "lev,lat,lon", "memory": "lat,lev,lon"}, {}, "SHAPE", ["'more'", "one dimension of the list"]),
    "chunks": ({}, {"format": "netcdf4", "chunks": {"lat": 4, "lon": 6}}, "CONFIG", ["(4, 6)", "'lat' alone"]),
    "layout": ({}, {"layout": [1, 2]} | SHARED, "CONFIG", ["layout [1, 2]", "'lat'", "give 1 for the others"]),
    "numbers": ({}, {"layout": [2]} | SHARED, "CONFIG", ["layout [2] has 1 numbers", "2 dimensions"]),
    "set": ({}, {"pattern": "per-rank"}, "CONFIG", ["(lat,lon) is decomposed by index lists", "pattern: shared"]),
    "size": ({"shape": [2**40, 2**40]}, {}, "SHAPE", ["'lat,lon'", "2^63"]),
    "large": ({"shape": [12, 18]}, {}, "SHAPE", ["'lat,lon'", "rank 0", "216 points"]),
    "twice": ({"dims_of_list": "lat,lat"}, {}, "NAME", ["(lat,lat)", "twice"]),
    "holes": ({"points": WHOLE.word() | {"leaves": 1}}, {}, "AGREEMENT", ["no rank lists 1 of", "at (0, 0)"]),
}


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("refusals")
    runs = []
    for name, (words, settings, _, _) in REFUSED.items():
        (root / name).mkdir()
        runs += [one | {"refused": True} | words for one in Case(name, MAP, "cdf5", settings).runs(root / name)]
    (root / "runs.json").write_text(json.dumps(runs))
    done = python.start("points.py", 2, root, None, "runs.json", limit_s=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name: str, refusals: Path) -> None:
    _, _, code, parts = REFUSED[name]
    told = json.loads((refusals / name / "refused.json").read_text())
    assert told[0] == code, told
    for part in parts:
        assert part in told[1], told


def test_a_wrong_value_is_noticed(folder: Path) -> None:
    """The check itself can fail: a point of one record is told from that of another, and sea from land."""
    flux = of_netcdf(folder / "cdf5" / "land.nc", CASES[0])["flux"][0]
    assert same_bits(flux, expected(MAP, "flux", 1, 4))
    assert not same_bits(flux, expected(MAP, "flux", 2, 4))
    assert not same_bits(flux, expected(WHOLE, "flux", 1, 4))
