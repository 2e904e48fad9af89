# ctest: WAITS TIMEOUT 300
"""Models that use servers wrongly, and launches that cannot work: what every rank is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from launch import AGREEMENT, CONFIG, DEADLINE, Run, begin, history, run

SHORT = "deadline: 2 s\n"

CLIENTS = 2
FEW = {
    "ranks": ("{ranks: 1}", ""),
    "node": ("nodes", "emulate-nodes: [2, 1]\n"),
}  # places of one server for two clients


@pytest.fixture(scope="module")
def without_servers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Runs by their commands, kept for all places."""
    folder = tmp_path_factory.mktemp("without_servers")
    return {name: run(folder / name, yaml_of(name), CLIENTS, ("faulty", name)) for name in COMMANDS}


COMMANDS = ("calls", "boxes", "agree", "orders", "missing", "unfinished", "once", "unknown-collection")


def yaml_of(command: str, place: str = "") -> str:
    writers, top = FEW.get(place, ("thread", ""))
    if command == "agree":
        return f"writers: {writers}\nreport: none\n{top}"
    return history(writers, top, **({"compression": "{keep-digits: 4}"} if command == "calls" else {}))


@pytest.mark.parametrize(
    ("place", "command"), [("ranks", name) for name in COMMANDS] + [("node", name) for name in ("calls", "agree")]
)
def test_clients_are_told_the_same_with_servers_as_without(
    tmp_path: Path, without_servers: dict[str, Run], place: str, command: str
) -> None:
    # Open MPI may not end a job in which some ranks abort while others finalize.
    done = run(tmp_path, yaml_of(command, place), CLIENTS + 1, ("faulty", command), THALWEG_TEST_FINALIZE=1)
    for rank in range(CLIENTS):
        told, expected = (
            [(outcome.label, outcome.code, re.sub("0x[0-9a-f]+", "", outcome.text)) for outcome in of.outcomes[rank]]
            for of in (done, without_servers[command])
        )
        assert told == expected
    assert done.returncode == 0 or command == "unknown-collection", "which leaves out thalweg_finish"


@pytest.mark.parametrize(
    ("place", "command", "call"), [("ranks", "late", "ready"), ("node", "late-to-decompose", "decompose")]
)
def test_a_client_that_does_not_come_is_named(tmp_path: Path, place: str, command: str, call: str) -> None:
    writers, top = FEW[place]
    done = run(tmp_path, history(writers, SHORT + top), CLIENTS + 1, ("faulty", command), limit_s=15)
    assert done.of(0, call).code == DEADLINE
    for pattern in (r"rank 1(:| was) computing", "Not every rank came", "waiting for the other ranks"):
        assert re.search(pattern, done.of(0, call).text)


# ---- launches that cannot work


def assert_refused(done: Run, code: int, *parts: str, ranks: Sequence[int]) -> None:
    """By every rank and soon; then MPI ends."""
    assert done.returncode != 0
    for rank in ranks:
        refused = done.of(rank, "start")
        assert refused.code == code, refused
        assert refused.seconds < 2.0
        for part in parts:
            assert part in refused.text, f"no '{part}' in:\n{refused.text}"


@pytest.mark.parametrize(
    ("writers", "top", "parts"),
    [
        ("{ranks: 4}", "", ("error: writers: 4 servers on 1 node of 4", "at least 5 ranks", "at most 3 servers")),
        ("{ranks: 3}", "emulate-nodes: 2\n", ("3 servers on 2 nodes of 4 ranks", "at least 5 ranks")),
        ("{ranks: {count: 1, groups: 2}}", "", ("2 groups need at least 2 servers", "count is 1")),
        ("{ranks: {count: 2, groups: [1, 2]}}", "", ("[1, 2] are 3 together", "count is 2")),
        ("{ranks: 1, clients: 4}", "", ("wants 4 ranks", "beside 1 server there are 3", "at least 5 ranks")),
        ("nodes", "", ("1 node of servers", "has 1 node (4 ranks)", "start it on 2 nodes", "writers: ranks")),
        ("{nodes: 2}", "emulate-nodes: 2\n", ("2 nodes of servers", "has 2 nodes", "start it on 3 nodes")),
        (
            "{nodes: {count: 1, backends-per-node: 2}}",
            "emulate-nodes: 2\n",
            ("backends-per-node is 2", "node 1 has 2 ranks", "set at most 1"),
        ),
    ],
)
def test_a_launch_that_cannot_work_is_refused_with_the_numbers(
    tmp_path: Path, writers: str, top: str, parts: tuple[str, ...]
) -> None:
    done = run(tmp_path, history(writers, top), 4, ("faulty", "once"), limit_s=15, THALWEG_TEST_FINALIZE=1)
    assert_refused(done, CONFIG, *parts, ranks=range(4))


@pytest.mark.parametrize(
    ("writers", "ranks", "parts"),
    [
        ("{ranks: 2}", 4, ("divided over 3 servers", "no node has more than 2;", "'servers' to 2 or all")),
        ("{ranks: {count: 3, groups: 3}}", 6, ("no node has more than 1 of its group", "start more servers")),
    ],
)
def test_more_servers_for_a_collection_than_a_node_has_are_refused(
    tmp_path: Path, writers: str, ranks: int, parts: tuple[str, ...]
) -> None:
    done = run(tmp_path, history(writers, servers=3), ranks, ("faulty", "once"), limit_s=15, THALWEG_TEST_FINALIZE=1)
    for rank in range(2):
        refused = done.first_failure(rank)
        assert refused.code == CONFIG
        for part in parts:
            assert part in refused.text


def launch_with_server(folder: Path, yaml: str, servers_yaml: str, model: int = 2, servers: int = 1) -> Run:
    folder.mkdir(exist_ok=True)
    (folder / "servers.yaml").write_text(servers_yaml)
    program = ("thalweg-server", "servers.yaml")
    ending = {"THALWEG_TEST_FINALIZE": 1}
    contexts = [(model, ("faulty", "once"), ending)] if model else []
    return begin(folder, yaml, [*contexts, (servers, program, {})]).end(15)


def test_a_server_program_with_other_settings_is_refused(tmp_path: Path) -> None:
    done = launch_with_server(tmp_path, history("ranks"), history("ranks", "staging: 64 MiB\n"))
    assert done.returncode != 0
    for text in (done.first_failure(0).text, done.first_failure(1).text, done.output):
        assert "settings differ between ranks" in text
        assert "staging = 64 MiB" in text
    assert {done.first_failure(rank).code for rank in (0, 1)} == {AGREEMENT}


def test_a_server_program_without_its_file_is_refused(tmp_path: Path) -> None:
    # Open MPI may not end a job in which some ranks abort while others finalize.
    model = (2, ("faulty", "once"), {"THALWEG_TEST_FINALIZE": 1})
    done = begin(tmp_path, history("ranks"), [model, (1, ("thalweg-server", "nowhere.yaml"), {})]).end(15)
    assert_refused(done, CONFIG, "nowhere.yaml", "No such file", ranks=(0, 1))


def test_more_server_programs_than_the_configuration_has_are_refused(tmp_path: Path) -> None:
    yaml = history("{ranks: 1}")
    done = launch_with_server(tmp_path, yaml, yaml, servers=2)
    assert_refused(done, CONFIG, "the configuration has 1 servers", "2 programs that only serve", ranks=(0, 1))


def test_a_server_program_does_not_write_what_only_the_model_can(tmp_path: Path) -> None:
    yaml = history("thread", engine="library")
    done = launch_with_server(tmp_path, yaml, yaml)
    assert_refused(done, CONFIG, "'history'", "programs that only serve", "engine: library", "direct", ranks=(0, 1))


def test_server_programs_without_a_model_are_refused(tmp_path: Path) -> None:
    done = launch_with_server(tmp_path, "", history("ranks"), model=0, servers=2)
    assert done.returncode != 0
    assert "all 2 ranks are servers" in done.output
    assert "mpiexec -n 8 model" in done.output
