# ctest: LABELS mpi TIMEOUT 300
"""Fields at levels of a coordinate, and values of all of a column, have the bits of what a program computes cell by
cell and puts itself, whatever the decompositions, ranks, writers and formats are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from field_runs import WAYS, opened, run_in
from programs.vertical import DEPTHS, LEVELS

KINDS = "abcdefg"
"""Of "f" and "g" some ranks hold nothing, and put the coordinate that lies along the columns as all do."""
OPERATIONS: dict[str, dict[str, Any]] = {
    "instant": {"every": "1 h"},
    "mean": {"every": "3 h", "operation": "mean"},
    "all": {"every": "2 h", "operation": "mean", "missing": "propagate"},
    "most": {"every": "3 h", "operation": "max", "valid": 0.5},
    "std": {"every": "3 h", "operation": "std"},
    "hours": {"every": "1 d", "operation": "diurnal 8"},
}
HOW: dict[str, dict[str, Any]] = {
    "log": {"to": LEVELS, "by": "log"},
    "line": {"to": [level * 100 for level in LEVELS], "units": "Pa"},
    "near": {"to": LEVELS, "by": "log", "outside": "nearest"},
    "deep": {"coordinate": "lev", "to": DEPTHS, "outside": "nearest", "dimension": "lev"},
}
WHOLE: dict[str, dict[str, Any]] = {
    "mean": {"mean": "lev"},
    "sum": {"sum": "lev"},
    "low": {"min": "lev"},
    "high": {"max": "lev"},
    "heavy": {"mean": "lev", "by": "p"},
    "thick": {"sum": "lev", "by": "lev"},
}
EACH = [*HOW, *WHOLE]
CUT = {"lat": {"index": [1, 4, 5]}, "lon": {"index": {"from": 2, "to": 9, "step": 3}}}


def entry(how: str, kind: str) -> dict[str, Any]:
    if how in WHOLE:
        by = WHOLE[how].get("by")
        weights = {"by": "p" + kind} if by == "p" else {}
        return {"from": "v" + kind, "name": how + kind, "vertical": WHOLE[how] | weights}
    vertical = {"coordinate": "p" + kind, "name": f"{how}_{kind}"} | HOW[how]
    return {"from": "v" + kind, "name": how + kind, "vertical": vertical}


def collections(form: str) -> dict[str, Any]:
    ending = "zarr" if form == "zarr" else "nc"
    made: dict[str, Any] = {}
    for operation, keys in OPERATIONS.items():
        entries = [entry(how, kind) for how in EACH for kind in KINDS]
        fields = {
            "levels": entries,
            "wanted": [how + kind for how in EACH for kind in KINDS],
            "cut": [of | {"region": CUT} for of in entries if of["from"] not in ("ve", "vf")] + ["area"],
        }
        for name, chosen in fields.items():
            said = {"format": form, "file": f"{operation}_{name}.{ending}", "fields": chosen}
            made[f"{operation}_{name}"] = said | keys
    units = [{"from": "loga", "units": "degC"}, entry("log", "a") | {"name": "made", "units": "degC"}]
    made["units"] = {"format": form, "file": f"units.{ending}", "fields": units} | OPERATIONS["mean"]
    shared = {"coordinate": "pa", "to": LEVELS, "by": "log", "name": "p_a"}
    made["shared"] = {"format": form, "file": f"shared.{ending}", "vertical": shared, "fields": ["va", "pa", "area"]}
    return made


@pytest.fixture(scope="module", params=WAYS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("vertical")
    run_in(request.param, "vertical.py", made, collections)
    return made


@pytest.mark.parametrize("operation", OPERATIONS)
def test_levels_have_the_bits_of_what_is_computed_beside(folder: Path, operation: str) -> None:
    with opened(folder, f"{operation}_levels") as levels, opened(folder, f"{operation}_wanted") as wanted:
        for how in EACH:
            for kind in KINDS:
                name = how + kind
                found, values = levels[name].values, wanted[name].values
                assert (found.dtype, found.shape) == (values.dtype, values.shape), name
                assert found.tobytes() == values.tobytes(), name
                dims = [f"{how}_{kind}" if dim in ("p", "d") else dim for dim in wanted[name].dims]
                assert list(levels[name].dims) == dims, name
                assert {np.isfinite(found).all(), (found != 1e20).any()} == {True}, name


def test_the_dimension_is_the_coordinate(folder: Path) -> None:
    with opened(folder, "mean_levels") as levels:
        np.testing.assert_array_equal(levels["line_a"].values, [level * 100 for level in LEVELS])
        assert levels["line_a"].attrs["units"] == "Pa"
        np.testing.assert_array_equal(levels["deep_a"].values, DEPTHS)
        depth = {"units": "m", "standard_name": "depth", "axis": "Z", "positive": "down"}
        assert levels["deep_a"].attrs == depth


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_region_has_the_bits_of_the_whole(folder: Path, operation: str) -> None:
    with opened(folder, f"{operation}_levels") as whole, opened(folder, f"{operation}_cut") as part:
        for name in part.data_vars:
            if name[:-1] not in EACH:
                continue
            endings = {dim: str(dim).removesuffix("_2") for dim in part[name].dims}
            wanted = whole[name].isel(lat=[1, 4, 5], lon=[2, 5, 8])
            assert tuple(endings.values()) == wanted.dims
            assert part[name].values.tobytes() == np.ascontiguousarray(wanted.values).tobytes(), name


def test_other_units_are_those_of_what_is_at_the_levels(folder: Path) -> None:
    with opened(folder, "units") as file:
        assert file["made"].values.tobytes() == file["loga"].values.tobytes()
        assert file["made"].attrs["units"] == "degC"


def test_levels_of_a_collection_are_those_of_its_columns(folder: Path) -> None:
    with opened(folder, "shared") as file, opened(folder, "instant_wanted") as wanted:
        assert (file["va"].dims, file["pa"].dims) == (("time", "p_a", "lat", "lon"), ("time", "lev", "lat", "lon"))
        assert file["va"].values.tobytes() == wanted["loga"].values.tobytes()
        assert file["area"].dims == ("lat", "lon")
