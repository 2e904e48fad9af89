# ctest: WAITS TIMEOUT 120 ALL 900
"""Collective steps of starts, definitions and ends: a rank that does not come to one is named by all others."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from launch import DEADLINE, Job, Run, begin, history
from support import ways

DEADLINE_S = 1.0
# Behind it the ranks ask each other who is missing: half a second longer if rank 0 does not answer.
LATE_S = DEADLINE_S + 1.6
SLACK_S = 2.0


@dataclass(frozen=True)
class Setting:
    name: str
    yaml: str
    ranks: int
    late: int

    @property
    def others(self) -> list[int]:
        return [rank for rank in range(self.ranks) if rank != self.late]


def setting(name: str, ranks: int, late: int, writers: str = "thread", nodes: str = "none", **keys: object) -> Setting:
    top = f"deadline: {DEADLINE_S:g} s\nemulate-nodes: {nodes}\n"
    return Setting(name, history(writers, top, **keys), ranks, late)


SETTINGS = [
    setting("one_node", 3, 1),
    setting("rank_0", 4, 0, nodes="[2, 2]", format="zarr", pattern="shared", layout="[2, 1]"),
    setting("server", 4, 3, writers="{ranks: 1}"),
    setting("server_node", 4, 2, writers="{nodes: 1}", nodes="[3, 1]", format="netcdf4"),
]


def begin_sessions(folder: Path, setting: Setting, first: int, stride: int) -> Job:
    program = ("latecomer", setting.late, LATE_S, first, stride, sys.maxsize)
    return begin(folder, setting.yaml, [(setting.ranks, program, {})])


def steps_of(done: Run, rank: int) -> dict[int, int]:
    """How many collective calls a rank made, by session: the rank was late for the one of that number."""
    found = [re.fullmatch(r"(\d+) steps", outcome.label) for outcome in done.outcomes[rank]]
    return {int(match[1]): done.of(rank, match[0]).code for match in found if match}


def assert_session(done: Run, setting: Setting, session: int, is_last_step: bool) -> None:
    """At its last step nobody but those who get something from the rank that is late need to wait for it. In the
    barrier before a step, ranks of another node know of it what its leader has told, or that it has told nothing."""
    late = setting.late
    missing = rf"rank (\d, )?{late}(, \d)? did not|rank {late}: (computing|a server|in .*, not waiting)"
    elsewhere = rf"rank {late} was computing or stopped|node of rank (\d: nothing was heard of it|{late})"
    for rank in setting.others:
        calls = [outcome for outcome in done.outcomes[rank] if re.match(rf"{session} (?!steps)", outcome.label)]
        failures = [outcome for outcome in calls if outcome.code != 0]
        assert failures or is_last_step, f"rank {rank} did not miss the rank that was late for step {session}: {calls}"
        for failure in failures[:1]:
            assert failure.code == DEADLINE, failure
            assert DEADLINE_S * 0.9 < failure.seconds < DEADLINE_S + SLACK_S, failure
            assert re.search(f"{missing}|{elsewhere}", failure.text), failure.text


def test_a_rank_that_is_late_for_any_collective_step_is_named(tmp_path: Path) -> None:
    """Also one that is late for the first: it never came to thalweg_start."""
    stride = ways.of(9, 1)
    jobs = [begin_sessions(tmp_path / each.name, each, 1 + i, stride) for i, each in enumerate(SETTINGS)]
    for setting, job in zip(SETTINGS, jobs, strict=True):
        done = job.end(limit_s=ways.of(60.0, 600.0))
        assert done.returncode == 0, done.output
        steps = steps_of(done, setting.late)
        total = steps.pop(max(steps))
        assert len(steps) >= 30 / stride, steps
        for session in steps:
            assert_session(done, setting, session, is_last_step=session >= total)
