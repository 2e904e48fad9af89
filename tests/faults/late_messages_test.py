# ctest: SHORT LABELS mpi TIMEOUT 120
"""Messages between nodes that come late: one that came when its communicator is free would be taken for a message of
the next session, in the place of another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch import BUILD_DIR
from support import mpi
from support.cases import Case

LATE_MESSAGES = BUILD_DIR / "lib" / "liblate_messages.so"
CASES = [
    Case("cdf5", ranks=4, nodes="two"),
    Case("fortran", servers="2 ranks a node in one file", pattern="2x2", mode="empty", ranks=2, durability="record"),
    Case("netcdf4", servers="2 nodes", ranks=2),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_session_ends_when_all_messages_have_come(tmp_path: Path, case: Case) -> None:
    lines = []
    for number in range(3):
        folder = tmp_path / str(number)
        words = case.job.prepare(folder)
        lines.append("\t".join([str(folder), *words]) + "\n")
    (tmp_path / "start").write_text("".join(lines))
    log = tmp_path / "messages.log"
    late = {"LD_PRELOAD": str(LATE_MESSAGES), "THALWEG_TEST_LATE_MS": "100", "THALWEG_TEST_LATE_LOG": str(log)}
    words = [word for name, value in late.items() for word in ("-x", f"{name}={value}")]
    program = mpi.program(case.job.program)
    done = mpi.launch([*words, "-n", case.job.ranks, program, f"@{tmp_path / 'start'}"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    messages = log.read_text().splitlines()
    assert messages.count("late") >= 3
    assert "left over" not in messages
