# ctest: LABELS mpi TIMEOUT 180
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


def test_members_whose_ranks_nobody_has_split_are_refused(tmp_path: Path) -> None:
    (tmp_path / "conform.yaml").write_text(CASE.configuration() + "command-line: pfio\n")
    done = mpi.start("conform", 2, tmp_path, "conform.yaml", "--n_members", "2")
    assert done.returncode != 0
    assert "--n_members 2, but one session has all ranks of the job, npes = 2: split them by MPI_Comm" in done.stderr


def test_a_launch_of_too_few_ranks_is_refused_with_a_line_that_works(tmp_path: Path) -> None:
    (tmp_path / "conform.yaml").write_text(CASE.configuration() + "command-line: pfio\n")
    done = mpi.start("conform", 3, tmp_path, "conform.yaml", "--npes_model", "3", "--nodes_output_server", "1")
    assert done.returncode != 0
    wanted = (
        "npes = 3 is too few: --npes_model 3 --nodes_output_server 1 on nodes of 3 cores needs ceil(3/3)*3 + 1*3 = 6."
    )
    assert wanted in done.stderr
    assert re.search(
        r"This works: mpiexec -np 6 \S*conform conform.yaml --npes_model 3 --nodes_output_server 1", done.stderr
    )
