# ctest: SHORT LABELS mpi TIMEOUT 180
"""A model that is launched with PFIO's options has the servers that they ask for, whatever its configuration says, and
writes the bytes that it writes without servers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from conformance.values_test import assert_same_bytes, check_files
from support import mpi
from support.cases import RECORDS, Case

CASE = Case(format="cdf5", writers="thread")


class Launch(NamedTuple):
    options: str
    ranks: int
    nodes: str
    settings: dict[str, str]  # each effective setting that comes from the command line, and its origin


LAUNCHES = {
    "frontends_and_backends": Launch(
        "--npes_model 4 --oserver_type multigroup --nodes_output_server 1 --npes_backend_pernode 2 "
        "--fast_oclient=false",
        8,
        "[4, 4]",
        {
            "writers.place = nodes": "--nodes_output_server",
            "writers.nodes.count = 1": "--nodes_output_server",
            "writers.nodes.backends-per-node = 2": "--npes_backend_pernode",
            "writers.assign = idle": "--npes_backend_pernode",
            "send = wait": "--fast_oclient",
            "writers.clients = 4": "--npes_model",
        },
    ),
    "two_servers": Launch(
        "--npes_model=2 --nodes_output_server=1,1",
        6,
        "[2, 2, 2]",
        {
            "writers.place = nodes": "--nodes_output_server",
            "writers.nodes.count = 2": "--nodes_output_server",
            "writers.nodes.groups = [1, 1]": "--nodes_output_server",
            "writers.clients = 2": "--npes_model",
        },
    ),
    "shared_node_and_spares": Launch(
        "--npes_model 2 --npes_output_server 1 --isolate_nodes false --fast_oclient true",
        4,
        "none",
        {
            "writers.place = ranks": "--npes_output_server",
            "writers.ranks.count = 1": "--npes_output_server",
            "writers.clients = 2": "--npes_model",
            "send = fast": "--fast_oclient",
        },
    ),
}


def run(launch: Launch, folder: Path) -> None:
    (folder / "conform.yaml").write_text(CASE.configuration())
    environment = {
        "THALWEG_COMMAND_LINE": "pfio",
        "THALWEG_EMULATE_NODES": launch.nodes,
        "THALWEG_PROFILE": "profile.json",
    }
    words = ("conform.yaml", f"records={RECORDS}", "types=all", *launch.options.split())
    mpi.run("conform", launch.ranks, folder, *words, environment=environment)


def effective_settings(folder: Path) -> dict[str, str]:
    """Those of the command line, with the option that each comes from."""
    lines = json.loads((folder / "profile.json").read_text())["settings"]
    split = (line.removesuffix(")").partition(" (command line ") for line in lines)
    return {setting: option for setting, _, option in split if option}


@pytest.mark.parametrize("launch", LAUNCHES.values(), ids=LAUNCHES)
def test_servers_are_those_of_the_command_line(launch: Launch, tmp_path: Path) -> None:
    run(launch, tmp_path)
    assert effective_settings(tmp_path) == launch.settings
    check_files(CASE, tmp_path)
    CASE.reference.job.run(tmp_path / "reference")
    assert_same_bytes(tmp_path, tmp_path / "reference")


class Row(NamedTuple):
    """Of the profiler's table: seconds, and ranks of the session."""

    name: str
    inclusive: float
    percent: float
    exclusive: float
    most: float
    least: float
    most_rank: int
    least_rank: int


HEADER = "Name Inclusive % Incl Exclusive % Excl Max Excl Min Excl Max PE Min PE"
NUMBER, RANK = r" +([\d.]+)", r" +(\d{4})"


def rows_of(lines: list[str]) -> list[Row]:
    """Of a table, which begins with its header."""
    assert " ".join(lines[0].split()) == HEADER
    rows = []
    for line in lines[1:]:
        found = re.fullmatch(rf" (\S.{{27}}) *([\d.]+){NUMBER * 2} +[\d.]+{NUMBER * 2}{RANK * 2}", line)
        if found is None:
            break
        name, *numbers, most_rank, least_rank = found.groups()
        rows.append(Row(name.strip(), *map(float, numbers), int(most_rank), int(least_rank)))
    return rows


def test_the_profilers_table_is_one_of_each_server(tmp_path: Path) -> None:
    """Two servers of two ranks behind two clients: each has the times of its own ranks, as the profile has them."""
    lines = "".join(f"  {name}: {{file: {name}.nc, format: cdf5}}\n" for name in ("small_a", "small_b"))
    series = "  small_c: {file: 'small_c_%H.nc', new-file: 2 h, format: cdf5}\n"
    (tmp_path / "conform.yaml").write_text(f"deadline: 30 s\ntime-step: 1 h\ncollections:\n{lines}{series}")
    options = ("--npes_model", 2, "--nodes_output_server", 1, 1, "--with_io_profiler")
    environment = {"THALWEG_COMMAND_LINE": "pfio", "THALWEG_EMULATE_NODES": "[2, 2, 2]"}
    environment["THALWEG_PROFILE"] = "profile.json"
    words = ("conform.yaml", "collections=small_a,small_b,small_c", "shape=400,400", "records=5", *options)
    done = mpi.start("conform", 6, tmp_path, *words, environment=environment)
    assert done.returncode == 0, done.stderr
    text = (done.stdout + done.stderr).splitlines()
    profiles = json.loads((tmp_path / "profile.json").read_text())["ranks"]
    (client,) = rows_of(text[text.index(next(line for line in text if line.startswith(" Name"))) :])
    assert (client.name, client.percent) == ("i_server_client", 100.0)
    assert {client.most_rank, client.least_rank} <= {0, 1}
    assert client.inclusive > 0.0
    assert " Collections: 1 is 'small_a', 2 is 'small_b', 3 is 'small_c'" in text
    collections = [f"----collection_{number}" for number in (1, 2, 3)]
    wanted = ["o_server_front", "--wait_message", "--add_Histcollection", "--receive_data", *collections]
    wanted += ["--forward_data", *collections, "--clean up"]
    for server, ranks in ((1, {2, 3}), (2, {4, 5})):
        rows = rows_of(text[text.index(f" server {server} of 2") + 1 :])
        assert [row.name for row in rows] == wanted
        assert {rank for row in rows for rank in (row.most_rank, row.least_rank)} <= ranks
        front = rows[0]
        assert front.percent == 100.0
        assert abs(sum(row.exclusive for row in rows) - front.inclusive) < 0.01 + 0.01 * front.inclusive
        measured = [profile["server"] for profile in profiles if profile["rank"] in ranks]
        received = [sum(seconds) / 2 for seconds in zip(*(of["receive_s"] for of in measured), strict=True)]
        assert [row.inclusive for row in rows[4:7]] == pytest.approx(received, abs=0.00051)
        assert rows[1].inclusive == pytest.approx(sum(of["wait_message_s"] for of in measured) / 2, abs=0.00051)
        assert [seconds > 0.0 for seconds in received] == [server == 1, server == 2, True], "the last takes turns"


def test_members_whose_ranks_nobody_has_split_are_refused(tmp_path: Path) -> None:
    (tmp_path / "conform.yaml").write_text(CASE.configuration() + "command-line: pfio\n")
    done = mpi.start("conform", 2, tmp_path, "conform.yaml", "--n_members", "2", alone=True)
    assert done.returncode != 0
    assert "--n_members 2, but one session has all ranks of the job, npes = 2: split them by MPI_Comm" in done.stderr


def test_a_launch_of_too_few_ranks_is_refused_with_a_line_that_works(tmp_path: Path) -> None:
    (tmp_path / "conform.yaml").write_text(CASE.configuration() + "command-line: pfio\n")
    words = ("conform.yaml", "--npes_model", "3", "--nodes_output_server", "1")
    done = mpi.start("conform", 3, tmp_path, *words, alone=True)
    assert done.returncode != 0
    wanted = (
        "npes = 3 is too few: --npes_model 3 --nodes_output_server 1 on nodes of 3 cores needs ceil(3/3)*3 + 1*3 = 6."
    )
    assert wanted in done.stderr
    assert re.search(
        r"On 2 nodes of 3 ranks this does: mpiexec -np 6 \S*conform conform.yaml --npes_model 3 --nodes_output_server",
        done.stderr,
    )
