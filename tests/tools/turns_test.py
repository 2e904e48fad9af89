# ctest: SHORT TIMEOUT 30
"""Cases by turns (support/turns.py): in each run every value, and in some runs together every case."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
import run_tests
from run_tests import ROOT
from support.turns import chosen

TURNS = 40
CASES = [{("format", f), ("place", p)} for f, p in product("abc", range(6))]
MODULE = """
import pytest
@pytest.mark.by_turns(2)
@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize("form", ["a", "b", "c", "d"])
def test_some(form, place): pass
@pytest.mark.parametrize("place", [1, 2, 3])
def test_all(place): pass
"""


@pytest.mark.parametrize("turn", range(TURNS))
def test_a_run_has_a_part_in_which_every_value_occurs(turn: int) -> None:
    places = chosen(CASES, 3, turn)
    assert len(places) <= 7
    assert set().union(*(CASES[place] for place in places)) == set().union(*CASES)
    assert places == chosen(CASES, 3, turn)


def test_some_runs_together_have_all_cases() -> None:
    assert set().union(*(chosen(CASES, 3, turn) for turn in range(TURNS))) == set(range(len(CASES)))


def test_of_cases_that_share_no_value_all_are_run() -> None:
    assert chosen([{("case", str(n))} for n in range(5)], 2) == [0, 1, 2, 3, 4]


def collected(folder: Path, *words: str, **variables: str) -> list[str]:
    (folder / "module_test.py").write_text(MODULE)
    unset = {name: text for name, text in os.environ.items() if name not in ("THALWEG_TEST_ALL", "THALWEG_TEST_TURN")}
    paths = os.pathsep.join(map(str, (ROOT / "tests", ROOT / "tools")))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "support.turns", "--collect-only"]
    command += [f"--rootdir={folder}", *words, "module_test.py"]
    environment = {**unset, "PYTHONPATH": paths, **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=25, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_tests_that_are_marked_are_run_by_turns(tmp_path: Path) -> None:
    some = [collected(tmp_path, THALWEG_TEST_TURN=turn) for turn in "12"]
    assert [len(lines) for lines in some] == [6 + 3, 6 + 3]
    assert some[0] != some[1]
    for words, variables in (((), {"THALWEG_TEST_ALL": "1"}), (("-k", "test"), {})):
        assert len(collected(tmp_path, *words, **variables)) == 12 + 3


def test_the_turn_is_of_the_commit_or_what_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(run_tests.TURN, "17")
    assert run_tests.turn() == "17"
    monkeypatch.delenv(run_tests.TURN)
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert run_tests.turn() == "0"
    as_one = ["-c", "user.name=a", "-c", "user.email=b"]
    for words in (["init", "-q"], [*as_one, "commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, timeout=20)
    head = subprocess.run(["git", "-C", str(tmp_path), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    assert run_tests.turn() == str(int(head.stdout[:6], 16) % 10000)


def test_a_run_has_one_sanitizer_and_the_next_number_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"sanitizer.address_undefined", "sanitizer.jobs.asan", "sanitizer.thread", "sanitizer.jobs.tsan"}
    had = []
    for turn in "45":
        monkeypatch.setenv(run_tests.TURN, turn)
        without, expression = run_tests.not_in_turn(["-N"])
        assert without == "-E"
        had.append({entry for entry in entries if not re.search(expression, entry)})
    assert [len(one) for one in had] == [2, 2]
    assert had[0] | had[1] == entries
    assert run_tests.not_in_turn(["-R", "sanitizer"]) == []
