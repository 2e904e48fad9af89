"""FMS's mask tables: the domains of a layout that are land alone, and have no rank."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from thalweg.cli.exit import Exit, Failure


@dataclass(frozen=True)
class MaskTable:
    layout: tuple[int, int]  # along x, then y
    masked: frozenset[tuple[int, int]]  # counted from 1, x first

    @property
    def ranks(self) -> int:
        return self.layout[0] * self.layout[1] - len(self.masked)


def numbers(line: str) -> tuple[int, ...]:
    """As Fortran reads them: with commas or blanks between. Nothing: there is something else."""
    words = re.split(r"\s*,\s*|\s+", line)
    return tuple(map(int, words)) if all(re.fullmatch(r"[-+]?\d{1,9}", word) for word in words) else ()


def read_mask_table(path: Path) -> MaskTable:
    """The number of masked domains, their layout `nx,ny`, and a line `i,j` for each of them. FMS stops at a number that
    is not met, so it is an error here too."""
    lines = [(n, line.strip()) for n, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)]
    rows = [(n, numbers(line)) for n, line in lines if line]

    def refuse(number: int, text: str) -> Failure:
        return Failure(Exit.INPUT, f"'{path}', line {number}: {text}")

    form = "it has to be the number of masked domains, then their layout nx,ny, then a line i,j for each"
    if len(rows) < 2 or len(rows[0][1]) != 1 or len(rows[1][1]) != 2 or min(rows[1][1]) < 1:
        raise Failure(Exit.INPUT, f"'{path}' is no mask table: {form}")
    (_, (count,)), (_, (nx, ny)), *rest = rows
    for number, row in rest:
        if len(row) != 2:
            raise refuse(number, f"this is no domain: {form}")
        if not (1 <= row[0] <= nx and 1 <= row[1] <= ny):
            raise refuse(number, f"domain {row[0]},{row[1]} lies outside of the layout {nx},{ny}, which counts from 1")
    masked = [(row[0], row[1]) for _, row in rest]
    for domain, times in Counter(masked).items():
        if times > 1:
            raise Failure(Exit.INPUT, f"'{path}': domain {domain[0]},{domain[1]} is there {times} times")
    if len(masked) != count:
        raise Failure(Exit.INPUT, f"'{path}': its first line says {count} masked domains, but {len(masked)} follow")
    if count == nx * ny:
        raise Failure(
            Exit.INPUT, f"'{path}': all {count} domains of the layout {nx},{ny} are masked, so that no rank is left"
        )
    return MaskTable((nx, ny), frozenset(masked))
