"""What lies beside a complete file: the checksums of what was written (docs/formats/checksums.md), computed again."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import netCDF4
import numpy as np
from numpy.typing import NDArray
from support.stores import open_store

ENDING = ".checksums"


def beside(path: Path) -> Path:
    return path.with_name(path.name + ENDING)


def with_companions(names: Iterable[str]) -> set[str]:
    names = set(names)
    return names | {name + ENDING for name in names}


def without_companions(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if not path.name.endswith(ENDING))


def sum_of(values: NDArray) -> str:
    flat = np.asarray(values).reshape(-1)
    return f"{int(flat.view(f'u{flat.dtype.itemsize}').sum(dtype=np.uint64)):016x}"


def sums_of(values: NDArray) -> list[str]:
    """Of each record, at once: there may be thousands."""
    rows = np.ascontiguousarray(values).reshape(len(values), math.prod(values.shape[1:]))
    return [f"{one:016x}" for one in rows.view(f"u{rows.dtype.itemsize}").sum(axis=1, dtype=np.uint64).tolist()]


def check_written(path: Path) -> None:
    """By what the file or store says of itself."""
    if path.is_dir():
        return check_store(path)
    assert beside(path).exists(), path.name
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        arrays = {name: np.asarray(variable[...]) for name, variable in file.variables.items()}
        of_records = [name for name, variable in file.variables.items() if variable.dimensions[:1] == ("time",)]
    check(path, {name: of.astype(of.dtype.newbyteorder("=")) for name, of in arrays.items()}, of_records)


def check_store(path: Path) -> None:
    assert beside(path).exists(), path.name
    group = dict(open_store(path).arrays())
    of_records = [name for name, array in group.items() if (array.metadata.dimension_names or ())[:1] == ("time",)]
    check(path, {name: np.asarray(array[...]) for name, array in group.items()}, of_records)


def check(path: Path, arrays: Mapping[str, NDArray], of_records: Iterable[str]) -> None:
    """That the companion says what the file holds. A file that grows has none, nor has a virtual master."""
    if not beside(path).exists():
        return
    said = json.loads(beside(path).read_text())
    assert said["thalweg_checksums"] == 1
    assert said["file"] == path.name
    assert said.get("bytes") == (None if path.is_dir() else path.stat().st_size)
    stored = {one["name"]: one for one in said["variables"]}
    assert set(stored) == set(arrays), path.name
    for name, values in arrays.items():
        type_name = "char" if values.dtype.kind == "S" else values.dtype.name
        wanted = sums_of(values) if name in of_records else [sum_of(values)]
        found = stored[name]["records"] if name in of_records else [stored[name]["sum"]]
        assert found == wanted, f"{path.name}, {name}: {found} in place of {wanted}"
        assert name not in of_records or said["records"] == len(values), name
        assert stored[name]["type"] == type_name, name
        assert values.size == len(wanted) * stored[name]["elements"], name
