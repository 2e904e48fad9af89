# ctest: WAITS TIMEOUT 150
"""A model that runs ahead of its server, which hears of every step: what is on its way to it is bounded, so that the
memory of neither grows, and a server that hears nothing is named when the deadline is over."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest
from launch import DEADLINE, Job, begin

RANKS, SERVER, STEPS = 3, 2, 40_000
MORNING = STEPS // 10
EVERY_S = 10 * STEPS
"""of records: none closes, so that nothing else holds the model up"""
MOST_KIB = 2560
"""What allocators keep, and a few tens of orders; 40,000 take 9 MB and more."""


def configuration(deadline_s: float) -> str:
    return (
        f"writers: {{ranks: 1}}\nreport: none\ntime-step: 1 s\ndeadline: {deadline_s:g} s\n"
        f"collections:\n  late: {{file: late.nc, every: {EVERY_S} s, durability: none}}\n"
    )


def memory_kib(job: Job, rank: int) -> tuple[int, int]:
    """Now, of its own, and the most of all kinds."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{job.ranks()[rank]}/status").read_text().splitlines())
    return int(status["RssAnon"].split()[0]), int(status["VmHWM"].split()[0])


def begin_and_stop_server(folder: Path, deadline_s: float) -> tuple[Job, dict[int, tuple[int, int]]]:
    """With its steps before it from a moment on in which the server is stopped."""
    job = begin(folder, configuration(deadline_s), [(RANKS, ("long_day", STEPS, 2 * STEPS, "late"), {})])
    job.wait_until((folder / f"at.{MORNING}").exists, limit_s=60)
    before = {rank: memory_kib(job, rank) for rank in range(RANKS)}
    job.signal(signal.SIGSTOP, [SERVER])
    (folder / f"go.{MORNING}").touch()
    return job, before


@pytest.mark.timeout(120)
def test_neither_a_slow_server_nor_its_model_keeps_what_the_model_is_ahead(tmp_path: Path) -> None:
    job, before = begin_and_stop_server(tmp_path, 60)
    time.sleep(2)
    job.signal(signal.SIGCONT, [SERVER])
    job.wait_until((tmp_path / f"at.{STEPS}").exists, limit_s=60)
    after = {rank: memory_kib(job, rank) for rank in range(RANKS)}
    (tmp_path / f"go.{STEPS}").touch()
    done = job.end(limit_s=30)
    assert done.returncode == 0, (done.outcomes, done.output)
    for rank in range(RANKS):
        for now, then in zip(after[rank], before[rank], strict=True):
            assert now <= then + MOST_KIB, f"rank {rank}: {then} kB, then {now} kB"


def test_a_server_that_hears_nothing_is_named_at_the_deadline(tmp_path: Path) -> None:
    job, _ = begin_and_stop_server(tmp_path, 2)
    done = job.end(limit_s=20)
    assert done.returncode != 0
    failure = done.first_failure(0)
    assert failure.code == DEADLINE, failure
    assert failure.label == "advance", failure
    assert "waiting for a server to take orders" in failure.text
    assert re.search(rf"Rank {SERVER}, a server, is more than 64 orders behind", failure.text), failure.text
