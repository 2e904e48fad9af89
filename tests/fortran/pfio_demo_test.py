# ctest: TIMEOUT 180
"""The demo for users of PFIO: every value and attribute of every file, whoever writes and however it is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import xarray
from numpy.typing import NDArray
from support import mpi
from support.checksums import with_companions

UNDEFINED = np.float32(1e15)
OPTIONS_OF_PFIO = ("--npes_model", "2", "--oserver_type=multigroup", "--fast_oclient", "true")


@dataclass(frozen=True)
class Size:
    im: int = 13
    jm: int = 11
    km: int = 5
    files: int = 3
    records: int = 4
    collections: int = 1

    def options(self) -> list[str]:
        return [f"--{name}={value}" for name, value in vars(self).items()]


def run(folder: Path, ranks: int, size: Size, settings: str, options: Sequence[str] = OPTIONS_OF_PFIO) -> str:
    (folder / "pfio_demo.yaml").write_text(f"report: none\n{settings}")
    return mpi.run("pfio_demo", ranks, folder, *size.options(), *options)


def places(size: Size, collection: int, step: int) -> NDArray[np.int64]:
    cell = np.arange(size.km * size.jm * size.im).reshape(size.km, size.jm, size.im)
    return (cell + 4099 * step + 8209 * collection) % 65521


def expected_values(size: Size, collection: int, day: int) -> dict[str, NDArray]:
    steps = range((day - 1) * size.records + 1, day * size.records + 1)
    values = {
        "lon": np.array([-180.0 + n * 360.0 / size.im for n in range(size.im)]),
        "lat": np.array([-90.0 + n * 180.0 / (size.jm - 1) for n in range(size.jm)]),
        "lev": np.arange(1, size.km + 1),
        "time": np.array([record * 86400.0 / size.records / 60.0 for record in range(1, size.records + 1)]),
        "temperature": np.stack([200 + places(size, collection, step) / 1024 for step in steps]),
        "tracer": np.stack([places(size, collection, step)[0] / 65536 for step in steps]),
    }
    return {name: value.astype("float32") for name, value in values.items()}


def assert_values(path: Path, size: Size, collection: int, day: int) -> None:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        assert file["temperature"].dimensions == ("time", "lev", "lat", "lon")
        assert file["tracer"].dimensions == ("time", "lat", "lon")
        expected = expected_values(size, collection, day)
        assert set(file.variables) == set(expected)
        assert file["time"].units == f"minutes since 2010-01-{day + 2:02} 00:00:00"
        for name, values in expected.items():
            found = file[name][:]
            assert found.dtype == np.float32, name
            np.testing.assert_array_equal(found.view("uint32"), values.view("uint32"), err_msg=f"{path.name} {name}")


@pytest.mark.parametrize(
    ("ranks", "settings", "size"),
    [
        (2, "writers: thread\n", Size()),
        (3, "writers: sync\n", Size(im=5, jm=9, records=1, files=1)),
        (4, "writers: thread\nemulate-nodes: 2\n", Size(im=1, jm=3, km=2)),  # every second rank holds nothing
        (4, "writers: sync\ncollections: {sample1: {format: cdf5}, sample2: {format: netcdf4}}\n", Size(collections=2)),
    ],
)
def test_every_value_of_every_file_follows_the_formula(tmp_path: Path, ranks: int, settings: str, size: Size) -> None:
    run(tmp_path, ranks, size, settings)
    assert_files(tmp_path, size)


@pytest.mark.parametrize(
    ("ranks", "nodes", "options"),
    [
        (8, "[4, 4]", "--npes_model 3 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 2"),
        (6, "[2, 2, 2]", "--npes_model 2 --npes_output_server 2 --one_node_output true"),
        (5, "none", "--npes_model 3 --npes_output_server 2 --isolate_nodes false --fast_oclient true"),
    ],
)
def test_it_is_launched_with_the_options_of_pfio(tmp_path: Path, ranks: int, nodes: str, options: str) -> None:
    size = Size(collections=3)
    run(tmp_path, ranks, size, f"command-line: pfio\nemulate-nodes: {nodes}\n", options.split())
    assert_files(tmp_path, size)


def assert_files(folder: Path, size: Size) -> None:
    files = {
        f"sample{collection}_Day{day:04}.nc4": (collection, day)
        for collection in range(1, size.collections + 1)
        for day in range(1, size.files + 1)
    }
    assert {path.name for path in folder.iterdir()} == {*with_companions(files), "pfio_demo.yaml"}
    for name, (collection, day) in files.items():
        assert_values(folder / name, size, collection, day)


def test_files_have_the_attributes_of_the_demo_of_pfio(tmp_path: Path) -> None:
    run(tmp_path, 2, Size(files=1), "")
    with netCDF4.Dataset(tmp_path / "sample1_Day0001.nc4") as file:
        assert (file.Conventions, file.Source, file.Title) == ("COARDS", "pfio_demo", "Sample code for users of PFIO")
        assert file.HISTORY.startswith("File written by Thalweg ")
        assert file["time"].units == "minutes since 2010-01-03 00:00:00"
        assert file["time"].time_increment == 60000  # four records a day
        assert (file["lev"].positive, file["lev"].coordinate) == ("down", "eta")
        for name, units in (("temperature", "K"), ("tracer", "mol mol-1")):
            found = {key: file[name].getncattr(key) for key in file[name].ncattrs()}
            assert found.pop("valid_range").tolist() == [-UNDEFINED, UNDEFINED]
            assert found == {
                "units": units,
                "long_name": name,
                "scale_factor": 1.0,
                "add_offset": 0.0,
                "missing_value": UNDEFINED,
                "_FillValue": UNDEFINED,
                "vmin": -UNDEFINED,
                "vmax": UNDEFINED,
            }
            assert {file[name].getncattr(key).dtype for key in ("vmin", "scale_factor")} == {np.dtype("float32")}


@pytest.mark.parametrize("name", ["netcdf4", "cdf5"])
def test_times_of_all_files_follow_each_other(tmp_path: Path, name: str) -> None:
    """Each file counts from its own day; through the end of a February."""
    run(tmp_path, 2, Size(im=4, jm=3, km=2, files=60, records=2), f"collections: {{sample1: {{format: {name}}}}}\n")
    paths = [tmp_path / f"sample1_Day{day:04}.nc4" for day in range(1, 61)]
    datasets = [xarray.open_dataset(path, decode_timedelta=False) for path in paths]
    times = np.concatenate([dataset["time"].values for dataset in datasets])
    steps = np.arange(1, 121) * np.timedelta64(12, "h")
    np.testing.assert_array_equal(times.astype("datetime64[s]"), np.datetime64("2010-01-03T00:00:00") + steps)
    for dataset in datasets:
        dataset.close()


def test_an_option_that_is_no_number_is_refused(tmp_path: Path) -> None:
    done = mpi.start("pfio_demo", 1, tmp_path, "--km", "7x")
    assert done.returncode != 0
    assert "--km '7x' is not a whole number from 1 on" in done.stderr
