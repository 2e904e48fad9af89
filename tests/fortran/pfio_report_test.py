# ctest: SHORT TIMEOUT 120
"""The profiler's table at the end of PFIO's demo with servers: what is printed is parsed as users of PFIO would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from support import mpi

COLUMNS = ("Name", "Inclusive", "% Incl", "Exclusive", "% Excl", "Max Excl", "Min Excl", "Max PE", "Min PE")
WIDTHS = (28, 10, 8, 11, 8, 11, 11, 8, 8)
COLLECTIONS = 3
OF_COLLECTIONS = [f"----collection_{n}" for n in range(1, COLLECTIONS + 1)]
OF_SERVER = ["o_server_front", "--wait_message", "--add_Histcollection", "--receive_data", *OF_COLLECTIONS,
             "--forward_data", *OF_COLLECTIONS, "--clean up"]  # fmt: skip


class Row(NamedTuple):
    name: str
    inclusive: float
    percent_inclusive: float
    exclusive: float
    percent_exclusive: float
    most: float
    least: float
    most_pe: int
    least_pe: int


class Launch(NamedTuple):
    ranks: int
    nodes: str
    options: str
    servers: list[range]  # the PEs of each


LAUNCHES = {
    "frontends_and_backends": Launch(
        8,
        "[4, 4]",
        "--npes_model 3 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 2",
        [range(3, 7)],
    ),
    "two_servers": Launch(6, "[2, 2, 2]", "--npes_model 2 --nodes_output_server 1 1", [range(2, 4), range(4, 6)]),
}


def cells(line: str) -> list[str]:
    """Cut at the columns' widths, behind a first blank."""
    assert line[0] == " " and len(line) == 1 + sum(WIDTHS), line
    starts = [1 + sum(WIDTHS[:n]) for n in range(len(WIDTHS))]
    return [line[start : start + width].strip() for start, width in zip(starts, WIDTHS, strict=True)]


def row_of(line: str) -> Row:
    name, *numbers, most_pe, least_pe = cells(line)
    assert [len(number.partition(".")[2]) for number in numbers] == [3, 2, 3, 2, 3, 3], line
    assert re.fullmatch(r"\d{4}", most_pe) and re.fullmatch(r"\d{4}", least_pe), line
    return Row(name, *(float(number) for number in numbers), int(most_pe), int(least_pe))


def tables_of(printed: str) -> list[list[Row]]:
    """One of the model and one of each server."""
    lines = printed.splitlines()
    heads = [number for number, line in enumerate(lines) if line.lstrip().startswith("Name")]
    assert {tuple(cells(lines[number])) for number in heads} == {COLUMNS}
    tables: list[list[Row]] = []
    for line in lines[heads[0] :]:
        if not re.match(r" (-*\w+_\w+|--clean up) ", line):
            continue
        if re.match(r" \w", line):
            tables.append([])
        tables[-1].append(row_of(line))
    return tables


def printed_by(launch: Launch, folder: Path) -> str:
    (folder / "pfio_demo.yaml").write_text(f"command-line: pfio\nemulate-nodes: {launch.nodes}\nreport: none\n")
    size = f"--im=40 --jm=30 --km=20 --files=2 --records=3 --collections={COLLECTIONS}"
    words = f"{size} {launch.options} --with_io_profiler".split()
    done = mpi.start("pfio_demo", launch.ranks, folder, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def assert_adds_up(table: list[Row]) -> None:
    """Within one per cent, and what the digits that are printed leave out."""
    root = table[0]
    assert (root.percent_inclusive, root.inclusive > 0) == (100.0, True)
    assert sum(row.percent_exclusive for row in table) == pytest.approx(100.0, abs=1.0)
    rounding_s = 0.0005 * (len(table) + 1)
    assert sum(row.exclusive for row in table) == pytest.approx(root.inclusive, rel=0.01, abs=rounding_s)
    for row in table:
        assert row.least <= row.exclusive <= row.most, row
        assert row.exclusive <= row.inclusive <= root.inclusive + 0.0005, row
        assert row.percent_inclusive == pytest.approx(100 * row.inclusive / root.inclusive, abs=0.1 / root.inclusive)


def assert_collections_add_up(table: list[Row]) -> None:
    for number, row in enumerate(table):
        if row.name in ("--receive_data", "--forward_data"):
            of_each = table[number + 1 : number + 1 + COLLECTIONS]
            assert [one.name for one in of_each] == OF_COLLECTIONS
            assert row.exclusive == 0.0
            assert sum(one.inclusive for one in of_each) == pytest.approx(row.inclusive, abs=0.0005 * (COLLECTIONS + 1))


@pytest.mark.parametrize("launch", LAUNCHES.values(), ids=LAUNCHES)
def test_the_table_of_each_server_is_that_of_the_profiler(tmp_path: Path, launch: Launch) -> None:
    model, *servers = tables_of(printed_by(launch, tmp_path))
    assert [row.name for row in model] == ["i_server_client"]
    assert [[row.name for row in table] for table in servers] == [OF_SERVER] * len(launch.servers)
    for table in (model, *servers):
        assert_adds_up(table)
    for table, ranks in zip(servers, launch.servers, strict=True):
        assert_collections_add_up(table)
        assert {row.most_pe for row in table} | {row.least_pe for row in table} <= set(ranks)
