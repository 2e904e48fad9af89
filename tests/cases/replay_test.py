# ctest: LABELS mpi TIMEOUT 400 ALL 900
"""thalweg replay and convert with real files: every value and attribute comes through, or is named."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import mpi, real_files, ways
from support.checksums import with_companions
from support.command import Done, thalweg, use_programs, use_ranks_that_stay

pytestmark = pytest.mark.usefixtures(use_programs.__name__)
ranks_stay = pytest.mark.usefixtures(use_ranks_that_stay.__name__)

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr")
KINDS = list(real_files.KINDS)
OLD = ("cdf1", "cdf2", "netcdf4-classic")
# What the old formats have no type for.
TOO_NEW = {
    "darwin": {"time": "type int64"},
    "spectra": {
        **dict.fromkeys(("L1B_PIXELS_PER_GRID", "L1B_TIME_BINS_PER_GRID"), "type uint16"),
        **dict.fromkeys((":CHANNEL_ID", ":DATA_CYCLE", ":DATA_REVISION", ":DATA_VERSION", ":GC_VER"), "type uint16"),
        **dict.fromkeys((":MAXIMUM_PHD", ":MINIMUM_PHD", ":OBS_TYPE", ":OC_VER", ":TC_VER"), "type uint16"),
        **dict.fromkeys((":SPATIAL_BINNING", ":SPECTRAL_BINNING"), "type uint16"),
        **dict.fromkeys(("QUALITY_FLAG", ":OBS_ID"), "type uint32"),
    },
    "greek": {"eastward_wind:flag_values": "type int64", "rotated_latitude_longitude:earth_radius": "type int64"},
    "formula": {"rotated_latitude_longitude:earth_radius": "type int64"},
    "ugrid": {"topology:topology_dimension": "type int64", "face_nodes:start_index": "type int64"},
    "cell_measures": {"X": "type int64", "Y": "type int64"},
}


def left_out_of(name: str, format_name: str) -> dict[str, str]:
    return TOO_NEW.get(name, {}) if format_name in OLD else {}


def require_all_but_named(found: dict[str, Any], name: str) -> None:
    """All is equal, every value was compared, and what is not there is named with its reason."""
    assert found["comparison"]["equal"], found["comparison"]
    wanted = left_out_of(name, found["format"])
    assert found["left_out"].keys() == wanted.keys()
    assert all(found["left_out"][key].startswith(reason) for key, reason in wanted.items())
    compared = sum(one["compared"] for one in found["comparison"]["variables"].values())
    assert compared == values_of(real_files.path(name), wanted)


def values_of(path: Path, without: dict[str, str]) -> int:
    with netCDF4.Dataset(path) as file:
        return sum(int(np.prod(v.shape)) for name, v in file.variables.items() if name not in without)


def require_equal(done: Done, code: int = 0) -> None:
    assert done.code == code, done
    for found in done.json:
        assert found["comparison"]["equal"], found["comparison"]


def inside(ranks: int, folder: Path, *words: object) -> Done:
    """thalweg replay, started by mpiexec itself."""
    command = ["-n", ranks, sys.executable, "-m", "thalweg.cli", "replay", *words]
    done = mpi.launch(command, folder, ways.of(120, 600), {"PYTHONPATH": str(mpi.BUILD / "python")})
    return Done(done.returncode, done.stdout, done.stderr)


def files_of(format_name: str) -> list[str]:
    """All, or so many that each is written once. ("e1" is long.)"""
    few = [name for n, name in enumerate(real_files.FILES) if FORMATS[n % len(FORMATS)] == format_name and name != "e1"]
    return ways.of(few, list(real_files.FILES))


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_value_and_attribute_of_real_files_comes_through(tmp_path: Path, format_name: str) -> None:
    """By one start of the ranks, which takes longer than most of the files do."""
    names = files_of(format_name)
    paths = [real_files.path(name) for name in names]
    done = inside(ways.of(3, 4), tmp_path, "--json", "--no-classic", "--format", format_name, *paths)
    assert done.code == int(any(left_out_of(name, format_name) for name in names)), done
    for found, name in zip(done.json, names, strict=True):
        assert found["format"] == format_name
        require_all_but_named(found, name)


@ranks_stay
@pytest.mark.parametrize(
    ("names", "format_name"),
    ways.of(
        [(KINDS[0::3], "cdf1"), (KINDS[1::3], "netcdf4"), (KINDS[2::3], "zarr")], [(KINDS, each) for each in FORMATS]
    ),
)
def test_files_of_many_kinds_come_through_but_for_what_is_named(names: list[str], format_name: str) -> None:
    paths = [real_files.path(name) for name in names]
    done = thalweg("replay", "--json", "--no-classic", "-n", ways.of(2, 4), "--format", format_name, *paths)
    assert done.code == int(any(left_out_of(name, format_name) for name in names)), done
    assert len(done.json) == len(names)
    for found, name in zip(done.json, names, strict=True):
        assert found["format"] == format_name
        require_all_but_named(found, name)


CUTS: dict[str, dict[str, list[int]]] = {
    "nemo": {"y,x": [2, 2]},
    "mesh": {"nexample_C4_face": [4], "nexample_C4_edge": [4], "nexample_C4_node": [4]},
    "rotated_pole": {"grid_longitude": [4]},
    "darwin": {},
    "sgrid": {f"eta_{at},xi_{at}": [2, 2] for at in ("rho", "psi", "u", "v")},
}


@ranks_stay
def test_fields_are_cut_as_models_do() -> None:
    done = thalweg("replay", "--json", "--no-classic", *map(real_files.path, CUTS))
    require_equal(done)
    for (name, cut), found in zip(CUTS.items(), done.json, strict=True):
        assert {dims: one["parts"] for dims, one in found["cut"].items()} == cut, name


@ranks_stay
@pytest.mark.parametrize(
    ("format_name", "pattern", "writers", "halo"),
    ways.of(
        [
            ("netcdf4", "per-rank", "thread", 1),
            ("cdf5", "shared", "sync", 2),
            ("zarr", "single", "{ranks: 1}", 1),
            ("cdf1", "per-domain", "{ranks: 2}", 0),
        ],
        [
            way
            for way in ways.ways(
                FORMATS, ("single", "shared", "per-domain", "per-rank"), ("sync", "{ranks: 1}"), (0, 2)
            )
            if not (way[0] == "zarr" and way[1].startswith("per-"))
        ],
    ),
)
def test_patterns_writers_and_halos_change_no_value(format_name: str, pattern: str, writers: str, halo: int) -> None:
    words = ("--format", format_name, "--pattern", pattern, "--writers", writers, "--halo", halo)
    layout = ("--layout", "2,1") if pattern in ("shared", "per-domain") else ()
    require_equal(thalweg("replay", "--json", "--no-classic", *words, *layout, real_files.path("hybrid_height")))


@ranks_stay
def test_packed_shorts_stay_as_they_are_stored(tmp_path: Path) -> None:
    """The temperature of OSTIA, as the original has it: shorts with scale and offset."""
    with netCDF4.Dataset(real_files.path("ostia")) as source, netCDF4.Dataset(tmp_path / "packed.nc", "w") as packed:
        for dim in source.dimensions.values():
            packed.createDimension(dim.name, None if dim.isunlimited() else len(dim))
        field = source["surface_temperature"]
        stored = packed.createVariable("sst", "i2", field.dimensions, fill_value=-32768, compression="zlib")
        stored.setncatts({"scale_factor": np.float32(0.01), "add_offset": np.float32(273.15), "units": "kelvin"})
        stored.set_auto_maskandscale(False)
        values = (field[...] - 273.15) / 0.01
        stored[...] = np.where(np.ma.getmaskarray(values), -32768, np.round(values.filled(0))).astype("i2")
        time = packed.createVariable("time", "f8", ("time",))
        time.units = source["time"].units
        time[...] = source["time"][...]
    with netCDF4.Dataset(tmp_path / "packed.nc") as packed:
        packed.set_auto_maskandscale(False)
        assert len(np.unique(packed["sst"][...])) > 100
        assert (packed["sst"][...] == -32768).any()
    require_equal(thalweg("replay", "--json", "--format", "cdf1,netcdf4,zarr", tmp_path / "packed.nc"))


@ranks_stay
def test_rounding_is_found_by_the_comparison() -> None:
    words = ("--format", "netcdf4", "--compression", "{codec: zstd, keep-digits: 3}", "--no-classic")
    done = thalweg("replay", "--json", *words, real_files.path("hybrid_height"))
    assert done.code == 1
    found = done.json[0]["comparison"]["variables"]["air_potential_temperature"]
    assert 0 < found["different"] <= found["compared"] == 150000


def test_both_ways_are_measured() -> None:
    done = thalweg("replay", "--json", "--repeat", 2, "--step-time", 0.01, "-n", 2, real_files.path("hybrid_height"))
    require_equal(done)
    (found,) = done.json
    for way in (found["thalweg"], found["classic"]):
        assert 0 < way["stall_s"] <= way["longest_stall_s"] < way["wall_s"]
        assert way["wall_s"] > 15 * 0.01  # the steps of its records
    assert 0 <= found["thalweg"]["overlap"] <= 1
    shown = thalweg("replay", "-n", 2, real_files.path("hybrid_height"))
    assert "all 160709 values of 15 variables and all attributes are equal" in shown.out
    assert "the stall of a record" in shown.out


def test_it_runs_inside_of_mpi(tmp_path: Path) -> None:
    done = inside(3, tmp_path, "--json", real_files.path("mesh"))
    assert done.code == 0, done.err
    (found,) = done.json
    assert found["comparison"]["equal"]
    assert found["cut"]["nexample_C4_face"]["parts"] == [3]


def test_a_fault_inside_of_mpi_ends_all_ranks(tmp_path: Path) -> None:
    done = inside(3, tmp_path, "--set", "no-key=1", real_files.path("mesh"))
    assert done.code == 2
    assert "thalweg: unknown key 'no-key'" in done.err


@ranks_stay
def test_a_file_is_converted_there_and_back(tmp_path: Path) -> None:
    source = real_files.path("nemo")
    for before, after in ((source, "nemo.zarr"), (tmp_path / "nemo.zarr", "nemo.nc")):
        done = thalweg("convert", before, tmp_path / after)
        assert done.code == 0, done
        assert "all 1306804 values of 8 variables and all attributes are equal" in done.out
    done = thalweg("convert", "-n", 2, "--pattern", "per-rank", "--format", "cdf5", source, tmp_path / "set.nc")
    assert done.code == 0, done
    made = with_companions(("nemo.nc", "nemo.zarr", "set.nc.0000", "set.nc.0001"))
    assert {path.name for path in tmp_path.iterdir()} == made
    for other in ("nemo.nc", "set.nc"):
        assert thalweg("verify", source, tmp_path / other).code == 0
