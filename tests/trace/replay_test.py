# ctest: LABELS trace mpi TIMEOUT 240
"""Traces that are written again, by the library that wrote them and by Thalweg: both files hold the same."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import mpi
from support.command import refused, thalweg, use_programs
from support.tracing import LIBRARY, MODEL
from thalweg.trace.log import (
    FACTS,
    HEADER_BYTES,
    NAME,
    NAME_PART,
    ROW_BYTES,
    SLOT,
    SLOT_BYTES,
    checks,
    read_log,
)  # fmt: skip

SLOTS_AT = HEADER_BYTES + 256 * ROW_BYTES

KINDS = MODEL.with_name("traced_kinds")

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

SERIAL = """
import sys, time
import netCDF4
with netCDF4.Dataset(sys.argv[1] + "/out_01.nc", "w") as file:
    file.createDimension("time", None); file.createDimension("y", 20); file.createDimension("x", 30)
    times = file.createVariable("time", "f8", ("time",))
    temp = file.createVariable("temp", "f4", ("time", "y", "x"), zlib=True)
    mask = file.createVariable("mask", "i1", ("y", "x"))
    file.title = "a title"
    mask[:] = 3
    for step in range(4):
        time.sleep(0.1)
        times[step] = step
        temp[step, :10] = step
        temp[step, 10:] = step
"""
ODD = """
import sys
import netCDF4
import numpy as np
folder = sys.argv[1]
with netCDF4.Dataset(folder + "/whole.nc", "w") as file:  # variable after variable, and one value again
    file.createDimension("time", None); file.createDimension("x", 30)
    for name in "ab":
        file.createVariable(name, "f4", ("time", "x"))[:] = np.ones((5, 30))
    file["b"][0] = 3
for step in range(3):  # open for each record
    with netCDF4.Dataset(folder + "/append.nc", "a" if step else "w", format="NETCDF3_64BIT_OFFSET") as file:
        if not step:
            file.createDimension("time", None); file.createDimension("x", 30)
            file.createVariable("a", "i2", ("time", "x"))
            file.createVariable("letters", "S1", ("x",))[:] = b"x"
            file.createVariable("scalar", "f8")[...] = 3
        file["a"][step] = step
with netCDF4.Dataset(folder + "/fixed.nc", "w") as file:
    file.createDimension("x", 30); file.createDimension("y", 20)
    file.createVariable("strides", "f4", ("y", "x"))[::2] = 1
    file.createVariable("words", str, ("x",))[0] = "word"
    file.createVariable("part", "f4", ("y", "x"))[3:5, 4] = 2
    file.createGroup("g").createVariable("within", "f4", ("x",))[:] = 3
    file["part"][:]
"""
GATHERED = """
import sys
import netCDF4
import numpy as np
from mpi4py import MPI
comm, folder = MPI.COMM_WORLD, sys.argv[1]
rank, ranks = comm.Get_rank(), comm.Get_size()
own = netCDF4.Dataset(f"{folder}/rank_{rank}.nc", "w")
own.createDimension("t", None); own.createDimension("x", 10)
mine = own.createVariable("mine", "f4", ("t", "x"))
if rank == 0:
    file = netCDF4.Dataset(folder + "/gathered.nc", "w")
    file.createDimension("t", None); file.createDimension("y", 4 * ranks)
    whole = file.createVariable("whole", "f8", ("t", "y"))
for step in range(3):
    mine[step] = rank
    rows = comm.gather(np.full(4, float(rank)))
    if rank == 0:
        whole[step] = np.concatenate(rows)
        file.sync()
own.close()
if rank == 0:
    file.close()
"""
MOVING = """
import sys
import netCDF4
with netCDF4.Dataset(sys.argv[1] + "/moving.nc", "w") as file:
    file.createDimension("time", None); file.createDimension("x", 30)
    part = file.createVariable("part", "f4", ("time", "x"))
    part[0, :10] = 1
    part[1, 10:] = 1
"""

FOUND = """
import sys
import netCDF4
with netCDF4.Dataset(sys.argv[1] + "/found.nc", "a") as file:
    for step in range(2):
        file["temp"][3 + step] = step
"""


def traced(folder: Path, *program: object) -> Path:
    logs = folder / "logs"
    done = thalweg("trace", "--library", LIBRARY, "--keep", logs, "-o", folder / "report.txt", "--", *program)
    assert done.code == 0, done
    return logs


def python(folder: Path, text: str, ranks: int = 1) -> Path:
    launcher = [mpi.ENVIRONMENT, "mpiexec", "-n", ranks] if ranks > 1 else []
    return traced(folder, *launcher, sys.executable, "-c", text, folder)


def replayed(logs: Path, *options: object, code: int = 0) -> dict[str, Any]:
    done = thalweg("replay-trace", "--turns", 1, "--json", *options, logs)
    assert done.code == code, done
    made: dict[str, Any] = done.json
    return made


def names(made: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {Path(row["file"]).name: row for row in made["files"]}


def test_a_serial_program_of_netcdf(tmp_path: Path) -> None:
    logs, keep = python(tmp_path, SERIAL), tmp_path / "kept"
    made = replayed(logs, "--turns", 3, "--keep", keep)
    assert (made["ranks"], made["writes"]) == (1, 13)
    assert made["bytes"] == 4 * (8 + 20 * 30 * 4) + 20 * 30
    assert made["left_out"] == {"nc_put_att_text (attributes)": 1}
    assert made["proof"]["differences"] == [] and made["proof"]["values"] == 4 * (1 + 600) + 600
    for way in ("original", "thalweg"):
        waited = made[way]["waited_s"]
        assert 0 < waited["least"] <= waited["median"] <= waited["most"]
        assert made[way]["wall_s"]["least"] > 0.4, "the times between are kept"
    assert made["thalweg"]["wall_s"]["least"] > 0.3 + made["thalweg"]["waited_s"]["least"], "the start is in it"
    assert made["libraries"] and all("netcdf" in name for name in made["libraries"])
    with netCDF4.Dataset(keep / "original" / "files" / "out_01.nc") as file:
        assert file.data_model == "NETCDF4" and file["temp"].filters()["zlib"]
        assert file["temp"].shape == (4, 20, 30) and file.dimensions["time"].isunlimited()
        assert np.unique(file["temp"][:]).size > 100, "values that could be compressed to nothing would flatter"
    assert (keep / "thalweg" / "files" / "out_01.nc").exists()
    assert replayed(logs, "--pace", 0)["thalweg"]["wall_s"]["most"] < 0.4


def test_what_cannot_be_played_is_named_and_what_netcdf_allows_is_adapted(tmp_path: Path) -> None:
    made = replayed(python(tmp_path, ODD), "--pace", 0)
    assert made["proof"]["differences"] == []
    assert set(made["proof"]["partly_written"]) == {"fixed.nc: part", "fixed.nc: strides"}
    rows = names(made)
    assert {name: row["writes"] for name, row in rows.items()} == {"whole.nc": 3, "append.nc": 5, "fixed.nc": 1}
    left_out = made["left_out"]
    assert left_out["nc_put_vars (with strides)"] == 1
    assert left_out["nc_put_vara (in a group)"] == 1
    assert left_out["nc_put_vara (of strings, or of a type of the program's own)"] == 1
    assert left_out["nc_get_vara (reads)"] == 1
    assert made["left_out_of_thalweg"] == {"nc_put_vara (the same cells again)": 1}
    assert any("'whole.nc'" in note and "one after the other" in note for note in made["notes"])
    assert any("'append.nc' is closed and opened again" in note for note in made["notes"])


def test_a_file_that_the_program_found_is_made_beforehand(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "found.nc", "w", format="NETCDF3_64BIT_DATA") as file:
        file.createDimension("time", None)
        file.createDimension("x", 5)
        file.createVariable("temp", "f4", ("time", "x"))[0] = 1
    made = replayed(python(tmp_path, FOUND), "--keep", tmp_path / "kept")
    assert made["thalweg"]["waited_s"]["median"] > 0
    assert made["notes"] == ["'found.nc' was there before: its record 3 is written as the first"]
    with netCDF4.Dataset(tmp_path / "kept" / "original" / "files" / "found.nc") as file:
        assert file.data_model == "NETCDF3_64BIT_DATA" and file["temp"].shape == (2, 5)


def test_ranks_write_for_themselves_and_one_for_all(tmp_path: Path) -> None:
    made = replayed(python(tmp_path, GATHERED, ranks=3))
    assert made["ranks"] == 3 and made["proof"]["differences"] == []
    assert {name: row["ranks"] for name, row in names(made).items()} == {
        "gathered.nc": 1, "rank_0.nc": 1, "rank_1.nc": 1, "rank_2.nc": 1,
    }  # fmt: skip
    assert made["proof"]["values"] == 3 * (12 + 3 * 10)


@pytest.mark.skipif(not MODEL.exists(), reason="built without parallel netCDF and PnetCDF")
def test_ranks_that_write_together(tmp_path: Path) -> None:
    logs = traced(tmp_path, mpi.ENVIRONMENT, "mpiexec", "-n", 4, MODEL, tmp_path, 3, 40)
    made = replayed(logs)
    assert made["proof"]["differences"] == [] and made["proof"]["values"] == 2 * 3 * 4 * 64 * 512
    assert {name: (row["layer"], row["ranks"]) for name, row in names(made).items()} == {
        "par.nc": ("netcdf", 4), "cdf5.nc": ("pnetcdf", 4),
    }  # fmt: skip
    servers = ("--turns", 1, "--set", "writers={ranks: 1}")
    assert "did not have; say 'writers=thread'" in refused(2, "replay-trace", *servers, logs)
    # Rank 0 computes longer in each of three steps, so that the others wait for it where calls are collective.
    assert made["original"]["waited_s"]["least"] > 2 * 0.040


@pytest.mark.skipif(not KINDS.exists(), reason="built without parallel netCDF and PnetCDF")
def test_each_kind_of_call_that_names_cells(tmp_path: Path) -> None:
    made = replayed(traced(tmp_path, mpi.ENVIRONMENT, "mpiexec", "-n", 2, KINDS, tmp_path), "--busy")
    assert made["left_out"] == {} and made["proof"]["differences"] == [] and made["proof"]["partly_written"] == []
    assert made["proof"]["values"] == 3 * 3 * 48 + 48 + 6 + 2 + 12


def test_what_thalweg_refuses_is_said_and_the_other_way_measured(tmp_path: Path) -> None:
    made = replayed(python(tmp_path, MOVING), code=1)
    assert made["thalweg"] is None and made["proof"] is None and made["original"]["waited_s"]["median"] > 0
    assert "'part'" in made["refused"] and "as it put it before the first record was closed" in made["refused"]
    assert "put in the first record all boxes that are put in any" in made["refused"]


def test_traces_of_which_nothing_can_be_played(tmp_path: Path) -> None:
    text = "import os, sys; os.pwrite(os.open(sys.argv[1] + '/data', os.O_RDWR | os.O_CREAT), b'abc', 0)"
    logs = python(tmp_path, text)
    said = refused(3, "replay-trace", logs)
    assert "no calls of netCDF or PnetCDF" in said and "posix" in said
    assert "there is no such folder" in refused(3, "replay-trace", tmp_path / "none")
    assert "has no logs" in refused(3, "replay-trace", tmp_path)


def renamed(logs: Path, library: Path) -> None:
    """The name of the library in the log, which is in slots of names, is another one, of the same length."""
    (path,) = logs.iterdir()
    data = bytearray(path.read_bytes())
    log = read_log(path)
    (old,) = {
        log.names[int(facts[0])] for number, facts in log.facts.items() if "netcdf" in log.names.get(int(facts[0]), "")
    }
    number = next(number for number, name in log.names.items() if name == old)
    text = str(library).encode().ljust(len(old.encode()), b"\0")
    slots = np.frombuffer(data, SLOT, offset=SLOTS_AT, count=(len(data) - SLOTS_AT) // SLOT_BYTES).copy()
    parts = slots.view(NAME_PART)
    own = np.flatnonzero((parts["kind"] == NAME) & (parts["id"] == number))
    for index in own:
        part = int(parts["part"][index])
        parts["text"][index] = np.frombuffer(text[48 * part : 48 * part + 48].ljust(48, b"\0"), np.uint8)
    slots["check"] = checks(slots)
    data[SLOTS_AT : SLOTS_AT + slots.nbytes] = slots.tobytes()
    path.write_bytes(data)


def test_a_library_that_only_the_log_names_is_not_loaded(tmp_path: Path) -> None:
    logs = python(tmp_path, SERIAL)
    strange = Path(tempfile.mkdtemp(prefix="s", dir="/tmp")) / "l.so"
    strange.write_bytes(b"no library")
    renamed(logs, strange)
    said = refused(4, "replay-trace", "--turns", 1, logs)
    assert f"'{strange}', which the logs name, is not loaded: everybody may write to '/tmp'" in said
    library = "/lib/x86_64-linux-gnu/libc.so.6" if Path("/lib/x86_64-linux-gnu/libc.so.6").exists() else sys.executable
    said = refused(4, "replay-trace", "--turns", 1, "--library", library, logs)
    assert "has no function 'nc_create'" in said and "netCDF-C" in said
    assert "--pace: 'inf'" in refused(2, "replay-trace", "--pace", "inf", logs)


def test_a_log_of_a_tracer_without_boxes(tmp_path: Path) -> None:
    logs = python(tmp_path, MOVING)
    assert "write KEY=VALUE" in refused(2, "replay-trace", "--set", "writers", logs)
    assert "unknown key 'nonsense'" in refused(2, "replay-trace", "--turns", 1, "--set", "nonsense=3", logs)
    for path in logs.iterdir():  # as version 1 was: the same without facts
        data = bytearray(path.read_bytes())
        data[8] = 1
        for at in range(HEADER_BYTES + 256 * ROW_BYTES, len(data), SLOT_BYTES):
            if data[at] == FACTS:
                data[at : at + SLOT_BYTES] = bytes(SLOT_BYTES)
        path.write_bytes(data)
    assert thalweg("trace", "--logs", logs).code == 0
    assert "made by an older tracer" in refused(3, "replay-trace", logs)
