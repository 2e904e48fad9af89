"""What can be seen of a Zarr store without reading values: objects, names, and what its parts say of its records."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import ceil, prod
from pathlib import Path
from typing import Any

from thalweg.cli.finding import Finding, note, ok, problem
from thalweg.cli.output import counted
from thalweg.data import Dataset
from thalweg.data.core import is_growing_store, owner_of

DIFFER = "readers that ask the array get other values than those that ask the root; write the store again"


def looks_of_store(dataset: Dataset) -> list[Finding]:
    path = dataset.path
    found = []
    if is_growing_store(path) and not owner_of(path):
        text = "'thalweg.json' is there: the run that wrote the store has ended before its time"
        found.append(note("growing", text, "thalweg recover"))
    unfinished = sorted(str(p.relative_to(path)) for p in path.rglob("*.partial"))
    if unfinished:
        text = f"{counted(len(unfinished), 'object')} not finished, such as '{unfinished[0]}'"
        found.append(
            note("objects", text, "readers do not see them; 'thalweg recover' deletes them in a growing store")
        )
    of_root = metadata_of_root(path)
    for name in dataset.variables:
        found += looks_of_array(dataset, name, of_root.get(name, {}))
    return found or [ok("objects", "all chunks are there, and the arrays agree with the root")]


@dataclass(frozen=True)
class Grid:
    """What an array's own metadata say, of which the root has a copy."""

    shape: tuple[int, ...]
    extents: tuple[int, ...]  # of an object
    metadata: dict[str, Any]


def grid_of(array: Path) -> Grid | None:
    """None: there is no metadata that could be understood."""
    try:
        said = json.loads((array / "zarr.json").read_text(encoding="utf-8"))
        shape = tuple(int(size) for size in said["shape"])
        extents = tuple(int(size) for size in said["chunk_grid"]["configuration"]["chunk_shape"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Grid(shape, extents, said) if len(shape) == len(extents) and min(extents, default=1) > 0 else None


def metadata_of_root(store: Path) -> dict[str, dict[str, Any]]:
    """The copies of the arrays' metadata; none: the root has none, or none that could be understood."""
    try:
        said = json.loads((store / "zarr.json").read_text(encoding="utf-8"))
        copies = said["consolidated_metadata"]["metadata"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return copies if isinstance(copies, dict) else {}


def has_record_under_way(dataset: Dataset, own: tuple[int, ...], of_root: tuple[int, ...]) -> bool:
    """Only a growing store goes ahead of its root, and only in records."""
    return is_growing_store(dataset.path) and own[1:] == of_root[1:] and own > of_root


def looks_of_array(dataset: Dataset, name: str, copy: dict[str, Any]) -> list[Finding]:
    grid, variable = grid_of(dataset.path / name), dataset.variables[name]
    if grid is None or len(grid.shape) != len(variable.shape):
        return [problem("metadata", f"'{name}/zarr.json' is missing, damaged, or of another array than the root says")]
    found = []
    other = sorted(key for key in copy if key not in ("shape", "attributes") and copy[key] != grid.metadata.get(key))
    if other:
        text = f"'{name}' has another {', '.join(other)} by itself than by the root"
        found.append(problem("metadata", text, DIFFER))
    if grid.shape != variable.shape:
        text = f"'{name}' has the shape {grid.shape} by itself, {variable.shape} by the root"
        if has_record_under_way(dataset, grid.shape, variable.shape):
            found.append(note("metadata", f"{text}: a record is under way, or was when the run was killed"))
        else:
            found.append(problem("metadata", text, DIFFER))
    wanted = prod(ceil(size / extent) for size, extent in zip(variable.shape, grid.extents, strict=True))
    there = sum(1 for p in (dataset.path / name).rglob("*") if is_object(p))
    if there < wanted:
        text = f"'{name}' has {there} of {wanted} objects; values of the others read as fill values"
        found.append(note("objects", text, "right where nobody has cells, such as land; otherwise data are lost"))
    return found


def is_object(path: Path) -> bool:
    return path.is_file() and path.name != "zarr.json" and path.suffix != ".partial"
