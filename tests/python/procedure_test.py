# ctest: SHORT TIMEOUT 120
"""A Python callable writes a collection of the format 'user'."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import python

NY, NX, RECORDS = 8, 6, 3
# With one record in memory the model waits in put for the callable, which needs the GIL.
WAYS: list[tuple[int, int, dict[str, Any]]] = [
    (1, 2, {"writers": "sync"}),
    (2, 1, {}),
    (4, 2, {"emulate-nodes": 2}),
    (4, 2, {"emulate-nodes": 2, "writers": "sync"}),
    (3, 1, {"writers": {"ranks": 1}}),
    (4, 2, {"emulate-nodes": 2, "writers": {"ranks": 2}}),
]
Events = list[dict[str, Any]]


def configuration(more: dict[str, Any], ahead: int = 2) -> dict[str, Any]:
    history = {"format": "user", "file": "mine", "pattern": "shared", "records-ahead": ahead}
    return {"collections": {"history": history}, "deadline": "20 s"} | more


@pytest.fixture(scope="module", params=WAYS, ids=str)
def of_nodes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Events]:
    """The calls of each node, in order."""
    ranks, ahead, more = request.param
    folder = tmp_path_factory.mktemp("procedure")
    mode = "registers" if isinstance(more.get("writers"), dict) else "keeps"
    python.run("procedure.py", ranks, folder, configuration(more, ahead), mode)
    found = [pickle.loads(file.read_bytes()) for file in sorted(folder.glob("blocks.*"))]
    assert len(found) == more.get("emulate-nodes", 1)
    return found


def written(variable: str, record: int | None) -> np.ndarray[Any, Any]:
    if variable == "mean":
        return np.float64(record)[()].reshape(())
    whole = np.arange(NY * NX).reshape(NY, NX)
    whole = whole if record is None else (whole + 100.0 * record).astype(np.float32)
    whole[:, -1] = -1
    return whole


@pytest.mark.parametrize("variable", ["height", "depth", "mean"])
def test_blocks_hold_every_value_once(of_nodes: list[Events], variable: str) -> None:
    for record in range(RECORDS) if variable != "depth" else [None]:
        wanted = written(variable, record)
        found = np.zeros_like(wanted)
        cells = 0
        for event in itertools.chain(*of_nodes):
            if (event["variable"], event["record"]) == (variable, record):
                place = tuple(slice(s, s + n) for s, n in zip(event["start"], event["count"], strict=True))
                assert (event["data"].dtype, event["shape"]) == (wanted.dtype, wanted.shape)
                found[place] = event["data"]
                cells += event["data"].size
        assert cells == wanted.size
        assert found.tobytes() == wanted.tobytes()


def test_events_come_in_order(of_nodes: list[Events]) -> None:
    for events in of_nodes:
        assert (events[0]["event"], events[-1]["event"]) == ("BEGIN", "END")
        assert {(event["collection"], event["file"]) for event in events} == {("history", "mine")}
        moving = [event for event in events[1:-1] if event["record"] is not None]
        assert [event["record"] for event in moving] == sorted(event["record"] for event in moving)
        assert [event["record"] for event in moving if event["event"] == "RECORD"] == list(range(RECORDS))
        assert {(event["record_in_file"], event["time_s"]) for event in moving} == {(0, 60.0), (1, 120.0), (2, 180.0)}


@pytest.mark.parametrize(("ranks", "writers"), [(1, "sync"), (2, "thread")])
def test_what_it_raises_ends_the_output_with_its_text(tmp_path: Path, ranks: int, writers: str) -> None:
    done = python.start("procedure.py", ranks, tmp_path, configuration({"writers": writers}), "raises")
    assert done.returncode not in (0, 124, 137), done.stderr
    assert "the model's write procedure threw 'ValueError: no paper in the printer (line" in done.stderr
    assert "procedure.py)' at RECORD of record 1" in done.stderr
    assert "thalweg.errors.Error" in done.stderr


def test_data_that_it_holds_on_to_end_the_output(tmp_path: Path) -> None:
    done = python.start("procedure.py", 1, tmp_path, configuration({}), "holds")
    assert done.returncode not in (0, 124, 137), done.stderr
    assert "kept the data of a block, which are valid during the call only" in done.stderr


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_model_that_forgets_to_finish_ends_all_the_same(tmp_path: Path, ranks: int) -> None:
    done = python.start("procedure.py", ranks, tmp_path, configuration({}), "forgets")
    assert done.returncode == 0, done.stderr
    assert "a thalweg.Session was not finished" in done.stderr
    assert "Fatal" not in done.stderr
