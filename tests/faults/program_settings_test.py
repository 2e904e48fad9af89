# ctest: SERIAL TIMEOUT 60
"""Settings of the program's that are wrong: all faults at once with their places, as in a file, and the collection can
be opened with others."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import pytest
from launch import AGREEMENT, ARGUMENT, CONFIG, NAME, Run, run

YAML = "report: none\ncollections:\n  other: {file: other.nc}\n"
RANKS = {"thread": 2, "{ranks: 1}": 3}


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("wrong"), YAML, 2, ("program_settings", "wrong"))


@pytest.mark.parametrize(
    ("label", "code", "parts"),
    [
        (
            "several faults",
            CONFIG,
            (
                "open_collection_text('history'):1:8: error: every",
                "    1 | every: 6 parsecs\n      |        ^",
                "open_collection_text('history'):2:1: error: unknown key 'fromat'; did you mean 'format'",
            ),
        ),
        ("no keys", CONFIG, ("open_collection_text('history'):1:1", "this is a single value")),
        ("no text", CONFIG, ("open_collection_text('history'):1:9", "the '[' is not closed by ']'")),
        ("what the format lacks", CONFIG, ("codec", "have no compression")),
        ("key of the session", CONFIG, ("unknown key 'staging' here; it belongs at the top level",)),
        ("name of a file that another has", CONFIG, ("the file of the collection 'other' already",)),
        ("time without a time step", CONFIG, ("collection 'history'", "time-step: 10 min")),
        ("no name", ARGUMENT, ("'name'",)),
        ("no session", ARGUMENT, ("'session'",)),
        ("open already", NAME, ("'history' is open already",)),
    ],
)
def test_it_is_refused_with_its_place(wrong: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    for rank in range(2):
        outcome = wrong.of(rank, label)
        assert outcome.code == code, outcome
        for part in parts:
            assert part in outcome.text, f"no '{part}' in:\n{outcome.text}"


def test_the_collection_is_written_with_the_settings_that_were_right(wrong: Run) -> None:
    assert wrong.returncode == 0, wrong.output
    assert wrong.of(0, "right").code == 0
    with netCDF4.Dataset(wrong.folder / "history.nc") as file:
        assert len(file.dimensions["time"]) == 1


@pytest.mark.parametrize("writers", RANKS)
def test_ranks_that_give_different_settings_hear_of_it(tmp_path: Path, writers: str) -> None:
    done = run(tmp_path, f"writers: {writers}\nreport: none\n", RANKS[writers], ("program_settings", "disagree"))
    for rank in range(2):
        outcome = done.of(rank, "ready")
        assert outcome.code == AGREEMENT
        for part in ("settings differ", "collections.history.every = 3 steps", "collections.history.every = 2 steps"):
            assert part in outcome.text, f"no '{part}' in:\n{outcome.text}"
