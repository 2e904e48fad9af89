# ctest: SHORT TIMEOUT 120
"""Ranks that stay (tests/support/standing.py): runs share them and nothing else, and end as if each had its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support import python
from support.ways import ALL

pytestmark = pytest.mark.skipif(ALL, reason="each run of the long tests has ranks of its own")

HEAD = "import os, sys, time\nfrom mpi4py import MPI\nrank = MPI.COMM_WORLD.rank\n"
WHO = "print(os.getpid(), os.getcwd(), *sys.argv[1:])\n"
# The code, and what standard error has of the program; what mpiexec has to say gets lost now and then.
ENDS = {
    "raise ValueError('wrong')": (1, "ValueError: wrong"),
    "sys.exit(7)": (7, ""),
    "os.kill(os.getpid(), 9) if rank else MPI.COMM_WORLD.Barrier()": (137, ""),
    "MPI.COMM_WORLD.Abort(3)": (3, ""),
    "import thalweg; io = thalweg.start(config={'report': 'none'}); io.ready()": (None, ""),
}


def start(folder: Path, text: str, *words: object, limit_s: int = 60) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(HEAD + text)
    return python.start(folder / "program.py", 2, folder, None, *words, limit_s=limit_s)


def who(folder: Path, word: str) -> list[int]:
    """The processes, which have heard and said only what this run is about."""
    done = start(folder, WHO, word)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[1:] for line in lines] == [[str(folder), word]] * 2
    return [int(line[0]) for line in lines]


def test_runs_have_their_own_words_folder_and_output(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first = who(tmp_path, "one")
    assert start(tmp_path, "sys.exit(0)").returncode == 0
    assert who(tmp_path / "other", "two") == first


@pytest.mark.parametrize("text", ENDS)
def test_a_run_that_ends_the_ranks_is_told_as_one_of_its_own(tmp_path: Path, text: str) -> None:
    before, (code, said) = who(tmp_path, "one"), ENDS[text]
    done = start(tmp_path, text)
    assert code in (None, done.returncode) and said in done.stderr, done
    assert not set(who(tmp_path, "two")) & set(before)


def test_a_run_that_hangs_is_ended_at_its_limit(tmp_path: Path) -> None:
    done = start(tmp_path, "print('begun', flush=True)\ntime.sleep(100)", limit_s=2)
    assert (done.returncode, done.stdout) == (124, "begun\nbegun\n")
    assert len(who(tmp_path, "two")) == 2


def test_a_run_may_want_ranks_of_its_own(tmp_path: Path) -> None:
    before = who(tmp_path, "one")
    printed = python.run(tmp_path / "program.py", 2, tmp_path, None, alone=True)
    assert printed.count(str(tmp_path)) == 2 and not set(printed.split()) & set(map(str, before))
