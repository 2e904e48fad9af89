"""Which combinations of settings are run with `engine: library`: every pair; in the long tests (ways.py) also every
format x calls x launch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations, product
from random import Random

from support.cases import Case
from support.ways import ALL

CALLS = {
    "cdf1": ("collective", "independent", "nonblocking"),
    "cdf2": ("collective", "independent", "nonblocking"),
    "cdf5": ("collective", "independent", "nonblocking"),
    "netcdf4": ("collective", "independent"),
}
LAUNCHES = ((1, "one"), (2, "one"), (2, "two"), (4, "one"), (4, "two"))
VALUES: dict[str, tuple] = {
    "pattern": ("single", "2x1", "2x2", "shared"),
    "mode": ("block", "deal", "empty", "mask", "barren"),
    "mpi_io": ("ompio", "romio321"),
    "writers": ("thread", "sync"),
    "durability": ("close", "record", "none"),
    "hints": ("none", "{cb_nodes: 2, cb_buffer_size: 1 MiB}"),
    "order": ("same", "own"),
}
GIVEN = ("format", "calls", "ranks", "nodes")


@dataclass(frozen=True)
class LibraryCase(Case):
    calls: str = "collective"
    mpi_io: str = "ompio"
    hints: str = "none"

    def __str__(self) -> str:
        return "-".join(str(value) for value in asdict(self).values())

    def configuration(self) -> str:
        engine = f", engine: library, library-calls: {self.calls}, hints: {self.hints}}}\n"
        return super().configuration().replace("}\n", engine)

    @property
    def environment(self) -> dict[str, str]:
        return {"OMPI_MCA_io": self.mpi_io}


def given() -> list[dict[str, object]]:
    """Every format x calls x launch."""
    return [
        {"format": format_name, "calls": calls, "ranks": ranks, "nodes": nodes}
        for format_name in CALLS
        for calls, (ranks, nodes) in product(CALLS[format_name], LAUNCHES)
    ]


def pairs(case: LibraryCase) -> set[tuple]:
    """Of all values, chosen and given."""
    return set(combinations(((name, getattr(case, name)) for name in (*VALUES, *GIVEN)), 2))


def all_pairs() -> set[tuple]:
    chosen = [[(name, value) for value in values] for name, values in VALUES.items()]
    both_chosen = (pair for one, other in combinations(chosen, 2) for pair in product(one, other))
    launches = {item for launch in given() for item in launch.items()}
    both_given = {pair for launch in given() for pair in combinations(launch.items(), 2)}
    return set(both_chosen) | {pair for values in chosen for pair in product(values, launches)} | both_given


def best(random: Random, missing: set[tuple], launches: list[dict[str, object]]) -> LibraryCase:
    """Of some by chance the one that adds most pairs."""
    tries = [
        LibraryCase(**random.choice(launches), **{name: random.choice(values) for name, values in VALUES.items()})
        for _ in range(200)
    ]
    return max(tries, key=lambda case: len(pairs(case) & missing))


def library_cases(in_full: bool = ALL) -> list[LibraryCase]:
    """In full one for each launch that is given. The same list in every run."""
    random = Random(7)
    missing = all_pairs()
    cases = []
    launches = [[launch] for launch in given()] if in_full else []
    while launches or missing:
        cases.append(best(random, missing, launches.pop() if launches else given()))
        missing -= pairs(cases[-1])
    return cases
