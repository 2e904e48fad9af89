# ctest: SHORT LABELS trace TIMEOUT 60
"""What of a program's writes is made again by Thalweg's calls, in which order, and with which times between."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import support.command  # noqa: F401 - the package thalweg from the sources
from thalweg.cli.trace_replay.command import paths_in
from thalweg.cli.trace_replay.values import MEMORY_TYPES, memory_type, values_of
from thalweg.trace.adapted import Adapted, adapted
from thalweg.trace.writes import File, Step, Variable, Writes, variable_of, with_format

RECORDS = Variable("temp", 6, ["time", "x"], [0, 8])
FIXED = Variable("mask", 6, ["x"], [8])


def step(kind: str, gap_s: float = 1.0, boxes: list[tuple[tuple[int, ...], tuple[int, ...]]] | None = None) -> Step:
    return Step(kind, 0, f"nc_{kind}", gap_s, 0.25, 0, boxes or [])


def record(number: int, rank: int = 0, ranks: int = 1, count: int = 1) -> Step:
    width = 8 // ranks
    return step("put", boxes=[((number, rank * width), (count, width))])


def made(*ranks: list[Step], variables: list[Variable] | None = None) -> Adapted:
    file = File("/a/out.nc", "netcdf", "/lib/libnetcdf.so", 3, len(ranks) > 1, True, list(range(len(ranks))))
    file.variables = variables or [RECORDS]
    return adapted(Writes([file], [[step("create"), *own, step("close")] for own in ranks]))


def told(steps: list[Step]) -> list[str | int]:
    """Kinds of steps, and of puts the record, or the first index."""
    return [one.boxes[0][0][0] if one.kind == "put" else one.kind for one in steps]


def test_no_path_of_a_log_leads_out_of_the_folder(tmp_path: Path) -> None:
    found = paths_in(tmp_path, ["/a/out.nc", "/a/../../../etc/out.nc", "own.nc", "", "/a/out.nc"])
    files = tmp_path / "files"
    assert found == [str(files / name) for name in ("a/out.nc", "etc/out.nc", "own.nc", "unnamed", "a/out-again2.nc")]


def test_where_all_ranks_put_each_record_the_next_one_closes_it() -> None:
    found = made(*([record(0, rank, 2), record(1, rank, 2)] for rank in (0, 1)))
    assert [told(steps) for steps in found.steps] == [["create", 0, 1, "close"]] * 2


def test_where_a_rank_lacks_records_all_say_when_they_are_complete() -> None:
    found = made([record(0), record(1), record(2)], [record(1, 1, 2)])
    assert told(found.steps[0]) == ["create", 0, "sync", 1, "sync", 2, "sync", "close"]
    assert told(found.steps[1]) == ["create", "sync", 1, "sync", "sync", "close"]


def test_a_program_that_syncs_each_record_does_so_by_thalweg() -> None:
    found = made([record(0), step("sync"), record(1), step("sync")])
    assert told(found.steps[0]) == ["create", 0, "sync", 1, "sync", "close"]
    assert told(made([record(0), step("sync"), record(1), record(2)]).steps[0]) == ["create", 0, 1, 2, "close"]


def test_a_file_that_is_opened_again_stays_open_and_times_between_are_kept() -> None:
    found = made([record(0), step("close"), step("open"), record(1)])
    assert told(found.steps[0]) == ["create", 0, "sync", 1, "sync", "close"]
    assert sum(one.gap_s for one in found.steps[0]) == 6.0
    assert found.notes == ["'out.nc' is closed and opened again; by Thalweg it stays open until its last close"]


@pytest.mark.parametrize("numbers", [(0, 2), (1, 2), (1, 0), (0, 1, 0)], ids=str)
def test_records_that_do_not_follow_each_other_are_one(numbers: tuple[int, ...]) -> None:
    found = made([record(number) for number in numbers])
    assert found.files[0].variables[0].lengths == [max(numbers) + 1, 8]
    assert "sync" not in told(found.steps[0]) and "one after the other" in found.notes[0]


def test_several_records_in_a_call_are_put_one_by_one() -> None:
    found = made([record(0, count=3)])
    assert told(found.steps[0]) == ["create", 0, 1, 2, "close"]
    assert [one.boxes[0][1] for one in found.steps[0][1:4]] == [(1, 8)] * 3
    assert found.files[0].variables[0].lengths == [0, 8]


def test_cells_are_put_once() -> None:
    found = made(
        [step("put", boxes=[((0,), (8,))]), step("put", boxes=[((2,), (3,))]), step("put", boxes=[((0,), (8,))])],
        variables=[FIXED],
    )
    assert told(found.steps[0]) == ["create", 0, "close"]
    assert found.left_out == {"nc_put (the same cells again)": 2}


def test_staging_has_two_records_or_the_whole() -> None:
    assert made([record(0), record(1), record(2)]).staging_bytes == 2 * 8 * 8
    assert made([record(2), record(0)]).staging_bytes == 3 * 8 * 8


def test_variables_as_the_tracer_says_them() -> None:
    assert variable_of("a", "5/2/time/0/my lon/10/1/1/1/10/1/4//") == Variable(
        "a", 5, ["time", "my lon"], [0, 10], True, [1, 10], True, 4
    )
    assert variable_of("s", "6/0/0/0/0/-1//") == Variable("s", 6, [], [])
    assert variable_of("p", "3/1/x/7/1/") == Variable("p", 3, ["x"], [7], True)
    assert variable_of("w", "12/0/0/0/0/-1//").reason and variable_of("g", "5/0/0/0/0/-1/group/").reason == "in a group"
    assert with_format(0x1204, 3) == 0x1004 and with_format(0x0004, 5) == 0x0024 and with_format(0x20, 0) == 0x20


FUNCTIONS = {
    "nc_put_vara": "float",
    "nc_put_vara_double": "double",
    "ncmpi_put_vara_longlong_all": "longlong",
    "ncmpi_put_varn_all": "float",
}


@pytest.mark.parametrize(("function", "name"), list(FUNCTIONS.items()))
def test_types_in_memory(function: str, name: str) -> None:
    assert memory_type(function, 5) == name


def test_values_follow_from_the_place() -> None:
    whole = values_of(1, "double", [((3, 0, 0), (2, 40, 50))]).reshape(2, 40, 50)
    part = values_of(1, "double", [((4, 10, 5), (1, 20, 30))]).reshape(20, 30)
    assert np.array_equal(whole[1, 10:30, 5:35], part)
    other = values_of(2, "double", [((3, 0, 0), whole.shape)]).reshape(whole.shape)
    assert not np.array_equal(whole[0], whole[1]) and not np.array_equal(whole, other)
    for name in MEMORY_TYPES:
        values = values_of(0, name, [((), ()), ((0,), (5000,))])
        assert len(values) == 5001 and values.min() >= 1 and values.max() <= 100
