# ctest: SHORT TIMEOUT 120
"""Between its first put and its last advance a client meets nobody, and where its node's memory is shared with the
writer it sends nothing: the profile says so, and so does a library between the program and MPI, which counts every call
that other ranks may take part in and knows nothing of what Thalweg counts."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support import mpi, python

BARRIERS = {"Barrier", "Ibarrier"}
MESSAGES = {"Send", "Ssend", "Bsend", "Rsend", "Isend", "Issend", "Ibsend", "Irsend", "Sendrecv", "Sendrecv_replace"}

CONFIG = """
time-step: 1 h
report: none
profile: profile.json
writers: {writers}
emulate-nodes: {nodes}
collections:
  whole: {{file: whole.nc, every: 1 h, format: {format}}}
  series: {{file: "series-%d%H.nc", every: 1 h, new-file: 3 h, format: {format}}}
"""


@dataclass(frozen=True)
class Run:
    folder: Path
    ranks: list[dict[str, Any]]

    def seen(self, rank: int, phase: int, thread: str = "client") -> Counter[str]:
        """What the library between counted, in the words of the profile."""
        counts = Counter(messages=0, collectives=0, barriers=0)
        for line in (self.folder / f"witness.{rank}").read_text().splitlines():
            its_phase, its_thread, call, count = line.split()
            if (int(its_phase), its_thread) != (phase, thread):
                continue
            kind = "barriers" if call in BARRIERS else "messages" if call in MESSAGES else "collectives"
            counts[kind] += int(count)
        return counts

    def told(self, rank: int, *phases: str) -> Counter[str]:
        """What the profile says."""
        counts = Counter(messages=0, collectives=0, barriers=0)
        for phase in phases:
            counts.update(self.ranks[rank]["mpi"][phase])
        return counts


def run(folder: Path, writers: str, nodes: int, file_format: str = "netcdf4", ranks: int = 4) -> Run:
    text = CONFIG.format(writers=writers, nodes=nodes, format=file_format)
    (folder / "thalweg.yaml").write_text(text)
    preload = f"LD_PRELOAD={mpi.BUILD}/lib/libwitness_calls.so"
    words = ["-n", ranks, "-x", preload, *python.INTERPRETER, python.PROGRAMS / "silence.py"]
    environment = {"PYTHONPATH": python.PATHS, "THALWEG_TEST_WITNESS": str(folder / "witness")}
    done = mpi.launch(words, folder, 60, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(folder.glob("series-*.nc"))) == 4, "so files begin and end meanwhile"
    return Run(folder, json.loads((folder / "profile.json").read_text())["ranks"])


NOTHING = Counter(messages=0, collectives=0, barriers=0)


@pytest.mark.parametrize("file_format", ["cdf5", "netcdf4", "zarr"])
def test_clients_of_one_node_give_mpi_nothing_while_they_compute(tmp_path: Path, file_format: str) -> None:
    made = run(tmp_path, "thread", 1, file_format)
    for rank in range(4):
        assert made.seen(rank, 2) == NOTHING == made.told(rank, "put", "advance"), rank
        assert made.seen(rank, 2, "other") == NOTHING, "nor does the thread that writes"
        definitions = made.told(rank, "definitions")
        assert made.seen(rank, 1) == definitions and definitions["collectives"] > 0, "the count counts"

    require_written(made, file_format)


def require_written(made: Run, file_format: str) -> None:
    """Beside the counts: what the profile says of files, chunks, rates and memory."""
    cells = 48 * 512
    for number, (name, files) in enumerate((("whole", 1), ("series", 4))):
        of = [rank["collections"][number] for rank in made.ranks]
        written = [file for one in of for file in one["written_files"]]
        assert of[0]["name"] == name and len({file["file"] for file in written}) == files
        assert sum(file["raw_bytes"] for file in written) == sum(one["raw_bytes"] for one in of)
        assert sum(one["raw_bytes"] for one in of) == 4 * cells * (2 * 12 + files) + 8 * 12, "with the time"
        assert sum(one["file_bytes"] for one in of) >= 4 * cells * (2 * 12 + files)
        assert (sum(one["chunks"] for one in of) >= 2 * 12) == (file_format != "cdf5")
        best = max((one["best_record"] for one in of), key=lambda one: float(one["bytes_per_s"]))
        assert 0 <= best["record"] < 12 and best["bytes"] >= 2 * 4 * cells and best["bytes_per_s"] > 0
    for rank in made.ranks:
        assert 0 < rank["staging_bytes"] and 4 << 20 < rank["memory_bytes"] < 4 << 30


def test_clients_of_several_nodes_send_and_meet_nobody(tmp_path: Path) -> None:
    made = run(tmp_path, "thread", 2)
    for rank in range(4):
        seen = made.seen(rank, 2)
        assert seen == made.told(rank, "put", "advance")
        assert (seen["collectives"], seen["barriers"]) == (0, 0)
    assert sum(made.seen(rank, 2)["messages"] for rank in range(4)) > 0, "pieces of the other node"


def test_clients_of_a_server_tell_it_what_they_do_and_meet_nobody(tmp_path: Path) -> None:
    made = run(tmp_path, "{ranks: 1}", 1)
    servers = [one["rank"] for one in made.ranks if one["is_server"]]
    clients = [one["rank"] for one in made.ranks if not one["is_server"]]
    assert len(servers) == 1
    for rank in clients:
        seen = made.seen(rank, 2)
        assert seen == made.told(rank, "put", "advance")
        assert (seen["collectives"], seen["barriers"]) == (0, 0)
    assert [rank for rank in clients if made.seen(rank, 2)["messages"] > 0] == clients[:1], "one speaks for all"
    assert made.told(servers[0], "put", "advance") == NOTHING, "what a server does is its own"
    assert made.told(servers[0], "server")["collectives"] > 0
