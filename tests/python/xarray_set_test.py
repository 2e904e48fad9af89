# ctest: SHORT TIMEOUT 120
"""xarray's engine "thalweg" opens sets and series as one dataset, reads what is asked for, and says what is wrong."""

from __future__ import annotations

import pickle
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import xarray
from support import file_sets as sets
from support import python  # noqa: F401 - finds the package of the build folder
from thalweg.xarray_backend import ThalwegBackend

PARTS = sets.parts_of([3, 8], [5])
RAW: dict[str, Any] = {
    "mask_and_scale": False,
    "decode_times": False,
    "decode_coords": False,
    "concat_characters": False,
}


def read(path: Path | Sequence[Path], **more: Any) -> dict[str, np.ndarray[Any, Any]]:
    with xarray.open_dataset(path, engine=ThalwegBackend, **RAW, **more) as dataset:  # type: ignore[arg-type]
        return {str(name): variable.values for name, variable in dataset.variables.items()}


@pytest.fixture(params=["cdf2", "cdf5", "netcdf4"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, sets.Whole]:
    whole = sets.make_whole(request.param)
    sets.write_set(tmp_path / "ocean.nc", whole, request.param, PARTS)
    return tmp_path / "ocean.nc", whole


@pytest.mark.parametrize("name", ["ocean.nc", "ocean.nc.0004", "ocean.nc.*", "ocean*.nc", "."])
def test_every_name_of_a_set_opens_it_all(made: tuple[Path, sets.Whole], name: str) -> None:
    path, whole = made
    sets.check(read(path.parent / name), whole)


def test_dataset_has_attributes_of_the_whole(made: tuple[Path, sets.Whole]) -> None:
    path, whole = made
    with xarray.open_dataset(path, engine="thalweg", **RAW) as dataset:
        assert set(dataset.attrs) == set(whole.attributes)
        for name, variable in whole.variables.items():
            found = dataset.variables[name]
            assert found.dims == variable.dims
            assert set(found.attrs) == set(variable.attributes)
            assert all(np.array_equal(found.attrs[key], value) for key, value in variable.attributes.items())
        assert dataset["temp"].encoding["preferred_chunks"] == {"y": (3, 5, 5), "x": (5, 6)}
        assert dataset.encoding["unlimited_dims"] == {"time"}


def test_any_selection_is_that_of_the_whole(made: tuple[Path, sets.Whole]) -> None:
    path, whole = made
    temp = whole.variables["temp"].values
    some = np.array([9, 2, 2, 12, 0])
    with xarray.open_dataset(path, engine="thalweg", **RAW) as dataset:
        found = dataset["temp"]
        assert np.array_equal(found[1, :, ::-2, 3:9:2], temp[1, :, ::-2, 3:9:2])
        assert np.array_equal(found[:, 0, some, 4], temp[:, 0][:, some, 4])
        assert np.array_equal(found.isel(y=some, x=[10, 1]), temp[:, :, some][..., [10, 1]])
        points = found.isel(y=xarray.DataArray(some, dims="p"), x=xarray.DataArray([0, 10, 3, 4, 5], dims="p"))
        assert np.array_equal(points, temp[:, :, some, [0, 10, 3, 4, 5]])
        assert found.isel(y=slice(4, 4)).shape == (3, 3, 0, 11)
        assert found[2, 1, 12, 10].item() == temp[2, 1, 12, 10]


def test_what_no_file_has_is_missing(tmp_path: Path) -> None:
    whole = sets.make_whole("netcdf4")
    sets.write_set(tmp_path / "ocean.nc", whole, "netcdf4", PARTS, missing=[2])
    there = [part for number, part in enumerate(PARTS) if number != 2]
    sets.check(read(tmp_path / "ocean.nc"), sets.without(whole, there))
    with xarray.open_dataset(tmp_path / "ocean.nc", engine="thalweg", decode_times=False) as dataset:
        assert np.isnan(dataset["temp"][:, :, 3:8, :5]).all()
        assert not np.isnan(dataset["temp"][:, :, :3]).any()


def test_records_that_not_all_files_have_are_left_out(tmp_path: Path) -> None:
    long = sets.make_whole("cdf5", records=4)
    short = long
    for name, variable in long.variables.items():
        short = short.with_value(name, variable.values[:2]) if "time" in variable.dims else short
    files = sets.write_set(tmp_path / "ocean.nc", long, "cdf5", PARTS)
    sets.write(files[3], short, "cdf5", PARTS[3], len(PARTS))
    sets.check(read(tmp_path / "ocean.nc"), short)


def test_a_file_is_read_when_its_part_is_asked_for(made: tuple[Path, sets.Whole]) -> None:
    path, whole = made
    temp = whole.variables["temp"].values
    with xarray.open_dataset(path, engine="thalweg", **RAW) as dataset:
        sent = pickle.dumps(dataset["temp"])
        path.with_name("ocean.nc.0005").unlink()
        for found in (dataset["temp"], pickle.loads(sent)):
            assert np.array_equal(found[:, :, :8], temp[:, :, :8])
            assert np.array_equal(found[:, :, :, :5], temp[..., :5])
            with pytest.raises(FileNotFoundError, match=r"ocean\.nc\.0005"):
                found[0, 0, 8, 5].load()


def test_no_file_stays_open(made: tuple[Path, sets.Whole]) -> None:
    def opened() -> list[str]:
        found = [str(entry.readlink()) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()]
        return [name for name in found if str(made[0]) in name]

    with xarray.open_dataset(made[0], engine="thalweg", **RAW) as dataset:
        dataset["temp"][0].load()
        assert len(opened()) == len(PARTS)
    assert opened() == []


def test_a_set_may_have_more_files_than_xarray_keeps_open(tmp_path: Path) -> None:
    whole = sets.make_whole("cdf5", records=1)
    few = sets.Whole({name: whole.variables[name] for name in ("time", "y", "x", "area", "temp")}, whole.attributes)
    sets.write_set(tmp_path / "ocean.nc", few, "cdf5", sets.parts_of(range(1, 13), range(1, 11)))
    sets.check(read(tmp_path / "ocean.nc"), few)


def test_a_file_that_grows_shows_the_records_of_the_moment_of_opening(tmp_path: Path) -> None:
    path = series(tmp_path, ["days since 2000-01-01"])[0]
    with xarray.open_dataset(path, engine="thalweg", **RAW) as dataset:
        with netCDF4.Dataset(path, "a") as file:
            file["t"][2:4] = 7
        for opened_anew in (pickle.loads(pickle.dumps(dataset["t"])) for _ in range(2)):
            assert opened_anew[::-1].values.tolist() == [[0, 2], [0, 1]]
            assert opened_anew.values.tolist() == [[0, 1], [0, 2]]


def test_a_virtual_master_and_a_combined_file_are_told_apart(tmp_path: Path) -> None:
    import h5py

    whole = sets.make_whole("netcdf4")
    files = sets.write_set(tmp_path / "ocean.nc", whole, "netcdf4", PARTS)
    with h5py.File(tmp_path / "ocean.nc", "w") as master:
        layout = h5py.VirtualLayout((13,), "f8")
        layout[:3] = h5py.VirtualSource(files[0].name, "y", (3,))
        master.create_virtual_dataset("y", layout)
    sets.check(read(tmp_path / "ocean.nc"), whole)
    (tmp_path / "ocean.nc").unlink()
    combined = sets.make_whole("netcdf4", seed=2)
    sets.write(tmp_path / "ocean.nc", combined, "netcdf4")
    sets.check(read(tmp_path / "ocean.nc"), combined)
    sets.check(read(tmp_path / "ocean.nc.0000"), whole)


def series(folder: Path, units: Sequence[str], dtype: str = "f8") -> list[Path]:
    paths = []
    for number, since in enumerate(units):
        paths.append(folder / f"ocean_{number}.nc")
        with netCDF4.Dataset(paths[-1], "w", format="NETCDF3_64BIT_OFFSET") as file:
            file.createDimension("time", None)
            file.createDimension("x", 2)
            file.createVariable("time", dtype, ("time",)).setncatts({"units": since, "calendar": "noleap"})
            file.createVariable("t", "f4", ("time", "x"))[:] = [[number, 1], [number, 2]]
            file["time"][:] = [number, number + 0.5 if dtype == "f8" else number + 1]
            file.createVariable("fixed", "i2", ("x",))[:] = [5, 6]
    return paths


def test_members_of_a_series_follow_each_other(tmp_path: Path) -> None:
    paths = series(tmp_path, ["days since 2000-01-01"] * 3)
    for named in (tmp_path / "ocean_*.nc", paths, [str(path) for path in paths]):
        found = read(named)
        assert found["t"].tolist() == [[n, k] for n in (0, 1, 2) for k in (1, 2)]
        assert found["time"].tolist() == [0, 0.5, 1, 1.5, 2, 2.5]
        assert found["fixed"].tolist() == [5, 6]
    assert read([paths[2], paths[0]])["time"].tolist() == [2, 2.5, 0, 0.5]


def test_a_time_that_counts_from_each_file_is_counted_from_the_first(tmp_path: Path) -> None:
    series(tmp_path, ["days since 2000-01-01", "days since 2000-02-28", "hours since 2000-03-01 12:00"])
    assert read(tmp_path / "ocean_*.nc")["time"].tolist() == [0, 0.5, 59, 59.5, 59.5 + 2 / 24, 59.5 + 2.5 / 24]


def test_a_time_that_whole_numbers_cannot_count_is_refused(tmp_path: Path) -> None:
    series(tmp_path, ["days since 2000-01-01", "hours since 2000-01-02"], "i4")
    with pytest.raises(ValueError, match="no whole numbers in 'days since 2000-01-01'"):
        read(tmp_path / "ocean_*.nc")


def spoiled(path: Path, how: str) -> None:
    part = path.with_name("ocean.nc.0001")
    if how == "missing":
        part.unlink()
    elif how == "twice":
        shutil.copy(path.with_name("ocean.nc.0000"), part)
    elif how == "empty":
        part.write_bytes(b"")
    elif how == "foreign":
        sets.write(part, sets.make_whole("cdf5"), "cdf5")
    else:
        with netCDF4.Dataset(part, "a") as file:
            if how == "attribute":
                file["temp"].units = "K"
            elif how == "outside":
                file["x"].domain_decomposition = np.array([1, 11, 6, 12], "i4")
            elif how == "overlap":
                file["x"].domain_decomposition = np.array([1, 11, 5, 10], "i4")
            elif how == "size":
                file["x"].domain_decomposition = np.array([1, 12, 6, 11], "i4")


@pytest.mark.parametrize(
    ("how", "text"),
    {
        "missing": "says that its set has 6 files, but 5 are here",
        "twice": "hold the same section of every dimension",
        "empty": r"'.*ocean\.nc\.0001' is no netCDF file",
        "foreign": r"'.*0001' has no global attribute 'NumFilesInSet'",
        "attribute": "differ in attributes of variable 'temp'",
        "outside": r"'.*0001': domain_decomposition of dimension 'x' is \[1, 11, 6, 12\]",
        "overlap": "both hold a part of variable '.*', in sections",
        "size": "differ in their dimensions",
    }.items(),
)
def test_a_set_that_is_not_one_is_refused(tmp_path: Path, how: str, text: str) -> None:
    sets.write_set(tmp_path / "ocean.nc", sets.make_whole("cdf5"), "cdf5", PARTS)
    spoiled(tmp_path / "ocean.nc", how)
    with pytest.raises(ValueError, match=text):
        read(tmp_path / "ocean.nc")


def test_what_is_nothing_of_this_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.nc").write_text("CDX: no file of these")
    refused: dict[Any, tuple[type[Exception], str]] = {
        tmp_path / "none.nc": (FileNotFoundError, re.escape("no file of a set: 'none.nc.0000'")),
        tmp_path / "none_*.nc": (FileNotFoundError, "no file has a name like"),
        tmp_path / "text.nc": (ValueError, "is no netCDF file"),
        tmp_path: (ValueError, "is no Zarr store .* no file of a set"),
        tmp_path / "no" / "none.nc.0000": (FileNotFoundError, "no file of the set"),
        7: (TypeError, "opens paths, patterns and lists of paths, not int"),
    }
    for named, (kind, text) in refused.items():
        with pytest.raises(kind, match=text):
            read(named)


def test_members_that_do_not_continue_a_series_are_refused(tmp_path: Path) -> None:
    paths = series(tmp_path, ["days since 2000-01-01"] * 2)
    with netCDF4.Dataset(paths[1], "a") as file:
        file["time"].calendar = "360_day"
    with pytest.raises(ValueError, match="calendar of 'time' differ"):
        read(paths)
    sets.write(tmp_path / "other.nc", sets.make_whole("netcdf4"), "netcdf4")
    with pytest.raises(ValueError, match="does not continue the series that begins with .*: its dimensions are"):
        read([paths[0], tmp_path / "other.nc"])
    with pytest.raises(ValueError, match="no dimension 'step'"):
        read(paths, record_dim="step")
