# ctest: LABELS mpi TIMEOUT 300
"""Collections that have regions of fields have the bits that NumPy takes of those that have all of them, whatever the
decompositions, ranks, writers and formats are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from field_runs import WAYS, opened, refused, run_in

FILL = 1e20  # of the fields
FIELDS: list[Any] = ["t", "u", "p", "c", "h", "v", "q", "r", "area", {"name": "e", "expression": "v * 2 + r"}]
FIELDS += [{"from": "v", "name": "vc", "units": "degC"}, {"from": "r", "name": "rc", "units": "mK"}]
OPERATIONS: dict[str, dict[str, Any]] = {
    "instant": {"every": "1 h"},
    "mean": {"every": "3 h", "operation": "mean"},
    "std": {"every": "2 h", "operation": "std", "missing": "propagate"},
    "made": {"every": "3 h", "fields": [{"name": "m", "expression": "max(v) - mean(q)"}, "area"]},
    "added": {"every": "2 h", "operation": "max", "repeat": "add", "fields": ["a"]},
    "once": {"every": "2 h", "repeat": "last", "fields": ["a", {"from": "a", "operation": "once", "name": "first"}]},
}
LEVELS = {"lev": {"values": [500, 1000, 840]}}
REGIONS: dict[str, dict[str, Any]] = {
    "range": {"lon": {"index": {"from": 2, "to": 9, "step": 3}}, "lat": {"index": {"from": 1, "to": 10}}},
    "listed": {"lat": {"index": [0, 5, 6, 11]}, "lev": {"index": [0, 3, 7]}, "cell": {"index": {"from": 3, "step": 7}}},
    "one": {"lon": {"index": 4}, "lat": {"index": 7}, "cell": {"index": [0, 59]}},
    "tropics": {"lat": {"values": {"from": -30, "to": 30}}, "lon": {"values": {"from": 280, "to": 80}}} | LEVELS,
}
TAKEN: dict[str, dict[str, list[int]]] = {
    "range": {"lon": [2, 5, 8], "lat": list(range(1, 11))},
    "listed": {"lat": [0, 5, 6, 11], "lev": [0, 3, 7], "cell": list(range(3, 60, 7))},
    "one": {"lon": [4], "lat": [7], "cell": [0, 59]},
    "tropics": {"lat": [4, 5, 6, 7], "lon": [8, 9, 0, 1, 2], "lev": [0, 2, 4]},
}
TURNED = {"tropics": [0, 0, 360, 360, 360]}  # by how many degrees longitudes are


def parts_for(collection: dict[str, Any], region: str) -> dict[str, Any]:
    """What it can have of the region: not all have fields with all dimensions."""
    parts = REGIONS[region].items()
    return {dim: part for dim, part in parts if collection["fields"] is FIELDS or dim in ("lat", "lon")}


def collections(form: str) -> dict[str, Any]:
    made = {}
    ending = "zarr" if form == "zarr" else "nc"
    for operation, keys in OPERATIONS.items():
        said = {"format": form, "fields": FIELDS} | keys
        made[operation] = said | {"file": f"{operation}.{ending}"}
        for region in REGIONS:
            name = f"{operation}_{region}"
            made[name] = said | {"file": f"{name}.{ending}", "region": parts_for(said, region)}
    for operation in ("instant", "mean", "std", "made"):
        said = {"format": form, "file": f"own_{operation}.{ending}", "fields": FIELDS} | OPERATIONS[operation]
        own = [of | {"region": parts_for(said, region)} for region in REGIONS for of in named(said["fields"], region)]
        made[f"own_{operation}"] = said | {"fields": said["fields"] + own}
    made["alone"] = {"format": form, "file": f"alone_%v.{ending}", "region": REGIONS["listed"]} | OPERATIONS["mean"]
    made["alone"]["fields"] = ["t", "c"]
    return made


def named(fields: list[Any], region: str) -> list[dict[str, Any]]:
    """The same fields, as variables that are called after the region, too."""
    said = [of if isinstance(of, dict) else {"from": of, "name": of} for of in fields]
    return [of | {"name": f"{of['name']}_{region}"} for of in said]


@pytest.fixture(scope="module", params=WAYS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("regions")
    run_in(request.param, "regions.py", made, collections)
    return made


def taken(whole: xr.Dataset, region: str) -> xr.Dataset:
    """What NumPy has of it."""
    indices = {dim: at for dim, at in TAKEN[region].items() if dim in whole.dims}
    part = whole.isel(indices)
    for name in ("lon", "lon_bnds"):  # each by its whole circles
        if region in TURNED and name in part.variables:
            by = np.array(TURNED[region]).reshape([-1] + [1] * (part[name].ndim - 1))
            part = part.assign({name: part[name].copy(data=part[name].values + by)})
    return part


def require_equal(part: xr.Dataset, wanted: xr.Dataset) -> None:
    assert set(part.variables) == set(wanted.variables)
    for name in wanted.variables:
        found, values = part[name].values, wanted[name].values
        assert (part[name].dims, found.dtype, found.shape) == (wanted[name].dims, values.dtype, values.shape), name
        assert found.tobytes() == np.ascontiguousarray(values).tobytes(), name
        assert part[name].attrs == wanted[name].attrs, name


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_region_has_the_bits_of_the_whole(folder: Path, operation: str, region: str) -> None:
    with opened(folder, operation) as whole, opened(folder, f"{operation}_{region}") as part:
        require_equal(part, taken(whole, region))
        assert part.sizes["lat"] == len(TAKEN[region]["lat"])


@pytest.mark.parametrize(("operation", "offset"), [("instant", 273.15), ("mean", 273.15), ("std", 0.0)])
def test_other_units_are_those_of_each_value(folder: Path, operation: str, offset: float) -> None:
    with opened(folder, operation) as file:
        v, r = file["v"].values, file["r"].values
        assert (v == FILL).any() and (r == FILL).any()
        assert (file["vc"].values == np.where(v == FILL, FILL, v - offset)).all()
        np.testing.assert_allclose(file["rc"].values, np.where(r == FILL, FILL, r * 1000), rtol=1e-15)
        assert (file["vc"].attrs["units"], file["rc"].attrs["units"]) == ("degC", "mK")
        assert file["vc"].attrs["missing_value"] == FILL


@pytest.mark.parametrize("operation", ["instant", "mean", "std", "made"])
def test_fields_have_regions_of_their_own(folder: Path, operation: str) -> None:
    """Beside the whole ones, and with coordinates of their own."""
    with opened(folder, f"own_{operation}") as own:
        with opened(folder, operation) as whole:
            require_equal(own[list(whole.variables)], whole)
        for number, region in enumerate(REGIONS, start=2):
            with opened(folder, f"{operation}_{region}") as part:
                for name in part.variables:
                    require_part(own, str(name), region, number, part[name])


def require_part(own: xr.Dataset, name: str, region: str, number: int, wanted: xr.DataArray) -> None:
    cut = [dim for dim in REGIONS[region] if dim in wanted.dims]
    called = f"{name}_{number}" if f"{name}_{region}" not in own else f"{name}_{region}"
    found = own[called if cut else name]
    assert list(found.dims) == [f"{dim}_{number}" if dim in cut else dim for dim in wanted.dims], name
    assert found.values.tobytes() == np.ascontiguousarray(wanted.values).tobytes(), name
    for attribute in ("coordinates", "bounds"):
        if cut and attribute in wanted.attrs:
            assert found.attrs[attribute] == f"{wanted.attrs[attribute]}_{number}"


def test_files_of_variables_have_the_region(folder: Path) -> None:
    with opened(folder, "mean_listed") as all_of_it:
        for name in ("t", "c"):
            with opened(folder, f"alone_{name}") as alone:
                require_equal(alone, all_of_it[list(alone.variables)])
                assert name in alone


ALONE: dict[str, Any] = {"fields": ["a/x"], "every": "1 h"}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "an index outside": ({"x": {"index": [0, 3]}}, "there is no index 3; the dimension has 3 cells, 0 to 2"),
    "an unknown dimension": ({"y": {"index": 0}}, "no field of it has this dimension"),
    "no coordinate": ({"x": {"values": 1}}, "the program has no static field 'x' along this dimension"),
    "no step": ({"x": {"index": {"from": 0, "step": 0}}}, "must be at least 1"),
    "a dimension that the field has not": (
        {"y": {"index": 0}},
        "collection 'c': fields: region 'y: {index: [0]}': no field of it has this dimension",
    ),
    "an order that is none": ({"x": {"index": [2, 1]}}, "index 1 stands behind 2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_region_that_there_is_not_is_refused(tmp_path: Path, case: str) -> None:
    region, why = REFUSED[case]
    own = {"fields": [{"from": "a/x", "region": region}]} if "that the field has not" in case else {"region": region}
    said = refused(tmp_path, ALONE | own)
    assert why in said
    assert "region" in said and ("collection 'c'" in said or "program:" in said)


def test_a_file_of_one_variable_has_its_region_by_the_usual_names(tmp_path: Path) -> None:
    fields = ["t", {"from": "t", "name": "some", "region": {"x": {"values": [50, 10]}}}]
    config = by_values(tmp_path, file=str(tmp_path / "c_%v.nc"), fields=fields)
    with thalweg.start(config=config) as io:
        stepping(io, 0, 3, X)
    for name, x in (("t", [30, 40]), ("some", [10, 50])):
        with opened(tmp_path, f"c_{name}") as file:
            assert file["x"].values.tolist() == x and file[name].dims == ("time", "x")
            assert file[name].values[0].tolist() == [value / 10 + 1 for value in x]


def test_a_field_may_have_all_where_others_have_a_region(tmp_path: Path) -> None:
    config = by_values(tmp_path, fields=["t", {"from": "t", "name": "all", "region": "none"}])
    with thalweg.start(config=config) as io:
        stepping(io, 0, 3, X)
    with opened(tmp_path, "c") as file:
        assert file["t"].dims == ("time", "x") and file["x"].values.tolist() == [30, 40]
        assert file["all"].dims == ("time", "x_2") and file["x_2"].values.tolist() == X.tolist()
        assert file["all"].values.tolist() == [[2.0, 3.0, 4.0, 5.0, 6.0]]


LONGITUDES = {  # of the model and what is wanted of them: what files have
    "ascending": (np.arange(0.0, 360, 30), (300, 60), [300, 330, 360, 390, 420]),
    "from the west": (np.arange(0.0, 360, 30), (-60, 60), [-60, -30, 0, 30, 60]),
    "from -180": (np.arange(-180.0, 180, 30), (150, 210), [150, 180, 210]),
    "descending": (np.arange(330.0, -1, -30), (300, 60), [420, 390, 360, 330, 300]),
    "not over the ends": (np.arange(0.0, 360, 30), (-90, -30), [270, 300, 330]),
}


@pytest.mark.parametrize("case", LONGITUDES)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_longitudes_over_the_ends_ascend(tmp_path: Path, case: str, dtype: str) -> None:
    longitudes, (west, east), wanted = LONGITUDES[case]
    said = {"file": str(tmp_path / "c.nc"), "fields": ["t"], "region": {"lon": {"values": {"from": west, "to": east}}}}
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"c": said}}) as io:
        io.define_field_dimension("lon", len(longitudes))
        kind = {"static": True, "units": "degrees_east"}
        lon = io.define_field(
            "lon", "lon", dtype, standard_name="longitude", valid_max=np.dtype(dtype).type(360), **kind
        )
        lon.put(longitudes.astype(dtype))
        field = io.define_field("t", "lon", np.float64)
        field.put(longitudes)
        io.advance(3600.0)
    with xr.open_dataset(tmp_path / "c.nc") as file:
        assert file["lon"].values.tolist() == wanted and file["lon"].dtype == np.dtype(dtype)
        assert ((file["t"].values[0] - wanted) % 360 == 0).all()
        assert ("valid_max" in file["lon"].attrs) == (case == "not over the ends")


def by_values(tmp_path: Path, **keys: Any) -> dict[str, Any]:
    said = {"file": str(tmp_path / "c.nc"), "fields": ["t"], "every": "3 h", "operation": "mean"}
    said["region"] = {"x": {"values": {"from": 20.5, "to": 45}}}
    kept = {"file": str(tmp_path / "kept.%n.nc"), "cycle": 2}
    collections = {"c": said | keys} | ({"checkpoint": kept} if "append" in keys else {})
    return {"report": "none", "time-step": "1 h", "collections": collections}


def stepping(io: thalweg.Session, first: int, last: int, x: Any = None, ready: bool = False) -> None:
    """Puts the coordinate before the other field is defined."""
    io.set_time(first * 3600.0)
    coordinate = io.define_field("x", "x", np.float32, static=True)
    io.define_field_dimension("x", 5)
    if x is not None:
        assert coordinate.is_wanted
        coordinate.put(x)
    field = io.define_field("t", "x", np.float64)
    if ready:
        io.ready()
    for step in range(first + 1, last + 1):
        field.put(np.arange(5.0) + step)
        io.advance(step * 3600.0)


X = np.array([10, 20, 30, 40, 50], "f4")


def test_static_fields_that_are_put_first_do_not_end_definitions(tmp_path: Path) -> None:
    with thalweg.start(config=by_values(tmp_path)) as io:
        stepping(io, 0, 3, X)
    with opened(tmp_path, "c") as file:
        assert file["x"].values.tolist() == [30, 40]
        assert file["t"].values.tolist() == [[4.0, 5.0]]


def test_a_coordinate_comes_before_a_checkpoint_is_looked_for(tmp_path: Path) -> None:
    config = by_values(tmp_path, append="continue")
    with thalweg.start(config=config) as io:
        stepping(io, 0, 2, X, ready=True)
        io.checkpoint()
    with thalweg.start(config=config) as io:
        stepping(io, 2, 6, X, ready=True)
    with opened(tmp_path, "c") as file:
        assert file["x"].values.tolist() == [30, 40]
        assert file["t"].values.tolist() == [[4.0, 5.0], [7.0, 8.0]]


@pytest.mark.parametrize(
    ("x", "why"),
    [
        (
            None,
            "the field 'x', of whose values they are, was not put before collections choose; put it before the first",
        ),
        (X[:4], "the field 'x' was put with 4 values, but the dimension has 5 cells"),
        (X + 100, "no cell has a value in it; the coordinate is 110 to 150"),
    ],
)
def test_values_of_a_coordinate_that_is_not_there_are_refused(tmp_path: Path, x: Any, why: str) -> None:
    with pytest.raises(thalweg.Error) as error, thalweg.start(config=by_values(tmp_path), on_exception="raise") as io:
        stepping(io, 0, 3, x)
    assert "collection 'c': region 'x: {values: {from: 20.5, to: 45}}': " + why in str(error.value)
