# ctest: LABELS mpi TIMEOUT 300 ALL 900
"""One collection divided over several servers of a node (`servers`), or with records that go to the one that is idle:
all of them write, and the files hold what they hold with one. Formats, patterns, decompositions and places of servers
are in servers_test.py."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support import cases, conform, indices, mpi
from support.ways import of, ways

CLIENTS, SERVERS = 2, 2
TOP = "report: none\nprofile: profile.json\ndeadline: 30 s\ntime-step: 1 h\n"
WRITERS = f"{{ranks: {SERVERS}}}"
IDLE = f"{{ranks: {SERVERS}, assign: idle}}"
# What a collection says of 'servers', and the session of its writers.
WAYS = (("all", WRITERS), ("1", IDLE))
FORMATS = pytest.mark.parametrize("format_name", cases.FORMATS.values(), ids=cases.FORMATS)
SHAPE = (20, 24)
SMALL = conform.small(*SHAPE)


def write(
    folder: Path,
    program: str,
    collections: dict[str, str],
    *words: object,
    top: str = "",
    writers: str = WRITERS,
    **environment: str,
) -> str:
    """What the program said of itself."""
    lines = [f"  {name}: {{{settings}}}\n" for name, settings in collections.items()]
    (folder / "c.yaml").write_text(f"writers: {writers}\n{TOP}{top}" + "collections:\n" + "".join(lines))
    done = mpi.start(program, CLIENTS + SERVERS, folder, "c.yaml", *words, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def write_small(
    folder: Path,
    collections: dict[str, str],
    records: int,
    *words: object,
    shape: tuple[int, int] = SHAPE,
    top: str = "",
    writers: str = WRITERS,
    **environment: str,
) -> str:
    ny, nx = shape
    return write(folder, "conform", collections, f"collections={','.join(collections)}", f"shape={ny},{nx}",
                 f"records={records}", *words, top=top, writers=writers, **environment)  # fmt: skip


def bytes_of_servers(folder: Path) -> list[int]:
    ranks = json.loads((folder / "profile.json").read_text())["ranks"]
    writers = [rank["writer"] for rank in ranks if rank["is_server"]]
    assert len(writers) == SERVERS
    return [writer["direct_bytes"] + writer["buffered_bytes"] for writer in writers]


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("nodes", ["none", "[2, 2]"], ids=["one_node", "two_nodes"])
@pytest.mark.parametrize("assign", ["least-loaded", "idle"])
@pytest.mark.parametrize("place", ["thread", "sync"])
def test_ranks_of_the_model_share_the_writing(tmp_path: Path, nodes: str, assign: str, place: str) -> None:
    """Without servers several ranks of a node write: whole collections, I/O domains of one, or records of one."""
    collections = {
        f"small_{name}_{servers}": f"file: small_{name}_{servers}, format: {settings}, servers: {servers}"
        for name, settings in cases.FORMATS.items()
        for servers in ("1", "all")
    }
    write_small(tmp_path, collections, 4, writers=f"{{place: {place}, per-node: 2, assign: {assign}}}",
                top=f"emulate-nodes: {nodes}\n")  # fmt: skip
    for name in collections:
        conform.check_file(tmp_path / name, SMALL, list(range(1, 5)))
    ranks = json.loads((tmp_path / "profile.json").read_text())["ranks"]
    written = [rank["writer"]["direct_bytes"] + rank["writer"]["buffered_bytes"] for rank in ranks]
    writing = [0, 1] if nodes == "none" else [0, 1, 2, 3]
    assert [rank for rank, bytes_ in enumerate(written) if bytes_ > 0] == writing, written
    of_collections = [sum(one["file_bytes"] for one in rank["collections"]) for rank in ranks]
    assert of_collections == written
    raw_bytes = {name: sum(one["raw_bytes"] for rank in ranks for one in rank["collections"] if one["name"] == name)
                 for name in collections}  # fmt: skip
    values = 4 * (4 * SHAPE[0] * SHAPE[1] + 4 * 8)  # records of ssh, three scalars and the time
    for name, bytes_ in raw_bytes.items():
        has_whole_chunks = "zstd" in name or "shards" in name
        assert bytes_ > values if has_whole_chunks else bytes_ == values, name


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4", "zarr, chunks: {y: 20, x: 100}"])
@pytest.mark.parametrize(("servers", "is_divided"), [("1", False), ("2", True), ("all", True)])
def test_servers_share_the_bytes_of_a_collection(
    tmp_path: Path, format_name: str, servers: str, is_divided: bool
) -> None:
    """As evenly as I/O domains can be cut, which follow the boxes of the clients: one has two thirds of the rows."""
    shape = (400, 300)
    write_small(tmp_path, {"small": f"file: small.nc, format: {format_name}, servers: {servers}"}, 6, shape=shape)
    conform.check_file(tmp_path / "small.nc", conform.small(*shape), list(range(1, 7)))
    written = bytes_of_servers(tmp_path)
    least, most = min(written), max(written)
    assert least > 0.4 * most if is_divided else least == 0


@pytest.mark.parametrize(("assign", "records_of_busier"), [("least-loaded", 12), ("in-turn", 15)])
def test_collections_go_to_the_server_with_least_to_write_or_to_each_in_turn(
    tmp_path: Path, assign: str, records_of_busier: int
) -> None:
    """The first has four times as many records as each of the others."""
    every = {"small_a": 1, "small_b": 4, "small_c": 4}
    shape = (400, 300)
    collections = {name: f"file: {name}.nc, format: cdf5, every: {steps} steps" for name, steps in every.items()}
    write_small(tmp_path, collections, 12, shape=shape, writers=f"{{ranks: {SERVERS}, assign: {assign}}}")
    for name, steps in every.items():
        conform.check_file(tmp_path / f"{name}.nc", conform.small(*shape), list(range(steps, 13, steps)))
    busier, other = sorted(bytes_of_servers(tmp_path), reverse=True)
    assert busier / other == pytest.approx(records_of_busier / (18 - records_of_busier), rel=0.2)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4", "zarr, chunks: {y: 20, x: 100}"])
def test_records_go_to_servers_that_are_idle(tmp_path: Path, format_name: str) -> None:
    """Held to four records a second they are not, once they have one."""
    shape = (400, 300)
    write_small(tmp_path, {"small": f"file: small.nc, format: {format_name}"}, 6, shape=shape,
                writers=IDLE, top="rate-limit: 2 MB/s\n")  # fmt: skip
    conform.check_file(tmp_path / "small.nc", conform.small(*shape), list(range(1, 7)))
    least, most = sorted(bytes_of_servers(tmp_path))
    assert least > 0.4 * most


@pytest.mark.parametrize("count", [1, 2, 3])
def test_records_that_begin_together_go_to_different_servers(tmp_path: Path, count: int) -> None:
    """As many collections: the first record of each, in the trace of who takes what."""
    names = [f"small_{letter}" for letter in "abc"[:count]]
    collections = {name: f"file: {name}.nc, format: cdf5" for name in names}
    done = write_small(tmp_path, collections, 2, writers=IDLE, THALWEG_LOG="debug")
    for name in names:
        conform.check_file(tmp_path / f"{name}.nc", SMALL, [1, 2])
    taken = re.findall(r"collection '(\w+)': record (\d+) goes to the server of rank (\d+)", done)
    assert sorted((name, int(record)) for name, record, _ in taken) == sorted((n, r) for n in names for r in (0, 1))
    first = [int(rank) for _, record, rank in taken if record == "0"]
    assert len(set(first)) == min(count, SERVERS)


@pytest.mark.by_turns(2)
@FORMATS
@pytest.mark.parametrize("mesh", [indices.Mesh(), indices.Mesh(mean=1, holes=True, copies=True)], ids=["runs", "holes"])
def test_index_lists(tmp_path: Path, format_name: str, mesh: indices.Mesh) -> None:
    settings = format_name.replace("{y: 9, x: 13}", "{cell: 37, edge: 101, node: 64, lev: 2}")
    mesh_of = {"mesh": f"file: mesh.nc, format: {settings}, servers: all"}
    write(tmp_path, "indices", mesh_of, *mesh.words(), top="owner: lowest-rank\n")
    indices.check_file(tmp_path / "mesh.nc", mesh, CLIENTS)


@pytest.mark.by_turns(2)
@FORMATS
@pytest.mark.parametrize("writers", of([IDLE], [IDLE, WRITERS]))
def test_series_of_collections_with_one_server_or_both(tmp_path: Path, format_name: str, writers: str) -> None:
    series = {
        name: f"file: {name}_%H.nc, new-file: 3 steps, format: {format_name}, servers: {servers}"
        for name, servers in {"small_a": "all", "small_b": "1", "small_c": "2"}.items()
    }
    write_small(tmp_path, series, 8, writers=writers)
    for name in series:
        for hour, steps in {"00": [1, 2, 3], "03": [4, 5, 6], "06": [7, 8]}.items():
            conform.check_file(tmp_path / f"{name}_{hour}.nc", SMALL, steps)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(("format_name", "way", "below"), ways([*cases.FORMATS.values()], WAYS, ("0 B", "1 MiB")))
def test_small_records_gathered_or_one_by_one(
    tmp_path: Path, format_name: str, way: tuple[str, str], below: str
) -> None:
    servers, writers = way
    gathering = f"write-behind: {{below: {below}, interval: 50 ms}}, records-ahead: 30"
    small = f"file: small.nc, format: {format_name}, servers: {servers}, {gathering}"
    write_small(tmp_path, {"small": small}, 100, writers=writers)
    conform.check_file(tmp_path / "small.nc", SMALL, list(range(1, 101)))


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(("servers", "writers"), WAYS, ids=["divided", "idle"])
@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
def test_what_was_waited_for_is_committed_for_all_servers(
    tmp_path: Path, format_name: str, servers: str, writers: str
) -> None:
    """The program copies the file after each step, when thalweg_wait has said that all is committed."""
    small = f"file: small.nc, format: {format_name}, servers: {servers}"
    write_small(tmp_path, {"small": small}, 5, "snapshot=small.nc", writers=writers)
    for step in range(1, 6):
        conform.check_file(tmp_path / f"small.nc.step{step}", SMALL, list(range(1, step + 1)))


def test_a_collection_with_less_than_a_block_for_each_server_is_written(tmp_path: Path) -> None:
    write_small(tmp_path, {"small": "file: small.nc, format: cdf5, servers: all"}, 3, shape=(1, 24))
    conform.check_file(tmp_path / "small.nc", conform.small(1, 24), [1, 2, 3])
