"""Cases by turns: of a test that is marked `by_turns(n)` a run has one of n cases, another run others.

Which ones depends on the number TURN alone: tools/run_tests.py derives it from the commit, and prints it, so that all
cases are run in time, and a run can be made again. In each run every value of every parameter occurs. The long tests
have all cases."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from itertools import groupby
from random import Random
from typing import TypeVar

import pytest
from support.ways import ALL

TURN = int(os.environ.get("THALWEG_TEST_TURN", "0"))

T = TypeVar("T")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "by_turns(n): a run has one of n cases (support/turns.py)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that is called by name is run whatever its turn."""
    if ALL or config.option.keyword or any("::" in str(word) for word in config.args):
        return
    kept: set[pytest.Item] = set()
    for _, group in groupby(items, key=lambda item: (item.path, getattr(item, "originalname", item.name))):
        kept.update(in_turn(list(group)))
    left = [item for item in items if item not in kept]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item in kept]


def in_turn(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    mark = items[0].get_closest_marker("by_turns")
    if mark is None:
        return list(items)
    (every,) = mark.args
    return [items[n] for n in chosen([values_of(item.callspec.params) for item in items], every)]  # type: ignore[attr-defined]


def values_of(parameters: dict[str, object]) -> set[tuple[str, str]]:
    """Names with values; of a parameter that has several in it, those of its own."""
    found = set()
    for name, value in parameters.items():
        if is_dataclass(value):
            found |= {(f"{name}.{field.name}", repr(getattr(value, field.name))) for field in fields(value)}
        else:
            found.add((name, repr(value)))
    return found


def chosen(cases: Sequence[set[tuple[str, str]]], every: int, turn: int = TURN) -> list[int]:
    """The places of one of so many cases, and of more where a value would not occur."""
    order = list(range(len(cases)))
    Random(turn).shuffle(order)
    seen: set[tuple[str, str]] = set()
    first, rest = [], []
    for place in order:
        (rest if cases[place] <= seen else first).append(place)
        seen |= cases[place]
    first = without_needless(cases, first)
    rest = [place for place in order if place not in first]
    return sorted(first + rest[: max(0, math.ceil(len(cases) / every) - len(first))])


def without_needless(cases: Sequence[set[tuple[str, str]]], places: Iterable[int]) -> list[int]:
    """Some of the places, among which still every value occurs."""
    kept = list(places)
    times: dict[tuple[str, str], int] = defaultdict(int)
    for place in kept:
        for value in cases[place]:
            times[value] += 1
    for place in list(kept):
        if all(times[value] > 1 for value in cases[place]):
            kept.remove(place)
            for value in cases[place]:
                times[value] -= 1
    return kept


def some(every: Sequence[T], stride: int) -> Sequence[T]:
    """Each so many-th of them, from another place on in each run."""
    return every if ALL else every[TURN % max(1, min(stride, len(every))) :: stride]
