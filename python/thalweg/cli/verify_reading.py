"""Reads every value of variables, and sums up what it reads where somebody asks for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from thalweg.cli.output import progress
from thalweg.data import DataError, Dataset, Variable
from thalweg.data.checksums import Summing
from thalweg.data.slabs import slabs_of, volume

# Filters that find a damaged chunk when it is read; deflate ends in a checksum of its own (adler32).
CHECKSUMS = {"fletcher32": "Fletcher32", "crc32c": "crc32c", "deflate": "deflate's adler32"}


@dataclass(frozen=True)
class Read:
    variable: str
    values: int
    checksum: str  # "" if the format has none for it
    fault: str  # "" if every value was read


def read_all(dataset: Dataset, names: Sequence[str], slab_bytes: int, summing: Mapping[str, Summing]) -> list[Read]:
    total = sum(dataset.variables[name].size for name in names)
    with progress("reading", total) as advance:
        return [read_one(dataset.variables[name], slab_bytes, advance, summing.get(name)) for name in names]


def read_one(variable: Variable, slab_bytes: int, advance: Callable[[int], None], summing: Summing | None) -> Read:
    read, fault = 0, ""
    for slab in slabs_of(variable, slab_bytes):
        try:
            values = variable.read(slab)
            read += values.size
            if summing is not None:
                summing.add(slab, values)
        except DataError as damage:
            fault = fault or f"{[along.start for along in slab]} to {[along.stop - 1 for along in slab]}: {damage}"
        advance(volume([along.stop - along.start for along in slab]))
    checksum = ", ".join(CHECKSUMS[name] for name in variable.filters if name in CHECKSUMS)
    return Read(variable.name, read, checksum, fault)
