"""Which combinations of settings are run: those in which every two values meet, or all, as the long tests want it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import combinations, product
from typing import TypeVar

ALL = "THALWEG_TEST_ALL" in os.environ  # 'make soak'

T = TypeVar("T")


def pairs_of(way: Sequence[object]) -> set[tuple]:
    return set(combinations(enumerate(way), 2))


def covering(*values: Sequence[object]) -> list[tuple]:
    """Ways from the product of these values that have all its pairs; the same list in every run."""
    return covering_of(list(product(*values)))


def covering_of(every: Sequence[tuple]) -> list[tuple]:
    """Some of these ways, that have all pairs which they have."""
    missing = set().union(*map(pairs_of, every))
    chosen = []
    while missing:
        chosen.append(max(every, key=lambda way: len(pairs_of(way) & missing)))
        missing -= pairs_of(chosen[-1])
    return chosen


def ways(*values: Sequence[object]) -> list[tuple]:
    return list(product(*values)) if ALL else covering(*values)


def of(few: T, many: T) -> T:
    """What the long tests have more of."""
    return many if ALL else few
