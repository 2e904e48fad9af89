# ctest: SHORT TIMEOUT 60
"""Servers hear of each call at once: none waits until they look by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch import history, run

TIMES = 100


@pytest.mark.parametrize(("writers", "nodes"), [("{ranks: 1}", "none"), ("{nodes: 1}", "[3, 1]")])
def test_no_call_waits_for_a_server_that_sleeps(tmp_path: Path, writers: str, nodes: str) -> None:
    yaml = history(writers, f"emulate-nodes: {nodes}\n", every="1 steps")
    done = run(tmp_path, yaml, 4, ("calls", TIMES), limit_s=40)
    assert done.returncode == 0, done.output
    slow = {name: int(count) for name, _, count in (line.split() for line in done.output.splitlines())}
    assert {"decompose", "define_text", "ready", "put", "advance", "flush", "wait"} <= slow.keys(), done.output
    assert sum(slow.values()) <= TIMES * 0.03, done.output
