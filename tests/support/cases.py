"""Which combinations of settings are run: every pair of all settings, for servers and for sets of files of the settings
that differ most there. The long tests (ways.py) have every pair once more, and in full: every format x writers x
pattern; for sets of files formats x writers x patterns x decompositions; for servers formats x places."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from itertools import combinations, product
from random import Random

from support import conform
from support.batch import Job
from support.ways import ALL

Values = dict[str, tuple]
VALUES: Values = {
    "format": ("cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr", "fortran"),
    "writers": ("sync", "thread"),
    "pattern": ("single", "2x2", "3x1", "shared"),
    "mode": ("block", "deal", "empty", "mask", "barren"),
    "ranks": (1, 2, 4, 8, 12),
    "nodes": ("one", "two", "four", "heavy", "uneven"),
    "direct": ("auto", "off"),
    "ahead": ("auto", "1", "2"),
    "durability": ("none", "close", "record"),
    "order": ("same", "own"),
    "codec": ("none", "checksum", "shuffle", "deflate", "zstd", "zstd+checksum"),
    "chunks": ("auto", "odd", "large", "records", "shards"),
}
SETS = ("per-domain", "per-domain 3x1", "per-domain 2x2", "per-rank")
SET_VALUES = VALUES | {"format": ("cdf1", "cdf5", "netcdf4", "netcdf4-classic"), "pattern": SETS}
# Of what is inside of a file, which a set does not change, what differs most.
FEW_SET_VALUES = SET_VALUES | {
    "mode": ("block", "deal", "empty", "barren"),
    "ranks": (1, 4, 12),
    "ahead": ("auto", "1"),
    "codec": ("none", "zstd+checksum"),
    "chunks": ("auto", "records", "odd"),
}
SERVERS = ("rank", "2 ranks", "rank a node", "3 ranks on 2 nodes", "2 groups of ranks", "rank and spares", "node",
           "node for two", "2 nodes", "frontends", "2 groups of nodes", "2 ranks in one file", "3 ranks in one file",
           "2 ranks a node in one file", "backends in one file", "2 ranks when idle", "3 ranks when idle",
           "2 ranks a node when idle", "backends when idle", "3 groups of ranks", "rank on each of 3 uneven nodes",
           "rank on each of 4 nodes")  # fmt: skip
SERVER_VALUES = {name: VALUES[name] for name in VALUES if name not in ("writers", "nodes", "direct")} | {
    "servers": SERVERS,
    "pattern": ("auto", "2x2", "3x1", "shared", "per-domain", "per-rank"),
    "ranks": (1, 2, 3, 6),
}
# Without those that are to a server what another one is.
FEW_SERVER_VALUES = SERVER_VALUES | {
    "servers": tuple(p for p in SERVERS if p not in ("2 groups of ranks", "2 ranks in one file", "2 ranks when idle")),
    "format": ("cdf5", "netcdf4", "zarr", "fortran"),
    "pattern": ("auto", "2x2", "per-domain", "per-rank"),
    "mode": ("block", "deal", "empty", "barren"),
    "codec": ("none", "zstd+checksum"),
    "chunks": ("auto", "records", "shards"),
}
LEAST_CLIENTS = {
    "rank a node": 2,
    "3 ranks on 2 nodes": 2,
    "node for two": 2,
    "2 nodes": 2,
    "2 ranks a node in one file": 2,
    "2 ranks a node when idle": 2,
    "rank on each of 3 uneven nodes": 3,
    "rank on each of 4 nodes": 4,
}
DIVIDED = {
    "2 ranks in one file": "all",
    "3 ranks in one file": "3",
    "2 ranks a node in one file": "2",
    "backends in one file": "all",
}
# As a configuration says it, and the layout of the two-dimensional decompositions of 'fields'.
PATTERNS = {
    "2x1": ("shared", "[2, 1]"),
    "2x2": ("shared", "[2, 2]"),
    "3x1": ("shared", "[3, 1]"),
    "per-domain 3x1": ("per-domain", "[3, 1]"),
    "per-domain 2x2": ("per-domain", "[2, 2]"),
} | {name: (name, "") for name in ("auto", "single", "shared", "per-domain", "per-rank")}
ONE_BOX_MODES = ("block", "empty")
# Formats of tests that look at one thing, as a configuration says them. Small variables are compressed where their
# chunks are said.
FORMATS = {
    "cdf5": "cdf5",
    "netcdf4": "netcdf4",
    "netcdf4_zstd": "netcdf4, chunks: {y: 9, x: 13}, compression: {codec: zstd, checksum: true}",
    "zarr": "zarr",
    "zarr_shards": "zarr, chunks: {y: 9, x: 13}, compression: zstd, sharding: true",
}
NODE_COUNTS = {"one": 1, "two": 2, "four": 4, "heavy": 2, "uneven": 3}
LEAST_RANKS = {"one": 1, "two": 2, "four": 4, "heavy": 2, "uneven": 3}
RECORDS = 4
CHUNKED = ("netcdf4", "netcdf4-classic", "zarr")
COMPRESSION = {
    "none": "{codec: none, checksum: false}",
    "checksum": "{codec: none, checksum: true}",
    "shuffle": "{codec: none, shuffle: true, checksum: false}",
    "deflate": "{codec: deflate, level: 1, checksum: false}",
    "zstd": "{codec: zstd, checksum: false}",
    "zstd+checksum": "{codec: zstd, shuffle: false, checksum: true}",
}
ODD = {
    "fields": {"y": 23, "x": 31, "yc": 23, "xc": 31, "z": 3},
    "shapes": {"a0": 10, "b0": 4, "b1": 5, "c0": 3, "c1": 2, "c2": 4, "d0": 2, "d2": 3, "e0": 3, "e4": 5},
}
# No number of them makes an I/O domain of the layouts that are asked for.
LARGE = {"fields": {"y": 45, "x": 60, "yc": 45, "xc": 60}, "shapes": {"a0": 70, "b0": 12, "c1": 8, "d2": 6, "e4": 6}}
CHUNKS = {"odd": ODD, "large": LARGE, "shards": ODD}
CHUNKS["records"] = {name: cells | {"time": 3} for name, cells in ODD.items()}


def allowed(name: str, format_name: str, values: Values = VALUES) -> tuple:
    """The values that a setting may have in a format."""
    if name == "codec" and format_name in CHUNKED:
        return tuple(v for v in values[name] if format_name != "zarr" or v not in ("shuffle", "deflate"))
    if name == "chunks" and format_name in CHUNKED:
        return tuple(v for v in values[name] if format_name == "zarr" or v != "shards")
    return values[name][:1] if name in ("codec", "chunks") else values[name]


# Where servers are, by the number of clients: what 'writers' says, and the ranks of each node (none: one node).
Placed = tuple[str, int, str]


def place_servers(place: str, clients: int) -> Placed:
    """The setting 'writers', the ranks to start, and the setting 'emulate-nodes'."""
    half, other = (clients + 1) // 2, clients // 2
    placements: dict[str, tuple[str, list[int]]] = {
        "rank": ("{ranks: 1}", [clients + 1]),
        "2 ranks": ("{ranks: 2}", [clients + 2]),
        "rank a node": ("ranks", [half + 1, other + 1]),
        "3 ranks on 2 nodes": ("{ranks: 3}", [half + 1, other + 2]),
        "2 groups of ranks": ("{ranks: {count: 2, groups: 2}}", [clients + 2]),
        "rank and spares": (f"{{ranks: 1, clients: {clients}}}", [clients + 3]),
        "node": ("nodes", [clients, 2]),
        "node for two": ("nodes", [half, other, 1]),
        "2 nodes": ("{nodes: 2}", [half, other, 2, 1]),
        "frontends": ("{nodes: {count: 1, backends-per-node: 1}}", [clients, 4]),
        "2 groups of nodes": ("{nodes: {count: 3, groups: [2, 1], backends-per-node: 1}}", [clients, 2, 3, 2]),
        "2 ranks in one file": ("{ranks: 2}", [clients + 2]),
        "3 ranks in one file": ("{ranks: 3}", [clients + 3]),
        "2 ranks a node in one file": ("{ranks: 4}", [half + 2, other + 2]),
        "backends in one file": ("{nodes: {count: 2, backends-per-node: 2}}", [clients, 4, 3]),
        "3 groups of ranks": ("{ranks: {count: 3, groups: 3}}", [clients + 3]),
        "rank on each of 3 uneven nodes": ("ranks", [2, clients - 1, 2]),
        "rank on each of 4 nodes": ("ranks", [1 + (clients + node) // 4 for node in range(4)]),
        "2 ranks when idle": ("{ranks: 2, assign: idle}", [clients + 2]),
        "3 ranks when idle": ("{ranks: 3, assign: idle}", [clients + 3]),
        "2 ranks a node when idle": ("{ranks: 4, assign: idle}", [half + 2, other + 2]),
        "backends when idle": ("{nodes: {count: 2, backends-per-node: 2}, assign: idle}", [clients, 4, 3]),
    }
    writers, nodes = placements[place]
    return writers, sum(nodes), str(nodes) if len(nodes) > 1 else "none"


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
    codec: str = "none"
    chunks: str = "auto"
    servers: str = "none"  # then 'ranks' are those of the model

    def __str__(self) -> str:
        return "-".join(str(value).replace(" ", "_") for value in asdict(self).values())

    @property
    def is_possible(self) -> bool:
        fits = all(getattr(self, name) in allowed(name, self.format) for name in ("codec", "chunks"))
        has_boxes = self.pattern != "per-rank" or self.mode in ONE_BOX_MODES  # one a rank, which makes its file
        # Each record is committed by itself, so that what is compressed has one.
        has_commits = self.chunks != "records" or not self.is_encoded
        has_sets = not self.pattern.startswith("per-") or self.format in SET_VALUES["format"]
        least = LEAST_CLIENTS.get(self.servers, LEAST_RANKS[self.nodes])
        return fits and has_boxes and has_commits and has_sets and self.ranks >= least

    @property
    def is_plain(self) -> bool:
        return self.codec == "none" and self.chunks == "auto"

    @property
    def is_encoded(self) -> bool:
        return self.codec != "none"

    @property
    def emulated_nodes(self) -> str:
        lists = {"heavy": [self.ranks - 1, 1], "uneven": [1, self.ranks - 2, 1]}
        return {"one": "none", "two": "2", "four": "4"}.get(self.nodes) or str(lists[self.nodes])

    @property
    def placement(self) -> Placed:
        """What 'writers' says, ranks to start, what 'emulate-nodes' says."""
        if self.servers == "none":
            return self.writers, self.ranks, self.emulated_nodes
        return place_servers(self.servers, self.ranks)

    @property
    def node_count(self) -> int:
        return NODE_COUNTS[self.nodes]

    def pairs(self) -> set[tuple]:
        return set(combinations(((field.name, getattr(self, field.name)) for field in fields(self)), 2))

    def file(self, collection: str) -> str:
        return f"{collection}.zarr" if self.format == "zarr" else f"{collection}.nc"

    def encoding(self, collection: str) -> str:
        if self.format not in CHUNKED:
            return ""
        cells = ", ".join(f"{dim}: {count}" for dim, count in CHUNKS.get(self.chunks, {}).get(collection, {}).items())
        chunks = f", chunks: {{{cells}}}" if cells else ""
        sharding = ", sharding: true" if self.chunks == "shards" else ""
        return f", compression: {COMPRESSION[self.codec]}{chunks}{sharding}"

    def configuration(self) -> str:
        """The layout is for the decompositions of 'fields'; those of 'shapes' have any number of dimensions."""
        pattern, layout = PATTERNS[self.pattern]
        layout = f", layout: {layout}" if layout else ""
        writing = f"pattern: {pattern}, durability: {self.durability}, records-ahead: {self.ahead}"
        common = f"format: {self.format}, servers: {DIVIDED.get(self.servers, '1')}, {writing}"
        of = {name: f"{{file: {self.file(name)}, {common}{self.encoding(name)}" for name in ("fields", "shapes")}
        writers, _, nodes = self.placement
        return (
            f"writers: {writers}\nstaging: 256 MiB\ndirect-io: {self.direct}\nreport: none\ndeadline: 60 s\n"
            f"emulate-nodes: {nodes}\ncollections:\n"
            f"  fields: {of['fields']}{layout}}}\n  shapes: {of['shapes']}}}\n"
        )

    @property
    def environment(self) -> dict[str, str]:
        return {}

    @property
    def job(self) -> Job:
        types = "classic" if conform.types_of(self.format) == conform.CLASSIC_TYPES else "all"
        rotate = int(self.order == "own")
        words = (f"mode={self.mode}", f"records={RECORDS}", f"types={types}", f"rotate={rotate}")
        return Job("conform", self.placement[1], self.configuration(), words, tuple(self.environment.items()))

    @property
    def reference(self) -> Case:
        """What one rank writes by itself of the same values."""
        land = self.mode if self.mode in conform.MASKED_MODES else "block"
        return Case(format=self.format, mode=land, writers="sync", pattern="single", direct="off")


def filled(random: Random, values: Values, **given: object) -> Case:
    """A possible case with random values where none are given."""
    while True:
        format_name = given.get("format", random.choice(values["format"]))
        chosen = {name: random.choice(allowed(name, str(format_name), values)) for name in values if name != "format"}
        case = Case(**{"format": format_name} | chosen | given)
        if case.is_possible:
            return case


def best(random: Random, values: Values, missing: set[tuple], **given: object) -> Case:
    return max((filled(random, values, **given) for _ in range(60)), key=lambda case: len(case.pairs() & missing))


def all_pairs(values: Values = VALUES) -> set[tuple]:
    pairs = {
        ((one, a), (other, b)) for one, other in combinations(values, 2) for a, b in product(values[one], values[other])
    }
    return {pair for pair in pairs if can_be(pair, values)}


def can_be(pair: tuple, values: Values) -> bool:
    """Some format and the most ranks make the rest possible."""
    return any(Case(**{"format": name, "ranks": 12} | dict(pair)).is_possible for name in values["format"])


def one_cover(random: Random, values: Values, cases: list[Case]) -> list[Case]:
    """Every pair of all settings, by these cases and others."""
    missing = all_pairs(values).difference(*(case.pairs() for case in cases))
    cases = list(cases)
    while missing:
        cases.append(best(random, values, missing, **dict(min(missing, key=repr))))
        missing -= cases[-1].pairs()
    return cases


def every(random: Random, values: Values, *names: str) -> list[Case]:
    """A case for all that these settings may be together, and with that as many pairs of the others as can be."""
    missing = all_pairs(values)
    cases: list[Case] = []
    for chosen in product(*(values[name] for name in names)):
        given = dict(zip(names, chosen, strict=True))
        if not Case(**{"ranks": 12} | given).is_possible:
            continue
        cases.append(best(random, values, missing, **given))
        missing -= cases[-1].pairs()
    return cases


def covering_cases(in_full: bool = ALL) -> list[Case]:
    """In full two covers, because faults may need three settings at once. The same list in every run."""
    random = Random(20)
    few = one_cover(random, VALUES, [])
    if not in_full:
        return few
    return list(dict.fromkeys(few + one_cover(random, VALUES, every(random, VALUES, "format", "writers", "pattern"))))


def set_cases(in_full: bool = ALL) -> list[Case]:
    """Not in full, every pair of the few values, and each of the others in a case. The same list in every run."""
    random = Random(21)
    if in_full:
        formats = SET_VALUES | {"format": ("cdf5", "netcdf4")}
        return one_cover(random, SET_VALUES, every(random, formats, "format", "writers", "pattern", "mode"))
    return with_all_values(random, SET_VALUES, one_cover(random, FEW_SET_VALUES, []))


def with_all_values(random: Random, values: Values, cases: list[Case]) -> list[Case]:
    """These cases, and others with the values that they lack."""
    cases = list(cases)
    missing = all_pairs(values).difference(*(case.pairs() for case in cases))
    possible = dict.fromkeys(value for pair in sorted(missing, key=repr) for value in pair)
    for name, value in possible:
        if all(getattr(case, name) != value for case in cases):
            cases.append(best(random, values, missing, **{name: value}))
            missing -= cases[-1].pairs()
    return cases


def have_all_values(cases: list[Case], values: Values) -> bool:
    """All that are possible."""
    found = {value for case in cases for pair in case.pairs() for value in pair}
    return found >= {value for pair in all_pairs(values) for value in pair}


def server_cases(in_full: bool = ALL) -> list[Case]:
    """Not in full, every pair of the few values, and each of the others in a case. The same list in every run."""
    random = Random(22)
    if in_full:
        given = every(random, SERVER_VALUES | {"format": ("cdf5", "netcdf4", "zarr")}, "format", "servers")
        return one_cover(random, SERVER_VALUES, given)
    return with_all_values(random, SERVER_VALUES, one_cover(random, FEW_SERVER_VALUES, []))
