"""What the ranks are to do, as a file that each of them reads."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.replay.plan import Plan

COLLECTION = "replay"


class Launched(ABC):
    """What ranks are started for (launch.py)."""

    source: str
    folder: str

    @abstractmethod
    def save(self) -> Path:
        """The file from which each rank reads it."""

    @property
    def told(self) -> Path:
        """Of how far the first rank has come."""
        return Path(self.folder) / "told"

    def result(self, name: str) -> Path:
        return Path(self.folder) / f"{name}.json"


@dataclass(frozen=True)
class Job(Launched):
    source: str
    output: str  # the file that Thalweg writes
    folder: str  # for what is said between processes, and for the file of the classic way
    format: str
    record_dim: str = ""
    cuts: tuple[tuple[str, ...], ...] = ()
    halo: int = 0
    step_s: float = 0.0
    repeat: int = 1
    memory: int = 1 << 30  # of all ranks, for values that are read ahead
    classic: bool = True
    settings: Mapping[str, str] = field(default_factory=dict)  # keys of the configuration, with values in YAML
    compression: Mapping[str, str] = field(default_factory=dict)  # of variables, in YAML

    def save(self) -> Path:
        path = Path(self.folder) / "job.json"
        path.write_text(json.dumps(asdict(self)))
        return path

    @staticmethod
    def load(path: str) -> Job:
        found: dict[str, Any] = json.loads(Path(path).read_text())
        found["cuts"] = tuple(tuple(names) for names in found["cuts"])
        return Job(**found)

    def yaml(self, plan: Plan, clock: Mapping[str, str]) -> str:
        """The configuration: what follows from the file, then what the user says."""
        own = f"collections.{COLLECTION}."
        tree: dict[str, Any] = {}
        for key, value in {
            "report": "none",
            "profile": json.dumps(str(self.result("profile"))),
            **{key: json.dumps(value) for key, value in clock.items()},
            **staging(plan),
            f"{own}file": json.dumps(self.output.replace("%", "%%")),
            f"{own}format": self.format,
            f"{own}record-dimension": json.dumps(plan.record_name),
            **self.settings,
        }.items():
            put(tree, key, value)
        put_compression(tree["collections"][COLLECTION], self.compression)
        return flow(tree)


def staging(plan: Plan) -> dict[str, str]:
    """Room for two records and what has no records, where this is more than there is by default."""
    needed = (2 * plan.record_bytes + plan.fixed_bytes) * 5 // 4
    return {"staging": f"{needed >> 20} MiB"} if needed > (2 << 30) else {}


def put(tree: dict[str, Any], key: str, value: str) -> None:
    """A key with dots, into maps of maps."""
    *path, last = key.split(".")
    for number, name in enumerate(path):
        tree = tree.setdefault(name, {})
        if not isinstance(tree, dict):
            said = ".".join(path[: number + 1])
            raise Failure(Exit.USAGE, f"--set {key}: '{said}' has a value already; say one of both")
    if isinstance(tree.get(last), dict):
        raise Failure(Exit.USAGE, f"--set {key}: keys below it have values already; say one of both")
    tree[last] = value


def put_compression(collection: dict[str, Any], compression: Mapping[str, str]) -> None:
    """The names of variables may have dots, and what the user says of one prevails."""
    variables = collection.setdefault("variables", {}) if compression else None
    if isinstance(variables, dict):
        for name, text in compression.items():
            own = variables.setdefault(name, {})
            if isinstance(own, dict):
                own.setdefault("compression", text)


def flow(tree: Mapping[str, Any]) -> str:
    """YAML on one line, in which values stand as they were given."""
    items = (f"{json.dumps(key)}: {flow(value) if isinstance(value, dict) else value}" for key, value in tree.items())
    return "{" + ", ".join(items) + "}"
