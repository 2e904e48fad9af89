# ctest: SHORT LABELS cli mpi TIMEOUT 200
"""thalweg replay and convert: characters and strings come through in every format, and readers find the same texts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import xarray
from support.command import thalweg, use_programs, use_ranks_that_stay

pytestmark = pytest.mark.usefixtures(use_programs.__name__)
ranks_stay = pytest.mark.usefixtures(use_ranks_that_stay.__name__)

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr")
RECORDS, STATIONS, LENGTH = 3, 21, 10
NAMES = [f"St. {number}" + "θ" * (number % 3) for number in range(STATIONS)]
WORDS = [["", "a", "dreißig"][number % 3] + str(number) * (number % 2) for number in range(STATIONS)]


def padded(texts: list[str]) -> np.ndarray[Any, Any]:
    return np.array([text.encode() for text in texts], f"S{LENGTH}").view("S1").reshape(len(texts), LENGTH)


def write_characters(file: netCDF4.Dataset) -> None:
    """As observations have them: a container of attributes, names, and flags of each record and station."""
    for name, size in (("time", None), ("station", STATIONS), ("length", LENGTH)):
        file.createDimension(name, size)
    file.createVariable("time", "f8", ("time",))[...] = np.arange(RECORDS)
    file.createVariable("crs", "S1", ()).grid_mapping_name = "latitude_longitude"
    file["crs"].longitude_of_prime_meridian = 0.0
    file["crs"].empty = ""
    file["crs"].nothing = np.array([], "f4")
    file.empty = ""
    file.createVariable("name", "S1", ("station", "length")).long_name = "name of the station, θ"
    file["name"][...] = padded(NAMES)
    flags = file.createVariable("flag", "S1", ("time", "station"), fill_value=b"-")
    flags[...] = np.array(list("GXB-" * 16), "S1")[: RECORDS * STATIONS].reshape(RECORDS, STATIONS)
    file.createVariable("height", "f4", ("time", "station"))[...] = np.arange(RECORDS * STATIONS).reshape(RECORDS, -1)


@pytest.fixture
def characters(tmp_path: Path) -> Path:
    with netCDF4.Dataset(tmp_path / "characters.nc", "w", format="NETCDF3_CLASSIC") as file:
        write_characters(file)
    return tmp_path / "characters.nc"


@pytest.fixture
def strings(tmp_path: Path) -> Path:
    with netCDF4.Dataset(tmp_path / "strings.nc", "w") as file:
        write_characters(file)
        file.createVariable("word", str, ("station",)).setncattr_string("units", "θ")
        file["word"][...] = np.array(WORDS, object)
        file.createVariable("version", str, ("time",))[...] = np.array(["0001", "0005", ""], object)
        file.createVariable("source", str, ())[...] = "eine Quelle"
        file.createVariable("none", str, ("station",))
    return tmp_path / "strings.nc"


@ranks_stay
def test_characters_come_through_in_every_format(characters: Path) -> None:
    done = thalweg("replay", "--json", "-n", 4, "--halo", 1, "--format", "all", characters)
    assert (done.code, done.err) == (0, ""), done
    assert [found["format"] for found in done.json] == list(FORMATS)
    for found in done.json:
        assert (found["left_out"], found["comparison"]["equal"]) == ({}, True)
        assert found["comparison"]["variables"]["name"]["compared"] == STATIONS * LENGTH
        assert found["cut"]["station"]["parts"] == [4]


@ranks_stay
@pytest.mark.parametrize(
    "words",
    [
        ("--pattern", "per-domain", "--format", "cdf5"),
        ("--pattern", "per-domain", "--format", "netcdf4"),
        ("--writers", "{ranks: 1}", "--format", "netcdf4-classic"),
        ("--set", "collections.replay.engine=library", "--format", "cdf2,netcdf4"),
        ("--writers", "sync", "--compression", "zstd", "--format", "netcdf4,zarr"),
    ],
    ids=" ".join,
)
def test_strings_come_through_however_they_are_written(strings: Path, words: tuple[str, ...]) -> None:
    done = thalweg("replay", "--no-classic", "--json", "-n", 3, *words, strings)
    assert (done.code, done.err) == (0, ""), done


@ranks_stay
def test_strings_are_kept_as_characters_which_is_said(strings: Path, tmp_path: Path) -> None:
    done = thalweg("replay", "-n", 4, "--format", "all", strings)
    assert (done.code, done.err) == (0, ""), done
    assert "kept as characters: variable 'word' (strings; their length is the dimension 'string10')" in done.out
    for format_name in FORMATS:
        target = tmp_path / f"made.{'zarr' if format_name == 'zarr' else 'nc'}"
        done = thalweg("convert", "--force", "--format", format_name, strings, target)
        assert (done.code, done.err) == (0, ""), done
        assert "kept as characters: variable 'version'" in done.out
        assert_texts(target)
        compared = thalweg("verify", strings, target)
        assert compared.code == 0, compared
        assert "the characters of variable 'word' are compared as strings" in compared.out


def assert_texts(path: Path) -> None:
    """As xarray decodes them, which knows nothing of Thalweg."""
    with xarray.open_dataset(path, engine="zarr" if path.suffix == ".zarr" else "netcdf4") as found:
        assert [text.decode() for text in found["name"].values.tolist()] == NAMES
        assert [text.decode() for text in found["word"].values.tolist()] == WORDS
        assert [text.decode() for text in found["version"].values.tolist()] == ["0001", "0005", ""]
        assert found["source"].item() == b"eine Quelle"
        assert (found["none"].values == b"").all()
        assert found["word"].attrs["units"] == "θ"
        assert found["crs"].attrs == {
            "grid_mapping_name": "latitude_longitude",
            "longitude_of_prime_meridian": 0.0,
            "empty": "",
            "nothing": pytest.approx([]),
        }
        assert found.attrs["empty"] == ""


def test_ncdump_shows_the_texts(strings: Path, tmp_path: Path) -> None:
    assert thalweg("convert", strings, tmp_path / "made.nc", "--format", "cdf1").code == 0
    text = subprocess.run(["ncdump", tmp_path / "made.nc"], capture_output=True, text=True, check=True, timeout=60)
    wanted = (
        "char name(station, length) ;",
        "char word(station, string10) ;",
        "char version(time, string4) ;",
        'flag:_FillValue = "-" ;',
        'crs:empty = "" ;',
        r'"St. 20\316\270\316\270"',
        '"0001",',
        'source = "eine Quelle" ;',
    )
    for line in wanted:
        assert line in text.stdout, f"{line}\n{text.stdout}"


def test_another_text_is_a_difference(strings: Path, tmp_path: Path) -> None:
    assert thalweg("convert", strings, tmp_path / "made.nc", "--format", "cdf5").code == 0
    with netCDF4.Dataset(tmp_path / "made.nc", "a") as file:
        file["word"][1, 0] = b"b"
    done = thalweg("verify", strings, tmp_path / "made.nc")
    assert done.code == 1
    assert "variable 'word': 1 of 21 values differ" in done.out
    assert "[1]: 'a1' in A, 'b1' in B" in done.out


def test_a_name_that_is_taken_is_not_that_of_a_length(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        file.createDimension("string3", 2)
        file.createVariable("a", str, ("string3",))[...] = np.array(["one", "two"], object)
    assert thalweg("convert", tmp_path / "a.nc", tmp_path / "b.nc").code == 0
    with netCDF4.Dataset(tmp_path / "b.nc") as file:
        assert file["a"].dimensions == ("string3", "string3_")
    assert thalweg("verify", tmp_path / "a.nc", tmp_path / "b.nc").code == 1  # of the empty dimension for records
    assert thalweg("verify", "--variables", "a", tmp_path / "a.nc", tmp_path / "b.nc").code == 0
