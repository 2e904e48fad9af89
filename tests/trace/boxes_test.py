# ctest: SHORT LABELS trace TIMEOUT 120
"""Boxes of writes: those that are told by an earlier one are the same as if they had been written down."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from support.tracing import run
from thalweg.trace.facts import MOVED
from thalweg.trace.log import FACTS, HEADER_BYTES, SLOT, SLOT_BYTES, Log, checks, read_log
from thalweg.trace.writes import boxes_of

SLOTS_AT = HEADER_BYTES + 256 * 128
CALLS = 400

# Boxes of variables of no to five dimensions: moved along one of them, along several, of another extent, with steps.
WRITING = f"""
import json, netCDF4, random
chance = random.Random(7)
written = []
def part(length):
    begin, step = chance.randrange(length), chance.choice((1, 1, 1, 2))
    return begin, len(range(begin, min(begin + step * chance.choice((1, 2)), length), step)), step
with netCDF4.Dataset("out.nc", "w") as file:
    names = "vwxyz"
    for name in names: file.createDimension(name, 6)
    variables = [file.createVariable(f"of{{n}}", "i4", tuple(names[:n])) for n in range(6)]
    box = {{}}
    for _ in range({CALLS}):
        n = chance.randrange(6)
        old = box.get(n)
        box[n] = [part(6) for _ in range(n)]
        if old and n and chance.random() < 0.7:
            along = chance.randrange(n)
            count, step = old[along][1:]
            moved = chance.randrange(6 - (count - 1) * step), count, step
            box[n] = [*old[:along], moved, *old[along + 1:]]
        variables[n][tuple(slice(b, b + (c - 1) * s + 1, s) for b, c, s in box[n])] = 3
        written.append(box[n])
json.dump(written, open("written.json", "w"))
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[list[int]]]]:
    folder = tmp_path_factory.mktemp("boxes")
    run(("env", "-C", folder, sys.executable, "-c", WRITING), folder / "logs", LAYERS="netcdf")
    (log,) = (folder / "logs").iterdir()
    return log, json.loads((folder / "written.json").read_text())


def puts_of(log: Log) -> list[int]:
    names = np.array([bytes(name).startswith(b"nc_put_var") for name in log.rows["name"]])
    return [int(number) for number in log.numbers[names[log.events["row"]]]]


def slots_of(path: Path) -> tuple[bytearray, np.ndarray]:
    data = bytearray(path.read_bytes())
    return data, np.frombuffer(data, SLOT, offset=SLOTS_AT, count=(len(data) - SLOTS_AT) // SLOT_BYTES)


def test_every_box_is_as_it_was_written(traced: tuple[Path, list[list[list[int]]]]) -> None:
    path, written = traced
    log = read_log(path)
    puts = puts_of(log)
    assert len(puts) == len(written) == CALLS and not log.losses
    assert len(log.facts.moved) > CALLS / 4, "such boxes are told by earlier ones"
    offset = dict(zip(log.numbers.tolist(), log.events["offset"].tolist(), strict=True))
    for number, box in zip(puts, written, strict=True):
        (found,), has_steps = boxes_of(log.facts[number])
        assert found == (tuple(begin for begin, _, _ in box), tuple(count for _, count, _ in box))
        assert has_steps == any(step > 1 for _, _, step in box)
        assert offset[number] == (box[0][0] if box else -1)
    assert set(log.events["result"][log.events["flags"] & MOVED > 0].tolist()) == {0}


def test_boxes_told_by_one_that_is_damaged_are_said_to_be_lost(
    traced: tuple[Path, list[list[list[int]]]], tmp_path: Path
) -> None:
    data, slots = slots_of(traced[0])
    whole = read_log(traced[0])
    others = [other for other, _, _ in whole.facts.moved.values()]
    other = max(set(others), key=others.count)
    facts = slots.view([("kind", "u1"), ("rest", "V3"), ("event", "<u4"), ("more", "V56")])
    (at,) = np.flatnonzero((facts["kind"] == FACTS) & (facts["event"] == other))
    data[SLOTS_AT + int(at) * SLOT_BYTES + 20] ^= 1
    (tmp_path / "damaged.trace").write_bytes(data)
    log = read_log(tmp_path / "damaged.trace")
    assert f"{others.count(other)} boxes of writes are lost" in " ".join(log.losses)
    lost = {number for number, of in whole.facts.moved.items() if of[0] == other} | {other}
    assert set(whole.facts) - set(log.facts) == lost
    for number in log.facts:
        assert np.array_equal(log.facts[number], whole.facts[number])


def test_a_dimension_that_cannot_be_is_not_believed(traced: tuple[Path, list[list[list[int]]]], tmp_path: Path) -> None:
    data, slots = slots_of(traced[0])
    changed = slots.copy()
    is_moved = (changed["kind"] == 2) & (changed["flags"] & MOVED > 0)
    changed["along"][is_moved] = 9
    changed["check"] = checks(changed)
    data[SLOTS_AT : SLOTS_AT + changed.nbytes] = changed.tobytes()
    (tmp_path / "strange.trace").write_bytes(data)
    log = read_log(tmp_path / "strange.trace")
    assert not log.facts.moved and f"{int(is_moved.sum())} boxes of writes are lost" in " ".join(log.losses)
