"""What calls were asked for (docs/formats/trace.md), by the numbers of their events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
LAST_PART, NARROW, MOVED = 8, 16, 32
FACTS_PART = np.dtype(
    [("kind", "u1"), ("flags", "u1"), ("part", "<u2"), ("event", "<u4"), ("words", "<i8", 6), ("check", "<u8")]
)
# Of a write: what the variable is, its dimensions, parts of a box, boxes; then the starts of the first box.
FIRST_START = 4


class Facts(Mapping[int, Words]):
    """The last words of each may be filling. A box that is told by an earlier one is made when it is asked for."""

    def __init__(self, written: dict[int, Words] | None = None) -> None:
        self.written = written or {}
        # Event, the event that tells its box, the dimension along which it lies elsewhere, its start there.
        self.moved: dict[int, tuple[int, int, int]] = {}

    def __getitem__(self, number: int) -> Words:
        if number not in self.moved:
            return self.written[number]
        other, along, start = self.moved[number]
        words = self.written[other].copy()
        words[FIRST_START + along] = start
        return words

    def __iter__(self) -> Iterator[int]:
        yield from self.written
        yield from self.moved

    def __len__(self) -> int:
        return len(self.written) + len(self.moved)

    def add_moved(self, events: NDArray[np.void], numbers: NDArray[np.int64]) -> int:
        """Takes from the events what tells their boxes, so that they are as others. How many boxes cannot be told."""
        lost = 0
        for i in np.flatnonzero(events["flags"] & MOVED):
            event = events[i]
            other, along, start = int(event["result"]) & 0xFFFFFFFF, int(event["along"]), int(event["offset"])
            words = self.written.get(other)
            event["result"], event["along"] = 0, 0
            if words is None or not FIRST_START <= FIRST_START + along < FIRST_START + words[1] <= len(words):
                lost += 1
                event["offset"] = start if along == 0 else -1
                continue
            self.moved[int(numbers[i])] = other, along, start
            event["offset"] = start if along == 0 else words[FIRST_START]
        return lost


def facts_of(parts: NDArray[np.void]) -> Facts:
    """Those of which every part is there."""
    parts = parts[np.lexsort((parts["part"], parts["event"]))]
    found = {}
    for own in np.split(parts, np.flatnonzero(np.diff(parts["event"])) + 1):
        if len(own) and own["flags"][-1] & LAST_PART and (own["part"] == np.arange(len(own))).all():
            kind = "<i4" if own["flags"][0] & NARROW else "<i8"
            found[int(own["event"][0])] = np.ascontiguousarray(own["words"]).reshape(-1).view(kind).astype(np.int64)
    return Facts(found)
