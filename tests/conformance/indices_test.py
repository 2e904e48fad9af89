# ctest: LABELS mpi TIMEOUT 600 ALL 600
"""Decompositions by index lists: whatever the maps, the ranks, the nodes and the format, the file holds every value bit
for bit, and the values of copies are never seen."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import netCDF4
import pytest
import zarr
from support import mpi
from support.batch import CONFIGURATION, Batch, Job
from support.indices import VARIABLES, Mesh, check_file, holders

SHAPE, AGREEMENT = 4, 6
FORMATS = ("cdf5", "netcdf4")
WRITERS = ("sync", "thread")
MEANS = (1, 10, 100)
# Chunks that divide no dimension, and runs that cross them. 'flux' has chunks of its own along its points.
CUT = "chunks: {cell: 37, edge: 101, node: 64, lev: 2, four: 3}, variables: {flux: {chunks: {edge: 53}}}"
CHUNKED = {
    "netcdf4-chunks": f"netcdf4, {CUT}",
    "netcdf4-zstd": f"netcdf4, {CUT}, compression: {{codec: zstd}}",
    "netcdf4-zstd-whole": "netcdf4, compression: {codec: zstd}",
    "zarr": f"zarr, {CUT}",
    "zarr-zstd": f"zarr, {CUT}, compression: {{codec: zstd}}",
    "zarr-sharded": f"zarr, {CUT}, sharding: true",
    "zarr-sharded-zstd": f"zarr, {CUT}, sharding: true, compression: {{codec: zstd}}",
}
BY_LIBRARY = {
    "cdf5-library": "cdf5, engine: library",
    "cdf5-library-nonblocking": "cdf5, engine: library, library-calls: nonblocking",
    "netcdf4-library": f"netcdf4, engine: library, {CUT}",
}
# ranks, emulated nodes
PLACES = ((1, "none"), (2, "2"), (4, "none"), (4, "2"), (4, "4"), (4, "[1, 3]"))


@dataclass(frozen=True)
class Case:
    """How a mesh is written, and where."""

    mesh: Mesh
    ranks: int
    nodes: str
    format: str
    writers: str = "thread"
    owner: str = "error"
    layout: str = "auto"
    pattern: str = "shared"
    ahead: str = "3"  # all records: memory for 256 of them takes longer to make than all else

    def configuration(self) -> str:
        place = f"pattern: {self.pattern}, layout: {self.layout}, records-ahead: {self.ahead}"
        mesh = f"{{file: mesh.nc, format: {self.format}, {place}}}"
        return (
            f"writers: {self.writers}\nreport: none\nprofile: profile.json\nemulate-nodes: {self.nodes}\n"
            f"owner: {self.owner}\ncollections:\n  mesh: {mesh}\n"
        )

    @property
    def job(self) -> Job:
        return Job("indices", self.ranks, self.configuration(), tuple(self.mesh.words()))

    def __str__(self) -> str:
        mesh = "-".join(f"{name}={value}" for name, value in vars(self.mesh).items() if value != getattr(Mesh, name))
        others = (self.ranks, self.nodes, NAME_OF.get(self.format, self.format), self.writers, self.owner, self.layout)
        return "-".join(map(str, (mesh, *others)))


NAME_OF = {text: name for name, text in (CHUNKED | BY_LIBRARY).items()}


def of_cases(cases: Iterable[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", list(cases), ids=str)


def check(batch: Batch, case: Case) -> None:
    check_file(batch.made(case.job) / "mesh.nc", case.mesh, case.ranks)


@pytest.mark.by_turns(2)
@of_cases(
    Case(Mesh(points=700, mean=mean), *place, format_name, WRITERS[(p + m) % 2])
    for (p, place), (m, mean), format_name in product(enumerate(PLACES), enumerate(MEANS), FORMATS)
)
def test_values_are_right(case: Case, batch: Batch) -> None:
    check(batch, case)


@of_cases(Case(Mesh(mean=3, holes=True), 4, "2", *how) for how in product(FORMATS, WRITERS))
def test_holes_are_filled(case: Case, batch: Batch) -> None:
    check(batch, case)


@pytest.mark.by_turns(2)
@of_cases(
    Case(Mesh(mean=4, copies=True, holes=True), 4, nodes, format_name, owner="lowest-rank")
    for format_name, nodes in product(FORMATS, ("none", "2", "4"))
)
def test_the_lowest_rank_owns_what_several_list(case: Case, batch: Batch) -> None:
    check(batch, case)


@of_cases(Case(Mesh(empty=3), 4, "2", format_name) for format_name in FORMATS)
def test_ranks_may_hold_nothing(case: Case, batch: Batch) -> None:
    check(batch, case)


@of_cases(Case(Mesh(mean=5, holes=True), 4, "2", format_name, layout="[13]") for format_name in FORMATS)
def test_domains_may_be_many(case: Case, batch: Batch) -> None:
    check(batch, case)


@pytest.mark.by_turns(2)
@of_cases(
    Case(Mesh(points=701, mean=MEANS[p % 3]), *place, format_name, WRITERS[(p + c) % 2])
    for (p, place), (c, format_name) in product(enumerate(PLACES), enumerate(CHUNKED.values()))
)
def test_values_in_chunks_are_right(case: Case, batch: Batch) -> None:
    check(batch, case)


@pytest.mark.by_turns(2)
@of_cases(
    Case(Mesh(mean=3, holes=True, copies=True), 4, nodes, format_name, owner="lowest-rank")
    for nodes, format_name in product(("none", "2"), CHUNKED.values())
)
def test_holes_in_chunks_are_filled(case: Case, batch: Batch) -> None:
    check(batch, case)


@pytest.mark.by_turns(2)
@of_cases(Case(Mesh(mean=60, holes=True), 4, "2", format_name, layout="[7]") for format_name in CHUNKED.values())
def test_chunks_without_points_are_filled(case: Case, batch: Batch) -> None:
    """Holes that hold whole chunks, and domains that nobody feeds."""
    assert (holders(case.mesh, "node", 4)[174:256] < 0).all()  # the fourth of seven domains, with any of the chunks
    check(batch, case)


@pytest.mark.by_turns(2)
@of_cases(Case(Mesh(mean=6, missing=True), 4, "2", format_name) for format_name in CHUNKED.values())
def test_what_a_rank_does_not_put_is_filled_in_chunks(case: Case, batch: Batch) -> None:
    check(batch, case)


def test_chunks_are_those_that_are_asked_for(batch: Batch) -> None:
    of_netcdf, of_zarr = (Case(Mesh(), 2, "2", CHUNKED[name]) for name in ("netcdf4-zstd", "zarr-sharded-zstd"))
    check(batch, of_netcdf)
    check(batch, of_zarr)
    group = zarr.open_group(batch.made(of_zarr.job) / "mesh.nc", mode="r")
    wanted = {"temp": (1, 2, 37), "tracer": (1, 37, 2), "flux": (1, 2, 53), "face_nodes": (37, 3), "vorticity": (1, 64)}
    with netCDF4.Dataset(batch.made(of_netcdf.job) / "mesh.nc") as dataset:
        for name, chunk in wanted.items():
            assert tuple(dataset[name].chunking()) == chunk
            assert dataset[name].filters()["zstd"]
            assert group[name].chunks == chunk
            assert group[name].shards is not None


@of_cases(Case(Mesh(mean=6, missing=True), 4, nodes, "cdf5") for nodes in ("none", "2"))
def test_what_a_rank_does_not_put_is_filled_at_its_points(case: Case, batch: Batch) -> None:
    check(batch, case)


@of_cases(
    Case(Mesh(mean=6, holes=True, copies=True, missing=True), 4, "2", format_name, owner="lowest-rank", layout=layout)
    for format_name, layout in product(BY_LIBRARY.values(), ("auto", "[13]"))
)
def test_libraries_write_values_and_holes(case: Case, batch: Batch) -> None:
    check(batch, case)


@of_cases([Case(Mesh(points=40000, mean=3000, levels=3, records=2), 4, "2", "cdf5")])
def test_long_runs_on_a_large_mesh(case: Case, batch: Batch) -> None:
    """Runs that are copied as boxes, and records that are written past the page cache."""
    check(batch, case)


@of_cases([Case(Mesh(), 4, "2", "cdf5")])
def test_a_map_is_planned_once_for_all_its_variables(case: Case, batch: Batch) -> None:
    """Eleven variables over three maps make three plans."""
    check(batch, case)
    profile = json.loads((batch.made(case.job) / "profile.json").read_text())
    assert len(VARIABLES) == 11
    assert [rank["client"]["plans"] for rank in profile["ranks"]] == [3] * 4


# ---- bad input: every rank gets the same error where the list is declared


def refusals(folder: Path, mesh: Mesh, ranks: int, *words: str, owner: str = "error") -> list[tuple[int, str]]:
    refused = Case(mesh, ranks, "2", "cdf5", "sync", owner)
    replace(refused.job, words=(*mesh.words(), "refused=1", *words)).run(folder)
    lines = [json.loads((folder / f"rank{rank}.jsonl").read_text()) for rank in range(ranks)]
    return [(line["code"], line["text"]) for line in lines]


def assert_all(found: list[tuple[int, str]], code: int, *parts: str) -> None:
    assert {one for one, _ in found} == {code}
    assert len({text for _, text in found}) == 1
    for part in parts:
        assert part in found[0][1], found[0][1]


def test_an_index_that_is_too_large_names_rank_position_and_value(tmp_path: Path) -> None:
    found = refusals(tmp_path, Mesh(), 4, "bad=range")
    assert_all(found, SHAPE, "'cell'", "rank 1", "global index 503", "position 5", "500 points")


@pytest.mark.parametrize("ranks", [2, 4])
def test_a_point_of_two_ranks_names_both(ranks: int, tmp_path: Path) -> None:
    found = refusals(tmp_path, Mesh(mean=1, copies=True), ranks)
    assert_all(found, AGREEMENT, "'cell'", "rank", "point", "more point", "owner: lowest-rank")


def test_a_point_that_a_rank_lists_twice_names_both_positions(tmp_path: Path) -> None:
    found = refusals(tmp_path, Mesh(mean=1), 4, "bad=twice")
    assert_all(found, AGREEMENT, "rank 1 lists point", "twice", "positions 1 and 5 (counted from 0); list")


def test_holes_that_are_not_intended_name_a_point(tmp_path: Path) -> None:
    found = refusals(tmp_path, Mesh(holes=True), 4, "masked=0")
    assert_all(found, AGREEMENT, "no rank lists", "first of them", "masked")


@pytest.mark.parametrize("pattern", ["per-domain", "per-rank"])
def test_sets_of_files_are_refused(pattern: str, tmp_path: Path) -> None:
    words = Case(Mesh(), 4, "2", "netcdf4", pattern=pattern).job.prepare(tmp_path)
    done = mpi.start("indices", 4, tmp_path, *words, limit_s=30)
    assert done.returncode not in (0, 124)
    for part in (f"collection 'mesh': pattern '{pattern}'", "(cell) is decomposed by index lists", "pattern: shared"):
        assert part in done.stderr, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [CONFIGURATION]


@of_cases(
    Case(Mesh(copies=True), 2, "none", format_name, owner="lowest-rank") for format_name in ("cdf5", CHUNKED["zarr"])
)
def test_a_wrong_value_is_noticed(case: Case, batch: Batch) -> None:
    """The check itself can fail: copies are told from the points that are written."""
    check(batch, case)
    with pytest.raises(AssertionError, match="differ"):
        check_file(batch.made(case.job) / "mesh.nc", Mesh(copies=True, holes=True), 2)
