"""Which combinations of settings are run: every format x writers x pattern, and every pair of all settings, twice."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from itertools import combinations, product
from pathlib import Path
from random import Random

from support import conform, mpi

VALUES: dict[str, tuple] = {
    "format": ("cdf1", "cdf2", "cdf5", "netcdf4", "fortran"),
    "writers": ("sync", "thread"),
    "pattern": ("single", "2x2", "3x1", "auto"),
    "mode": ("block", "deal", "empty", "mask", "barren"),
    "ranks": (1, 2, 4, 8, 12),
    "nodes": ("one", "two", "four", "heavy", "uneven"),
    "direct": ("auto", "off"),
    "ahead": ("auto", "1", "2"),
    "durability": ("none", "close", "record"),
    "order": ("same", "own"),
}
LEAST_RANKS = {"one": 1, "two": 2, "four": 4, "heavy": 2, "uneven": 3}
RECORDS = 4


@dataclass(frozen=True)
class Case:
    format: str = "cdf5"
    writers: str = "thread"
    pattern: str = "auto"
    mode: str = "block"
    ranks: int = 1
    nodes: str = "one"
    direct: str = "auto"
    ahead: str = "auto"
    durability: str = "close"
    order: str = "same"

    def __str__(self) -> str:
        return "-".join(str(value) for value in asdict(self).values())

    @property
    def is_possible(self) -> bool:
        return self.ranks >= LEAST_RANKS[self.nodes]

    @property
    def emulated_nodes(self) -> str:
        lists = {"heavy": [self.ranks - 1, 1], "uneven": [1, self.ranks - 2, 1]}
        return {"one": "none", "two": "2", "four": "4"}.get(self.nodes) or str(lists[self.nodes])

    def pairs(self) -> set[tuple]:
        return set(combinations(((field.name, getattr(self, field.name)) for field in fields(self)), 2))

    def configuration(self) -> str:
        """The layout is for the two-dimensional decompositions of 'fields'; those of 'shapes' have any number."""
        layout = {"single": "", "auto": ""}.get(self.pattern, f", layout: [{self.pattern.replace('x', ', ')}]")
        pattern = {"single": "single", "auto": "auto"}.get(self.pattern, "shared")
        writing = f"pattern: {pattern}, durability: {self.durability}, records-ahead: {self.ahead}"
        common = f"format: {self.format}, {writing}"
        return (
            f"writers: {self.writers}\nstaging: 256 MiB\ndirect-io: {self.direct}\nreport: none\ndeadline: 30 s\n"
            f"emulate-nodes: {self.emulated_nodes}\ncollections:\n"
            f"  fields: {{file: fields.nc, {common}{layout}}}\n  shapes: {{file: shapes.nc, {common}}}\n"
        )

    def run(self, folder: Path, *words: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "conform.yaml").write_text(self.configuration())
        classic = conform.types_of(self.format) == conform.CLASSIC_TYPES
        mpi.run("conform", self.ranks, folder, "conform.yaml", f"mode={self.mode}", f"records={RECORDS}",
                f"types={'classic' if classic else 'all'}", f"rotate={int(self.order == 'own')}", *words)  # fmt: skip


def filled(random: Random, **given: object) -> Case:
    """A possible case with random values where none are given."""
    while True:
        case = Case(**{name: random.choice(values) for name, values in VALUES.items()} | given)
        if case.is_possible:
            return case


def best(random: Random, missing: set[tuple], **given: object) -> Case:
    return max((filled(random, **given) for _ in range(60)), key=lambda case: len(case.pairs() & missing))


def all_pairs() -> set[tuple]:
    pairs = {
        ((one, a), (other, b)) for one, other in combinations(VALUES, 2) for a, b in product(VALUES[one], VALUES[other])
    }
    return {pair for pair in pairs if not (pair[0][0] == "ranks" and pair[1][0] == "nodes") or is_launch(pair)}


def is_launch(pair: tuple) -> bool:
    return Case(ranks=pair[0][1], nodes=pair[1][1]).is_possible


def one_cover(random: Random) -> list[Case]:
    """Every format with every writer and pattern, and every pair of all settings."""
    missing = all_pairs()
    cases: list[Case] = []
    for format_name, writers, pattern in product(VALUES["format"], VALUES["writers"], VALUES["pattern"]):
        cases.append(best(random, missing, format=format_name, writers=writers, pattern=pattern))
        missing -= cases[-1].pairs()
    while missing:
        cases.append(best(random, missing, **dict(min(missing, key=repr))))
        missing -= cases[-1].pairs()
    return cases


def covering_cases() -> list[Case]:
    """Two covers, because faults may need three settings at once. The same list in every run."""
    random = Random(20)
    return list(dict.fromkeys(one_cover(random) + one_cover(random)))
