"""How far the first rank has come, told by a file to whoever has started the ranks and waits for them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from thalweg.cli.output import progress

INTERVAL_S = 0.1
WHOLE = 1000  # of a bar


class Told:
    """By the first rank, seldom: what it measures is not to be seen in it."""

    def __init__(self, file: Path | None, steps: int) -> None:
        """file: None on other ranks."""
        self.file, self.steps, self.done = file, steps, 0
        self.told_s = time.monotonic()

    def step(self) -> None:
        self.done += 1
        now = time.monotonic()
        if self.file is None or now - self.told_s < INTERVAL_S:
            return
        self.told_s = now
        with suppress(OSError):  # the disk is full, which the files have to say
            self.file.write_text(f"{self.done} {self.steps}")


@contextmanager
def shown(file: Path, text: str) -> Iterator[None]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    with progress(text, WHOLE) as advance:
        reader = Thread(target=follow, args=(file, advance, ended), daemon=True)
        reader.start()
        try:
            yield
        finally:
            ended.set()
            reader.join()


def follow(file: Path, advance: Callable[[int], None], ended: Event) -> None:
    seen = 0
    while not ended.wait(INTERVAL_S):
        # It may not be there yet, or half written.
        with suppress(OSError, ValueError):
            done, steps = (int(word) for word in file.read_text().split())
            advance(WHOLE * done // steps - seen)
            seen = WHOLE * done // steps
