# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg init: a configuration from an example file, which thalweg check accepts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import cftime
import netCDF4
import numpy as np
import pytest
import yaml
import zarr
from support import file_sets as sets
from support.command import bad_inputs, refused, thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


def make_example(
    path: Path,
    dates: list[str] | list[float],
    units: str = "hours since 2000-01-01",
    calendar: str = "noleap",
    format_name: str = "netcdf4",
    **storage: Any,
) -> Path:
    """A field of 40 x 50 cells at these dates, or times."""
    times = [
        cftime.date2num(date_of(date, calendar), units, calendar) if isinstance(date, str) else date for date in dates
    ]
    with netCDF4.Dataset(path, "w", format=sets.FORMATS[format_name]) as file:
        file.createDimension("time", None)
        file.createDimension("y", 40)
        file.createDimension("x", 50)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": units, "calendar": calendar})
        time[:] = times
        temp = file.createVariable("temp", "f4", ("time", "y", "x"), **storage)
        temp.setncatts({"units": "degC", "long_name": "temperature\nof the sea: 'θ'"})
        temp[:] = np.zeros((len(times), 40, 50))
    return path


def date_of(text: str, calendar: str) -> cftime.datetime:
    day, _, hour = text.partition(" ")
    return cftime.datetime(*(int(part) for part in day.split("-")), int(hour or 0), calendar=calendar)


def settings(folder: Path, example: Path, *words: object) -> dict[str, str]:
    """What the core makes of the configuration, without that of the collection's name in front."""
    done = thalweg("init", example, "-o", folder / "made.yaml", *words)
    assert (done.code, done.out) == (0, "")
    checked = thalweg("check", "--json", folder / "made.yaml")
    assert checked.code == 0, checked.out
    (collection,) = (one["name"] for one in checked.json["collections"])
    said = {line["key"].removeprefix(f"collections.{collection}."): line["value"] for line in checked.json["settings"]}
    return said | {"collection": collection, "first file": checked.json["collections"][0]["records"][0]["file"]}


@pytest.mark.parametrize(
    ("dates", "every"),
    [
        (["2000-01-01 6", "2000-01-01 12", "2000-01-01 18"], "6 h"),
        (["2000-01-02", "2000-01-03", "2000-01-04"], "1 d"),
        (["2000-01-16", "2000-02-15", "2000-03-16"], "1 month"),
        (["2000-04-01", "2000-07-01", "2000-10-01"], "3 months"),
        (["2000-07-01", "2001-07-01", "2002-07-01"], "1 year"),
        ([0.25, 0.5, 0.75], "15 min"),
        (["2000-01-01", "2000-01-05", "2000-01-06"], "1 step"),
        (["2000-01-01"], "1 step"),
        ([], "1 step"),
    ],
)
def test_the_interval_is_that_of_the_time_axis(tmp_path: Path, dates: list[Any], every: str) -> None:
    found = settings(tmp_path, make_example(tmp_path / "ocean.nc", dates))
    assert found["every"] == every
    assert found["calendar"] == "noleap"
    assert found["reference-date"] == "2000-01-01 00:00:00"


def test_a_zone_of_the_time_axis_is_not_passed_over(tmp_path: Path) -> None:
    found = settings(tmp_path, make_example(tmp_path / "ocean.nc", [0, 6], "hours since 2000-01-01 00:00:00 -6:00"))
    assert found["reference-date"] == "2000-01-01 06:00:00"


@pytest.mark.parametrize(
    ("name", "dates", "file", "collection", "new_file"),
    [
        ("ocean_2000-01.nc", ["2000-01-02", "2000-01-03"], "ocean_%Y-%m.nc", "ocean", "1 month"),
        ("ocean.200002.nc", ["2000-02-02", "2000-02-03"], "ocean.%Y%m.nc", "ocean", "1 month"),
        ("2000_ice.nc", ["2000-02-01", "2000-03-01"], "%Y_ice.nc", "ice", "1 year"),
        ("a_20000131_b.nc", ["2000-01-31 6", "2000-01-31 12"], "a_%Y%m%d_b.nc", "a_b", "1 d"),
        ("a_20000131T06.nc", ["2000-01-31 6", "2000-01-31 7"], "a_%Y%m%dT%H.nc", "a", "never"),
        ("ocean_2000-01.nc", ["2000-02-01"], "ocean_%Y-%m.nc", "ocean", "1 month"),
        ("ocean_1066.nc", ["2000-01-02", "2000-01-03"], "ocean_1066.nc", "ocean_1066", "never"),
        ("ocean_0025deg.nc", ["2000-01-02", "2000-01-03"], "ocean_0025deg.nc", "ocean_0025deg", "never"),
        ("100%.nc", ["2000-01-02", "2000-01-03"], "100%%.nc", "100", "never"),
        ("no.nc", ["2000-01-02", "2000-01-03"], "no.nc", "no", "never"),
        (
            "tas_Amon_M_r1i1p1f1_gn_200001-200212.nc",
            ["2000-01-16", "2000-02-15"],
            "tas_Amon_M_r1i1p1f1_gn_%Y%m.nc",
            "tas_Amon_M_r1i1p1f1_gn",
            "3 years",
        ),
        ("tas_day_20000101-20001231.nc", ["2000-01-02", "2000-01-03"], "tas_day_%Y%m%d.nc", "tas_day", "1 year"),
        ("tas_day_20000101-20000110.nc", ["2000-01-02", "2000-01-03"], "tas_day_%Y%m%d.nc", "tas_day", "10 d"),
        (
            "tas_6hr_200001010600-200003010000.nc",
            ["2000-01-01 6", "2000-01-01 12"],
            "tas_6hr_%Y%m%d%H%M.nc",
            "tas_6hr",
            "2 months",
        ),
        ("tas_yr_2000-2014.nc", ["2000-07-01", "2001-07-01"], "tas_yr_%Y.nc", "tas_yr", "15 years"),
        (
            "tas_6hr_200001010600-200101010000.nc",
            ["2000-01-01 6", "2000-01-01 12"],
            "tas_6hr_%Y%m%d%H%M.nc",
            "tas_6hr",
            "1 year",
        ),
        ("tas_20000101T06-20000102T00.nc", ["2000-01-01 6", "2000-01-01 12"], "tas_%Y%m%dT%H.nc", "tas", "1 d"),
        (
            "tas_20000101-20009999.nc",
            ["2000-01-02", "2000-01-03"],
            "tas_20000101-20009999.nc",
            "tas_20000101_20009999",
            "never",
        ),
        ("tas_200012-200001.nc", ["2000-12-02", "2000-12-03"], "tas_200012-200001.nc", "tas_200012_200001", "never"),
        ("tas_1999-9999.nc", ["1999-12-02", "1999-12-03"], "tas_1999-9999.nc", "tas_1999_9999", "never"),
        ("tas_20000101_99.nc", ["2000-01-02", "2000-01-03"], "tas_%Y%m%d_99.nc", "tas_99", "1 d"),
    ],
)
def test_a_series_is_seen_by_the_name(
    tmp_path: Path, name: str, dates: list[str], file: str, collection: str, new_file: str
) -> None:
    found = settings(tmp_path, make_example(tmp_path / name, dates))
    assert (found["file"], found["collection"], found["new-file"]) == (file, collection, new_file)


def test_a_single_record_of_a_series_stands_for_its_interval(tmp_path: Path) -> None:
    found = settings(tmp_path, make_example(tmp_path / "ocean_2000-01.nc", ["2000-02-01"]))
    assert (found["every"], found["new-file"], found["first file"]) == ("1 month", "1 month", "ocean_2000-01.nc")


@pytest.mark.parametrize("format_name", ["cdf1", "cdf2", "cdf5", "netcdf4"])
def test_the_format_is_that_of_the_file(tmp_path: Path, format_name: str) -> None:
    example = make_example(tmp_path / "a.nc", ["2000-01-02", "2000-01-03"], format_name=format_name)
    assert settings(tmp_path, example)["format"] == format_name


@pytest.mark.parametrize(
    ("storage", "wanted"),
    [
        ({}, {"codec": "none"}),
        ({"compression": "zlib", "complevel": 5}, {"codec": "deflate", "level": "5", "shuffle": "auto"}),
        ({"compression": "zlib", "shuffle": False}, {"codec": "deflate", "shuffle": "false"}),
        ({"compression": "zstd", "complevel": 7}, {"codec": "zstd", "level": "7"}),
        ({"compression": "zstd", "fletcher32": True}, {"codec": "zstd", "checksum": "true"}),
        ({"compression": "zlib", "significant_digits": 3, "quantize_mode": "GranularBitRound"}, {"keep-digits": "3"}),
        ({"compression": "zlib", "significant_digits": 9, "quantize_mode": "BitRound"}, {"keep-bits": "9"}),
        ({"compression": "bzip2"}, {"codec": "none"}),
    ],
)  # fmt: skip
def test_compression_is_that_of_the_file(tmp_path: Path, storage: dict[str, Any], wanted: dict[str, str]) -> None:
    found = settings(tmp_path, make_example(tmp_path / "a.nc", ["2000-01-02", "2000-01-03"], **storage))
    assert {key: found[f"compression.{key}"] for key in wanted} == wanted


def test_a_variable_that_is_stored_in_another_way_has_settings_of_its_own(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        file.createDimension("x", 5000)
        for name in ("one", "two"):
            file.createVariable(name, "f8", ("x",), compression="zlib", complevel=4)
        file.createVariable("bare", "f8", ("x",))
        file.createVariable("small", "i4", ())
    text = thalweg("init", tmp_path / "a.nc").out
    assert "    compression: {codec: deflate, level: 4}\n    variables:\n      bare: {compression: none}\n" in text
    assert "small: {" not in text


def test_a_store_and_a_set_are_examples_too(tmp_path: Path) -> None:
    root = zarr.create_group(tmp_path / "a.zarr")
    root.create_array("temp", shape=(4, 100, 100), dtype="f4", chunks=(1, 50, 50), dimension_names=("time", "y", "x"))
    found = settings(tmp_path, tmp_path / "a.zarr")
    assert (found["format"], found["compression.codec"], found["file"]) == ("zarr", "zstd", "a.zarr")
    assert found["compression.shuffle"] == "false"
    sets.write_set(tmp_path / "b.nc", sets.make_whole("cdf5"), "cdf5", sets.parts_of((4,), ()))
    found = settings(tmp_path, tmp_path / "b.nc", "--force")
    assert (found["format"], found["pattern"], found["file"]) == ("cdf5", "per-domain", "b.nc")


def test_a_store_whose_chunks_are_shuffled_is_an_example(tmp_path: Path) -> None:
    codec = zarr.codecs.BloscCodec(cname="zstd", shuffle="shuffle")
    root = zarr.create_group(tmp_path / "a.zarr")
    root.create_array("temp", shape=(100, 100), dtype="f4", compressors=[codec], dimension_names=("y", "x"))
    found = settings(tmp_path, tmp_path / "a.zarr")
    assert (found["compression.codec"], found["compression.shuffle"]) == ("zstd", "auto")


def test_what_is_gathered_over_intervals_is_of_fields(tmp_path: Path) -> None:
    example = make_example(tmp_path / "daily.nc", ["2000-01-02", "2000-01-03", "2000-01-04"])
    with netCDF4.Dataset(example, "a") as file:
        file["time"].bounds = "time_bnds"
        file.createDimension("bnds", 2)
        file.createVariable("time_bnds", "f8", ("time", "bnds"))[:] = 0.0
        file["temp"].cell_methods = "area: mean time: mean (interval: 1 hour)"
        for name, method in (("high", "maximum"), ("salt", "mean")):
            file.createVariable(name, "f4", ("time", "y")).cell_methods = f"time: {method}"
        file.createVariable("depth", "f4", ("y",))
    done = thalweg("init", example)
    assert done.code == 0
    made = yaml.safe_load(done.out)["collections"]["daily"]
    assert made["operation"] == "mean"
    assert made["fields"] == ["temp", {"from": "high", "operation": "max"}, "salt"]
    assert "#   time" not in done.out
    assert "#   depth (y): float32" in done.out
    (tmp_path / "made.yaml").write_text(done.out)
    assert thalweg("check", tmp_path / "made.yaml").code == 0
    with netCDF4.Dataset(example, "a") as file:  # one that is not gathered: it stands with the others in no collection
        file.createVariable("flag", "i4", ("time",))
    assert "operation:" not in thalweg("init", example).out


def test_all_variables_are_listed(tmp_path: Path) -> None:
    text = thalweg("init", make_example(tmp_path / "a.nc", ["2000-01-02"])).out
    assert "#   temp (time, y, x): float32, degC, temperature of the sea: 'θ'\n" in text
    assert "#   time (time): float64, hours since 2000-01-01\n" in text


@pytest.mark.parametrize(
    ("units", "calendar"),
    [("parsecs since never", "standard"), ("days since 2000-01-01", "none"), ("days", "standard")],
)
def test_a_time_that_is_not_understood_is_said(tmp_path: Path, units: str, calendar: str) -> None:
    example = make_example(tmp_path / "a.nc", [1.0, 2.0], units, calendar)
    assert settings(tmp_path, example)["every"] == "1 step"
    assert "GUESSED" in thalweg("init", example).out


def test_a_file_without_records_is_an_example(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "mask.nc", "w") as file:
        file.createDimension("x", 3)
        file.createVariable("mask", "i1", ("x",))
    assert settings(tmp_path, tmp_path / "mask.nc")["every"] == "1 step"


def test_the_name_of_the_collection_can_be_said(tmp_path: Path) -> None:
    example = make_example(tmp_path / "a.nc", ["2000-01-02"])
    assert settings(tmp_path, example, "--collection", "yes")["collection"] == "yes"


def test_an_output_that_exists_stays(tmp_path: Path) -> None:
    example = make_example(tmp_path / "a.nc", ["2000-01-02"])
    (tmp_path / "made.yaml").write_text("mine")
    assert "made.yaml' exists" in refused(3, "init", example, "-o", tmp_path / "made.yaml")
    assert (tmp_path / "made.yaml").read_text() == "mine"
    assert "No such file" in refused(3, "init", example, "-o", tmp_path / "no" / "made.yaml")


@pytest.mark.parametrize("name", ["text.nc", "empty.nc", "missing.nc", "folder", "cut.nc"])
def test_bad_input_is_one_clear_line(tmp_path: Path, name: str) -> None:
    places = bad_inputs(tmp_path)
    assert f"thalweg: '{places[name]}' " in refused(3, "init", places[name])
    assert not list(tmp_path.glob("*.yaml"))


def test_a_file_that_was_cut_short_is_one_clear_line(tmp_path: Path) -> None:
    example = make_example(tmp_path / "a.nc", ["2000-01-02", "2000-01-03"])
    os.truncate(example, example.stat().st_size // 2)
    assert str(example) in refused(3, "init", example)
