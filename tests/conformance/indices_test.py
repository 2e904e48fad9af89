# ctest: LABELS mpi TIMEOUT 600
"""Decompositions by index lists: whatever the maps, the ranks, the nodes and the format, the file holds every value bit
for bit, and the values of copies are never seen."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import netCDF4
import pytest
import zarr
from support import mpi
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


def configure(
    folder: Path,
    format_name: str,
    writers: str,
    nodes: str,
    owner: str,
    layout: str = "auto",
    pattern: str = "shared",
) -> str:
    (folder / "mesh.yaml").write_text(
        f"writers: {writers}\nreport: none\nprofile: profile.json\nemulate-nodes: {nodes}\nowner: {owner}\n"
        f"collections:\n  mesh: {{file: mesh.nc, format: {format_name}, pattern: {pattern}, layout: {layout}}}\n"
    )
    return "mesh.yaml"


def write(
    folder: Path, mesh: Mesh, ranks: int, nodes: str, format_name: str, writers: str = "thread", **settings: str
) -> None:
    config = configure(folder, format_name, writers, nodes, settings.pop("owner", "error"), **settings)
    mpi.run("indices", ranks, folder, config, *mesh.words())
    check_file(folder / "mesh.nc", mesh, ranks)


@pytest.mark.parametrize(("place", "mean", "format_name"), list(product(PLACES, MEANS, FORMATS)), ids=str)
def test_values_are_right(place: tuple[int, str], mean: int, format_name: str, tmp_path: Path) -> None:
    writers = WRITERS[(PLACES.index(place) + MEANS.index(mean)) % 2]
    write(tmp_path, Mesh(points=700, mean=mean), *place, format_name, writers)


@pytest.mark.parametrize(("format_name", "writers"), list(product(FORMATS, WRITERS)))
def test_holes_are_filled(format_name: str, writers: str, tmp_path: Path) -> None:
    write(tmp_path, Mesh(mean=3, holes=True), 4, "2", format_name, writers)


@pytest.mark.parametrize(("format_name", "nodes"), list(product(FORMATS, ("none", "2", "4"))))
def test_the_lowest_rank_owns_what_several_list(format_name: str, nodes: str, tmp_path: Path) -> None:
    mesh = Mesh(mean=4, copies=True, holes=True)
    write(tmp_path, mesh, 4, nodes, format_name, owner="lowest-rank")


@pytest.mark.parametrize("format_name", FORMATS)
def test_ranks_may_hold_nothing(format_name: str, tmp_path: Path) -> None:
    write(tmp_path, Mesh(empty=3), 4, "2", format_name)


@pytest.mark.parametrize("format_name", FORMATS)
def test_domains_may_be_many(format_name: str, tmp_path: Path) -> None:
    write(tmp_path, Mesh(mean=5, holes=True), 4, "2", format_name, layout="[13]")


@pytest.mark.parametrize(("place", "name"), list(product(PLACES, CHUNKED)), ids=str)
def test_values_in_chunks_are_right(place: tuple[int, str], name: str, tmp_path: Path) -> None:
    writers = WRITERS[(PLACES.index(place) + list(CHUNKED).index(name)) % 2]
    write(tmp_path, Mesh(points=701, mean=MEANS[PLACES.index(place) % 3]), *place, CHUNKED[name], writers)


@pytest.mark.parametrize(("nodes", "name"), list(product(("none", "2"), CHUNKED)))
def test_holes_in_chunks_are_filled(nodes: str, name: str, tmp_path: Path) -> None:
    write(tmp_path, Mesh(mean=3, holes=True, copies=True), 4, nodes, CHUNKED[name], owner="lowest-rank")


@pytest.mark.parametrize("name", CHUNKED)
def test_chunks_without_points_are_filled(name: str, tmp_path: Path) -> None:
    """Holes that hold whole chunks, and domains that nobody feeds."""
    mesh = Mesh(mean=60, holes=True)
    assert (holders(mesh, "node", 4)[174:256] < 0).all()  # the fourth of seven domains, with any of the chunks
    write(tmp_path, mesh, 4, "2", CHUNKED[name], layout="[7]")


@pytest.mark.parametrize("name", CHUNKED)
def test_what_a_rank_does_not_put_is_filled_in_chunks(name: str, tmp_path: Path) -> None:
    write(tmp_path, Mesh(mean=6, missing=True), 4, "2", CHUNKED[name])


def test_chunks_are_those_that_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "nc").mkdir()
    (tmp_path / "zarr").mkdir()
    write(tmp_path / "nc", Mesh(), 2, "2", CHUNKED["netcdf4-zstd"])
    write(tmp_path / "zarr", Mesh(), 2, "2", CHUNKED["zarr-sharded-zstd"])
    group = zarr.open_group(tmp_path / "zarr" / "mesh.nc", mode="r")
    wanted = {"temp": (1, 2, 37), "tracer": (1, 37, 2), "flux": (1, 2, 53), "face_nodes": (37, 3), "vorticity": (1, 64)}
    with netCDF4.Dataset(tmp_path / "nc" / "mesh.nc") as dataset:
        for name, chunk in wanted.items():
            assert tuple(dataset[name].chunking()) == chunk
            assert dataset[name].filters()["zstd"]
            assert group[name].chunks == chunk
            assert group[name].shards is not None


@pytest.mark.parametrize("nodes", ["none", "2"])
def test_what_a_rank_does_not_put_is_filled_at_its_points(nodes: str, tmp_path: Path) -> None:
    write(tmp_path, Mesh(mean=6, missing=True), 4, nodes, "cdf5")


@pytest.mark.parametrize(("name", "layout"), list(product(BY_LIBRARY, ("auto", "[13]"))))
def test_libraries_write_values_and_holes(name: str, layout: str, tmp_path: Path) -> None:
    mesh = Mesh(mean=6, holes=True, copies=True, missing=True)
    write(tmp_path, mesh, 4, "2", BY_LIBRARY[name], owner="lowest-rank", layout=layout)


def test_long_runs_on_a_large_mesh(tmp_path: Path) -> None:
    """Runs that are copied as boxes, and records that are written past the page cache."""
    write(tmp_path, Mesh(points=40000, mean=3000, levels=3, records=2), 4, "2", "cdf5")


def test_a_map_is_planned_once_for_all_its_variables(tmp_path: Path) -> None:
    """Eleven variables over three maps make three plans."""
    write(tmp_path, Mesh(), 4, "2", "cdf5")
    profile = json.loads((tmp_path / "profile.json").read_text())
    assert len(VARIABLES) == 11
    assert [rank["client"]["plans"] for rank in profile["ranks"]] == [3] * 4


# ---- bad input: every rank gets the same error where the list is declared


def refusals(folder: Path, mesh: Mesh, ranks: int, *words: str, owner: str = "error") -> list[tuple[int, str]]:
    config = configure(folder, "cdf5", "sync", "2", owner)
    mpi.run("indices", ranks, folder, config, *mesh.words(), "refused=1", *words)
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
    assert_all(found, AGREEMENT, "'cell'", "rank", "point", "more points", "owner: lowest-rank")


def test_a_point_that_a_rank_lists_twice_names_both_positions(tmp_path: Path) -> None:
    found = refusals(tmp_path, Mesh(mean=1), 4, "bad=twice")
    assert_all(found, AGREEMENT, "rank 1 lists point", "twice", "positions 1 and 5", "0 more points")


def test_holes_that_are_not_intended_name_a_point(tmp_path: Path) -> None:
    found = refusals(tmp_path, Mesh(holes=True), 4, "masked=0")
    assert_all(found, AGREEMENT, "no rank lists", "first of them", "masked")


@pytest.mark.parametrize("pattern", ["per-domain", "per-rank"])
def test_sets_of_files_are_refused(pattern: str, tmp_path: Path) -> None:
    config = configure(tmp_path, "netcdf4", "thread", "2", "error", pattern=pattern)
    done = mpi.start("indices", 4, tmp_path, config, *Mesh().words(), limit_s=30)
    assert done.returncode not in (0, 124)
    for part in (f"collection 'mesh': pattern '{pattern}'", "(cell) is decomposed by index lists", "pattern: shared"):
        assert part in done.stderr, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [config]


@pytest.mark.parametrize("format_name", ["cdf5", CHUNKED["zarr"]], ids=["cdf5", "zarr"])
def test_a_wrong_value_is_noticed(format_name: str, tmp_path: Path) -> None:
    """The check itself can fail: copies are told from the points that are written."""
    write(tmp_path, Mesh(copies=True), 2, "none", format_name, owner="lowest-rank")
    with pytest.raises(AssertionError, match="differ"):
        check_file(tmp_path / "mesh.nc", Mesh(copies=True, holes=True), 2)
