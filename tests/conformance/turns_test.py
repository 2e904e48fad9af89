# ctest: SHORT LABELS mpi TIMEOUT 180
"""Groups of servers take turns with the files of a series: which server opens which file, and what the files hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import conform, mpi
from support.storage_calls import calls_of, watched

SHAPE = (20, 24)
FIELDS = conform.fields("cdf5", *SHAPE)
# Three groups of one server each behind two clients.
NODES = "emulate-nodes: [2, 1, 1, 1]\nwriters: {nodes: {count: 3, groups: 3}}\n"
RANKS = "writers: {ranks: {count: 3, groups: [1, 1, 1]}}\n"
PLACES = pytest.mark.parametrize("place", [NODES, RANKS], ids=["nodes", "ranks"])
FORMATS = pytest.mark.parametrize("format_name", ["cdf5", "netcdf4", "zarr, chunks: {y: 9}"])


def run(folder: Path, place: str, collections: dict[str, str], records: int, *options: str) -> dict[str, set[int]]:
    """The ranks that open each file."""
    lines = "".join(f"  {name}: {{{settings}}}\n" for name, settings in collections.items())
    (folder / "turns.yaml").write_text(f"report: none\ndeadline: 30 s\ntime-step: 1 h\n{place}collections:\n{lines}")
    shape = f"shape={SHAPE[0]},{SHAPE[1]}"
    words = ("turns.yaml", f"collections={','.join(collections)}", shape, f"records={records}", *options)
    mpi.run("conform", 5, folder, *words, environment=watched(f"/{folder.name}"))
    openers: dict[str, set[int]] = {}
    for call in calls_of(folder):
        found = re.search(r"([a-z]+\d?_\d\d\.nc)", call.path)
        if found and call.opens:
            openers.setdefault(found[1], set()).add(call.rank)
    return openers


@PLACES
@FORMATS
def test_the_next_file_goes_to_the_next_group(tmp_path: Path, place: str, format_name: str) -> None:
    """Also the variables without records, which every group has to have by then."""
    settings = f"file: fields_%H.nc, new-file: 2 steps, format: {format_name}"
    openers = run(tmp_path, place, {"fields": settings}, 7, "mode=mask")
    assert openers == {"fields_00.nc": {2}, "fields_02.nc": {3}, "fields_04.nc": {4}, "fields_06.nc": {2}}
    for start, steps in {0: [1, 2], 2: [3, 4], 4: [5, 6], 6: [7]}.items():
        conform.check_file(tmp_path / f"fields_{start:02}.nc", FIELDS, steps, "mask", attributes=True)


def test_collections_begin_with_different_groups(tmp_path: Path) -> None:
    every = "format: cdf5, file: 'NAME_%H.nc'"
    series = {
        "small_a": f"{every}, new-file: 2 h".replace("NAME", "a"),
        "small_b": f"{every}, new-file: 3 h".replace("NAME", "b"),
        "small_c": f"{every}, new-file: 3 h, turns: collections".replace("NAME", "c"),
        "small_d": f"{every}, every: 2 h, record-dimension: none".replace("NAME", "d"),
    }
    openers = run(tmp_path, NODES, series, 6)
    assert openers == {
        "a_00.nc": {2},
        "a_02.nc": {3},
        "a_04.nc": {4},
        "b_00.nc": {3},
        "b_03.nc": {4},
        "c_00.nc": {2},
        "c_03.nc": {2},
        "d_02.nc": {2},
        "d_04.nc": {3},
        "d_06.nc": {4},
    }
    small = conform.small(*SHAPE)
    for name, steps in {"a_02.nc": [3, 4], "b_00.nc": [1, 2, 3], "b_03.nc": [4, 5, 6], "c_03.nc": [4, 5, 6]}.items():
        conform.check_file(tmp_path / name, small, steps)


def test_a_group_that_has_no_turn_leaves_no_file(tmp_path: Path) -> None:
    """It has what was put without records, and no file for it."""
    openers = run(tmp_path, NODES, {"fields": "file: fields_%H.nc, new-file: 2 steps, format: cdf5"}, 3, "mode=mask")
    assert openers == {"fields_00.nc": {2}, "fields_02.nc": {3}}
    assert sorted(path.name for path in tmp_path.glob("*.nc*") if path.suffix != ".checksums") == sorted(openers)
