# ctest: SHORT TIMEOUT 30
"""The job scripts of examples/batch: what they launch fits what they ask for."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support import mpi

SCRIPTS = sorted(path for path in (mpi.SOURCE / "examples" / "batch").iterdir() if path.suffix in (".slurm", ".pbs"))
# In place of the launcher: says how it was called, its programs' environment, and what a file among its words holds.
LAUNCHER = """#!/bin/bash
printf '%q ' "$@"; echo
echo "writers ${THALWEG_WRITERS:-}"
for word in "$@"; do if [ -f "$word" ]; then cat "$word"; fi; done
"""


def launched(script: Path, folder: Path) -> str:
    for name in ("srun", "mpiexec"):
        (folder / name).write_text(LAUNCHER)
        (folder / name).chmod(0o755)
    nodes = str(nodes_asked_for(script.read_text()))
    environment = os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PBS_O_WORKDIR": str(folder),
        "SLURM_JOB_NUM_NODES": nodes,
    }
    done = subprocess.run(
        ["bash", str(script)], cwd=folder, env=environment, capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def nodes_asked_for(text: str) -> int:
    if found := re.search(r"#SBATCH --nodes=(\d+)", text):
        return int(found[1])
    return sum(int(part.split(":")[0]) for part in re.search(r"select=(\S+)", text)[1].split("+"))


def ranks_launched(output: str) -> int | None:
    """None: as many as the job has."""
    words = shlex.split(output.splitlines()[0])
    if "--multi-prog" in words:
        spans = re.findall(r"^(\d+)-(\d+) ", output, re.MULTILINE)
        assert [int(first) for first, _ in spans] == [0, *(int(last) + 1 for _, last in spans[:-1])]
        return int(spans[-1][1]) + 1
    counts = [int(words[place + 1]) for place, word in enumerate(words) if word == "-n"]
    return sum(counts) if counts else None


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_job_script_launches_as_many_ranks_as_it_asks_for(script: Path, tmp_path: Path) -> None:
    text = script.read_text()
    output = launched(script, tmp_path)
    assert ranks_launched(output) in (None, 48 * nodes_asked_for(text))
    assert re.search(r"(ntasks-per-node|mpiprocs)=48\b", text)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_job_script_says_who_writes_to_every_program(script: Path, tmp_path: Path) -> None:
    output = launched(script, tmp_path)
    wanted = {
        "thread": "thread",
        "ranks": "{ranks: 8}",
        "nodes": "{nodes: {count: 2, backends-per-node: 4}}",
        "mpmd": "{nodes: {count: 2, backends-per-node: 4}}",
    }[script.stem]
    if script.suffix == ".slurm":
        assert f"writers {wanted}\n" in output
    else:
        programs = " ".join(shlex.split(output.splitlines()[0])).split(" : ")
        assert all(f"env THALWEG_WRITERS={wanted} " in program for program in programs)


def test_there_is_a_script_of_each_system_for_each_placement() -> None:
    placements = ("thread", "ranks", "nodes", "mpmd")
    assert {path.name for path in SCRIPTS} == {
        f"{place}.{system}" for place in placements for system in ("slurm", "pbs")
    }


def test_no_script_leaves_a_file_behind(tmp_path: Path) -> None:
    for script in SCRIPTS:
        launched(script, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"srun", "mpiexec"}
