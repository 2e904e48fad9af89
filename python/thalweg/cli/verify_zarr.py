"""What can be seen of a Zarr store without reading values: objects, names, and what its parts say of its records."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import ceil, prod
from pathlib import Path

from thalweg.cli.finding import Finding, note, ok, problem
from thalweg.cli.output import counted
from thalweg.data import Dataset


def looks_of_store(dataset: Dataset) -> list[Finding]:
    path = dataset.path
    found = []
    if (path / "thalweg.json").exists():
        found.append(
            note("growing", "'thalweg.json' is there: the store grows, or its run was killed", "thalweg recover")
        )
    unfinished = sorted(str(p.relative_to(path)) for p in path.rglob("*.partial"))
    if unfinished:
        text = f"{counted(len(unfinished), 'object')} not finished, such as '{unfinished[0]}'"
        found.append(
            note("objects", text, "readers do not see them; 'thalweg recover' deletes them in a growing store")
        )
    for name in dataset.variables:
        found += looks_of_array(dataset, name)
    return found or [ok("objects", "all chunks are there, and the arrays agree with the root")]


@dataclass(frozen=True)
class Grid:
    """What an array's own metadata say, of which the root has a copy."""

    shape: tuple[int, ...]
    extents: tuple[int, ...]  # of an object


def grid_of(array: Path) -> Grid | None:
    """None: there is no metadata that could be understood."""
    try:
        said = json.loads((array / "zarr.json").read_text(encoding="utf-8"))
        shape = tuple(int(size) for size in said["shape"])
        extents = tuple(int(size) for size in said["chunk_grid"]["configuration"]["chunk_shape"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Grid(shape, extents) if len(shape) == len(extents) and min(extents, default=1) > 0 else None


def looks_of_array(dataset: Dataset, name: str) -> list[Finding]:
    grid, variable = grid_of(dataset.path / name), dataset.variables[name]
    if grid is None or len(grid.shape) != len(variable.shape):
        return [problem("metadata", f"'{name}/zarr.json' is missing, damaged, or of another array than the root says")]
    found = []
    if grid.shape != variable.shape:
        text = f"'{name}' has the shape {grid.shape} by itself, {variable.shape} by the root: a record was under way"
        found.append(note("metadata", text, "'thalweg recover' makes them agree"))
    wanted = prod(ceil(size / extent) for size, extent in zip(variable.shape, grid.extents, strict=True))
    there = sum(1 for p in (dataset.path / name).rglob("*") if is_object(p))
    if there < wanted:
        text = f"'{name}' has {there} of {wanted} objects; values of the others read as fill values"
        found.append(note("objects", text, "right where nobody has cells, such as land; otherwise data are lost"))
    return found


def is_object(path: Path) -> bool:
    return path.is_file() and path.name != "zarr.json" and path.suffix != ".partial"
