# ctest: LABELS mpi TIMEOUT 180
"""Programs that write by the calls of netCDF-Fortran."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import numpy.typing as npt
import pytest
import yaml
from support import mpi

NX, NY, NZ = 13, 9, 5
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "thread": (4, {"writers": "thread"}),
    "sync_alone": (1, {"writers": "sync"}),
    "a_rank_without": (5, {"writers": "thread", "emulate-nodes": [3, 2]}),
    "servers": (5, {"writers": {"ranks": 1}}),
    "nodes": (5, {"writers": {"nodes": 1}, "emulate-nodes": [2, 2, 1]}),
}


def levels(record: int) -> npt.NDArray[np.float64]:
    k, j, i = np.mgrid[0 : NZ + 1, 1 : NY + 1, 1 : NX + 1]
    return i + 100.0 * j + 10000.0 * k + 1000000.0 * record + 0.25


def run(folder: Path, ranks: int, settings: dict[str, Any], way: str) -> str:
    (folder / "thalweg.yaml").write_text(yaml.safe_dump({"deadline": "20 s"} | settings))
    return mpi.run("nf90_model", ranks, folder, way)


def check_history(path: Path, first: int, records: int, title: str) -> None:
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        assert file.title == title
        assert file.comment == ""
        assert file.data_model == "NETCDF3_64BIT_OFFSET"
        assert list(file.dimensions) == ["ocean_time", "xi", "eta", "s_rho", "bounds"]
        assert list(file.variables) == ["mask", "ocean_time", "time_bounds", "zeta", "temp", "total"]
        assert file["zeta"].valid_range.dtype == np.float32
        assert file["ocean_time"].units == "seconds since 2000-01-01"
        land = np.zeros((NY, NX), np.int8)
        land[:, 1:3] = 1
        np.testing.assert_array_equal(file["mask"][:], land)
        numbers = range(first + 1, first + records + 1)
        np.testing.assert_array_equal(file["ocean_time"][:], [60.0 * number for number in numbers])
        np.testing.assert_array_equal(file["time_bounds"][:], [[60.0 * (n - 1), 60.0 * n] for n in numbers])
        np.testing.assert_array_equal(file["total"][:], 1000 + np.arange(1, records + 1))
        assert file["total"].dtype == np.int32
        for place, number in enumerate(numbers):
            np.testing.assert_array_equal(file["zeta"][place], levels(number)[0].astype(np.float32))
            np.testing.assert_array_equal(file["temp"][place], levels(number)[1:])


def check_files(folder: Path) -> None:
    with netCDF4.Dataset(folder / "grd.nc") as file:
        file.set_auto_mask(False)
        assert file.history == "made"
        assert list(file.dimensions) == ["xi", "eta", "time"]
        assert list(file.variables) == ["h", "lon", "name", "spherical"]
        np.testing.assert_array_equal(file["h"][:], levels(7)[1])
        np.testing.assert_array_equal(file["lon"][:], 0.5 * np.arange(1, NX + 1))
        assert file["name"][:].tobytes() == b"ocean\0\0\0"
        assert file["spherical"][:] == 1
    check_history(folder / "his_0001.nc", 0, 2, "first")
    check_history(folder / "his_0002.nc", 2, 3, "second")
    with netCDF4.Dataset(folder / "rst.nc") as file:
        assert list(file.variables) == ["salt"]
        assert file["salt"].filters()["zlib"]
        assert file["salt"].filters()["shuffle"]
        for record in range(3):
            np.testing.assert_array_equal(file["salt"][record], levels(record + 1)[1:])
    assert not list(folder.glob("*.partial*"))


@pytest.mark.parametrize("way", WAYS)
def test_a_program_writes_what_it_would_with_netcdf(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    run(tmp_path, ranks, settings, "run")
    check_files(tmp_path)


def test_files_that_are_left_open_are_closed_by_the_end(tmp_path: Path) -> None:
    run(tmp_path, 4, {"writers": "thread"}, "left")
    check_files(tmp_path)


def test_a_configuration_changes_what_the_calls_say(tmp_path: Path) -> None:
    run(tmp_path, 4, {"collections": {"his": {"format": "netcdf4", "compression": "zstd"}}}, "run")
    with netCDF4.Dataset(tmp_path / "his_0002.nc") as file:
        assert file.data_model == "NETCDF4"
        assert file.title == "second"


def test_a_configured_name_that_no_file_has_is_told(tmp_path: Path) -> None:
    settings = {"deadline": "20 s", "collections": {"hist": {"format": "netcdf4"}}}
    (tmp_path / "thalweg.yaml").write_text(yaml.safe_dump(settings))
    done = mpi.start("nf90_model", 1, tmp_path, "run")
    assert done.returncode == 0, done.stderr
    told = "collection 'hist' is configured, but the program has opened none of that name; did you mean 'his'"
    assert done.stderr.count(told) == 1, done.stderr


READER = """
program reader
  use mpi
  use thalweg
  use thalweg_netcdf
  type(thw_session) :: io
  integer :: ierr, ncid, x, t, v, kept(4), own
  character(8) :: units
  call MPI_Init(ierr)
  call thw_start_text(io, MPI_COMM_WORLD, "report: none")
  call nf90_session(io)
  call say("create", nf90_create("made.nc", nf90_netcdf4, ncid))
  call say("x", nf90_def_dim(ncid, "x", 4, x))
  call say("t", nf90_def_dim(ncid, "t", nf90_unlimited, t))
  call say("v", nf90_def_var(ncid, "v", nf90_int, [x, t], v))
  call say("chunking", nf90_def_var_chunking(ncid, v, nf90_chunked, [2, 1]))
  call say("units", nf90_put_att(ncid, v, "units", "m"))
  call say("get_att", nf90_get_att(ncid, v, "units", units))
  call say("rename", nf90_rename_var(ncid, v, "w"))
  call say("put", nf90_put_var(ncid, v, [1, 2, 3, 4], start=[1, 1]))
  call say("close", nf90_close(ncid))
  call thw_wait(io)
  call say("noclobber", nf90_create("made.nc", nf90_noclobber, ncid))
  call say("none", nf90_open("none.nc", nf90_nowrite, ncid))
  call say("never", nf90_sync(4711))
  call say("write", nf90_open("made.nc", ior(nf90_write, nf90_share), ncid))
  call say("again", nf90_open("none.nc", nf90_nowrite, ncid))
  call say("open", nf90_open("made.nc", nf90_nowrite, ncid))
  call say("get_var", nf90_get_var(ncid, v, kept))
  call say("put_var", nf90_put_var(ncid, v, kept))
  call say("inq_own", nf90_inq_own(ncid, own))
  call say("close", nf90_close(ncid))
  print *, "read", kept, own
  call thw_finish(io)
  call MPI_Finalize(ierr)
contains
  subroutine say(name, status)
    character(*), intent(in) :: name
    integer, intent(in) :: status
    if (status /= nf90_noerr) print "(a, a, i0, a, a)", name, ": ", status, ": ", trim(nf90_strerror(status))
  end subroutine say
end program reader
"""


def test_programs_are_compiled_as_the_page_says_and_read_beside(tmp_path: Path) -> None:
    page = (mpi.SOURCE / "docs" / "from-netcdf.md").read_text()
    commands = "".join(re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    (tmp_path / "model.f90").write_text((mpi.SOURCE / "tests" / "programs" / "nf90_model.f90").read_text())
    (tmp_path / "reader.f90").write_text(READER)
    places = os.environ | {"PKG_CONFIG_PATH": str(mpi.BUILD / "lib" / "pkgconfig")}
    done = subprocess.run(["bash", "-euc", commands], cwd=tmp_path, env=places, capture_output=True, text=True,
                          timeout=100, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = mpi.launch(["-n", 1, tmp_path / "reader"], tmp_path)
    assert told.returncode == 0, told.stderr
    *errors, read = told.stdout.splitlines()
    expected = [
        "get_att: -33: NetCDF: Not a valid ID: no file of this number is open to be read; of one that nf90_create made",
        "rename: -33: ",
        "noclobber: -35: ",
        "none: 2: No such file or directory",
        "never: -33: NetCDF: Not a valid ID: no file of this number is open to be read; of one",
        "write: 5: nf90_open of 'made.nc': nf90_write, but no file that is there can be written on; nf90_create makes",
        "again: 2: No such file or directory",
        "put_var: 1: 65536 is the number of no file that thalweg_nc_create (nf90_create) has made; if netCDF itself",
    ]
    assert len(errors) == len(expected), errors
    for line, part in zip(errors, expected, strict=True):
        assert line.startswith(part), line
    assert read.split() == ["read", "1", "2", "3", "4", "0"]


def test_what_cannot_be_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    told = run(tmp_path, 2, {}, "wrong").splitlines()
    expected = [
        "a second unlimited dimension, 'tracer' beside 'time'",
        "its unlimited dimension 'time' has to be the slowest one",
        "file 'wrong.nc' was made by this run already",
        "start (2, 1) with count (13, 1) is not within the variable's extents (13, -1) (indices from 1, fastest first",
        "a value of record 3 (from 1), but record 1 is open",
        "text and numbers do not become each other",
        "text and numbers do not become each other",
        "a value of record 1 (from 1), but record 2 is open",
        "but the part of this rank is of (13) from (1) on",
        "a dimension after its first record was closed",
        "is closed",
    ]
    assert len(told) == len(expected), told
    for line, part in zip(told, expected, strict=True):
        assert part in line
    with netCDF4.Dataset(tmp_path / "wrong.nc") as file:
        np.testing.assert_array_equal(file["temp"][:], np.full((1, NX), 1.5))
        assert file.title == "late"
