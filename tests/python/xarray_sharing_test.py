# ctest: SHORT TIMEOUT 60
"""How dimensions are divided over ranks, and how arrays of xarray become arrays that put takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray
from support import python  # noqa: F401 - finds the package of the build folder
from thalweg import share_of
from thalweg.decomposing import horizontal
from thalweg.xarray_fields import Layout, attributes_of, layout_of


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 6, 7, 12, 30])
@pytest.mark.parametrize("extents", [{"y": 13, "x": 11}, {"x": 29}, {"z": 3, "y": 8, "x": 5}, {"y": 2, "x": 2}])
def test_shares_hold_every_cell_once(ranks: int, extents: dict[str, int]) -> None:
    owned = np.zeros(list(extents.values()), int)
    for rank in range(ranks):
        share = share_of(rank, ranks, extents)
        owned[tuple(share.own.values())] += 1
        assert math.prod(share.ranks) == ranks
        assert all(found.start >= 0 for found in share.own.values())
    assert (owned == 1).all()


@pytest.mark.parametrize(
    ("ranks", "extents", "wanted"),
    [
        (4, (100, 100), (2, 2)),
        (4, (721, 1440), (2, 2)),
        (6, (100, 200), (2, 3)),
        (6, (200, 100), (3, 2)),
        (2, (100, 100), (2, 1)),
        (4, (1, 1000), (1, 4)),
        (16, (10, 10000), (1, 16)),
        (7, (50, 60), (1, 7)),
        (8, (64, 64, 64), (2, 2, 2)),
    ],
)
def test_shares_are_even_and_have_short_edges(ranks: int, extents: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    assert share_of(0, ranks, dict(zip("zyx", extents, strict=False))).ranks == wanted


def test_numbers_of_ranks_can_be_said() -> None:
    extents = {"y": 10, "x": 100}
    assert share_of(0, 4, extents, ranks_along={"y": 4}).ranks == (4, 1)
    assert share_of(0, 4, extents, ranks_along={"y": 2, "x": 2}).ranks == (2, 2)
    assert share_of(1, 4, extents, ranks_along={"y": 2}).own == {"y": slice(0, 5), "x": slice(50, 100)}
    with pytest.raises(ValueError, match=r"4 ranks cannot be arranged as \(3, any\)"):
        share_of(0, 4, extents, ranks_along={"y": 3})
    with pytest.raises(ValueError, match=r"ranks_along names \['z'\]"):
        share_of(0, 4, extents, ranks_along={"z": 2})
    with pytest.raises(ValueError, match=r"halo names \['z'\]"):
        share_of(0, 4, extents, halo={"z": 2})


def test_a_halo_ends_where_the_whole_ends() -> None:
    found = [share_of(rank, 3, {"x": 9}, halo={"x": (2, 1)}).with_halo["x"] for rank in range(3)]
    assert found == [slice(0, 4), slice(1, 7), slice(4, 9)]


def test_horizontal_dimensions_are_found_by_what_coordinates_say_or_by_name() -> None:
    values = {"t": (("time", "a", "b"), np.zeros((1, 2, 3)))}
    said = xarray.Dataset(
        values, {"a": ("a", [1, 2], {"axis": "Y"}), "b": ("b", [1, 2, 3], {"standard_name": "longitude"})}
    )
    assert horizontal(said) == ["a", "b"]
    assert horizontal(said.drop_vars(["a", "b"]).rename(a="lat", b="lon")["t"]) == ["lat", "lon"]
    with pytest.raises(ValueError, match=r"which of \['time', 'a', 'b'\] are horizontal is not said"):
        horizontal(said.drop_vars(["a", "b"]))


SHARE = share_of(0, 2, {"y": 8, "x": 6}, halo={"y": 1, "x": 2})
LAYOUT = Layout("t", ("z", "y", "x"), "time", SHARE)


def test_dimensions_are_matched_by_name_without_a_copy() -> None:
    array = np.arange(4 * 3 * 6.0).reshape(6, 1, 3, 4)
    found = LAYOUT.arrange(xarray.DataArray(array, dims=("x", "time", "z", "y")))
    assert np.array_equal(found, array[:, 0].transpose(1, 2, 0))
    assert np.shares_memory(found, array)


def test_a_halo_that_the_edge_of_the_whole_has_cut_is_left_out() -> None:
    assert SHARE.own == {"y": slice(0, 4), "x": slice(0, 6)}
    array = np.arange(3 * 5 * 6.0).reshape(3, 5, 6)
    found = LAYOUT.arrange(xarray.DataArray(array, dims=("z", "y", "x")))
    assert np.array_equal(found, array[:, :4])
    assert np.shares_memory(found, array)
    full = np.zeros((3, 6, 10))
    assert LAYOUT.arrange(xarray.DataArray(full, dims=("z", "y", "x"))).shape == full.shape


@pytest.mark.parametrize(
    ("dims", "text"),
    [
        (("y", "x"), r"the array has the dimensions \['y', 'x'\], the variable \['z', 'y', 'x'\] and 'time'"),
        (("z", "y", "lon"), r"dimensions \['z', 'y', 'lon'\]"),
        (("time", "z", "y", "x"), r"put of 't': 2 values along 'time'; one record is put at a time"),
    ],
)
def test_other_dimensions_are_refused(dims: tuple[str, ...], text: str) -> None:
    sizes = {"time": 2, "z": 3, "y": 4, "x": 6, "lon": 6}
    with pytest.raises(ValueError, match=text):
        LAYOUT.arrange(xarray.DataArray(np.zeros([sizes[dim] for dim in dims]), dims=dims))


def variable(values: Any, **encoding: Any) -> xarray.Variable:
    return xarray.Variable(("z",), values, encoding=encoding)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (variable(np.zeros(2)), "f8"),
        (variable(np.zeros(2), dtype="f4"), "f4"),
        (variable(np.zeros(2, ">f4")), "f4"),
        (variable(np.zeros(2), dtype="i2"), "f8"),
        (variable(np.zeros(2), dtype="f4", scale_factor=2.0), "f8"),
        (variable(np.zeros(2, "i8"), dtype="i4"), "i8"),
        (variable(np.zeros(2, bool)), "i1"),
        (variable(np.array([b"a", b"b"])), "S1"),
        (variable(np.zeros(2, "M8[s]")), "f8"),
        (variable(np.zeros(2, "m8[s]")), "f8"),
    ],
)
def test_a_variable_has_its_type_in_memory(given: xarray.Variable, wanted: str) -> None:
    found = layout_of(given, Layout("t", ("z",), None))
    assert found.dtype == np.dtype(wanted)
    assert found.arrange(given).dtype.isnative
    assert found.arrange(given).tolist() == given.values.tolist() or given.dtype.kind in "mM"


@pytest.mark.parametrize(
    ("encoding", "wanted"),
    [
        ({"_FillValue": np.float32(7), "missing_value": 8}, {"units": "K", "_FillValue": 7.0, "missing_value": 8.0}),
        ({"_FillValue": np.int16(-9), "dtype": "i2"}, {"units": "K", "_FillValue": -9.0}),
        ({"_FillValue": np.int16(-9), "scale_factor": 0.1, "dtype": "i2"}, {"units": "K"}),
        ({"_FillValue": None, "zlib": True, "bounds": "z_bounds"}, {"units": "K", "bounds": "z_bounds"}),
    ],
)
def test_attributes_speak_of_values_in_memory(encoding: dict[str, Any], wanted: dict[str, Any]) -> None:
    given = xarray.Variable(("z",), np.zeros(2), {"units": "K"}, encoding)
    found = attributes_of(given, layout_of(given, Layout("t", ("z",), None)))
    assert found == wanted
    assert all(np.asarray(found[name]).dtype == np.float64 for name in found if name in ("_FillValue", "missing_value"))


@pytest.mark.parametrize("values", [["a", "b"], np.zeros(2, complex), np.array([None, 1], object)])
def test_what_no_file_has_is_refused(values: Any) -> None:
    with pytest.raises(TypeError, match=r"variable 't': no file has elements of .* drop_vars\('t'\)"):
        layout_of(variable(values), Layout("t", ("z",), None))


def test_dates_of_any_calendar_become_numbers() -> None:
    dates = xarray.date_range("2000-02-28", periods=3, calendar="noleap", use_cftime=True)
    given = variable(np.asarray(dates), units="hours since 2000-02-28")
    layout = layout_of(given, Layout("t", ("z",), None))
    assert layout.dates == {"units": "hours since 2000-02-28", "calendar": "noleap"}
    assert layout.arrange(given).tolist() == [0, 24, 48]
