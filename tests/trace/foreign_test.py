# ctest: SHORT LABELS trace TIMEOUT 120
"""Programs that nobody here wrote: what the tracer counts is what the kernel was asked for (strace)."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from support.tracing import counts, run, trace

CALLS = "openat,read,write,pread64,pwrite64,close,ftruncate,fsync"
# Standard I/O opens and closes with these calls from within the C library. What it reads there has no event.
SAME = {"openat": ("open", "fopen"), "close": ("close", "fclose"), "pread64": ("pread",), "pwrite64": ("pwrite",)}
SAME |= {"write": ("write",), "ftruncate": ("ftruncate",), "fsync": ("fsync",)}
PYTHON = """
import netCDF4
with netCDF4.Dataset("out.nc", "w") as file:
    file.createDimension("x", 10)
    file.createVariable("v", "f8", ("x",))[:] = 1
"""
COMMANDS = {
    "nccopy-classic": ("nccopy", "-k", "classic", "in.nc", "out.nc"),
    "nccopy-hdf5": ("nccopy", "-k", "netCDF-4", "-d1", "in.nc", "out.nc"),
    "ncgen": ("ncgen", "-k", "nc4", "-o", "out.nc", "in.cdl"),
    "ncks": ("ncks", "-O", "--no_tmp_fl", "-v", "temp", "in.nc", "out.nc"),
    "cdo": ("cdo", "-O", "-f", "nc4", "copy", "in.nc", "out.nc"),
    "python": (sys.executable, "-c", PYTHON),
}
CDL = """netcdf in { dimensions: t = unlimited; y = 20; x = 30;
variables: float temp(t, y, x); double s(x); double t(t); t:units = "days since 2000-01-01";
data: s = 1, 2, 3; t = 0, 1, 2, 3; }"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.cdl").write_text(CDL)
    subprocess.run(["ncgen", "-k", "classic", "-o", "in.nc", "in.cdl"], check=True)
    return tmp_path


def kernel_counts(command: tuple[str, ...], file: Path) -> Counter[str]:
    strace = ["strace", "-f", "-y", "-o", "strace.txt", "-e", f"trace={CALLS}"]
    done = subprocess.run([*strace, *command], capture_output=True, text=True, check=False)
    if done.returncode != 0 and "ptrace" in done.stderr:
        pytest.skip("this container may not use ptrace")
    assert done.returncode == 0, done
    text = Path("strace.txt").read_text(errors="replace")
    # A call that another thread interrupts is in two lines; the first has its arguments.
    lines = [line for line in text.splitlines() if re.search(rf'{re.escape(file.name)}[">]', line)]
    return Counter(found[1] for line in lines if (found := re.match(r"\d+ +(\w+)\(", line)))


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not there")
@pytest.mark.parametrize("name", COMMANDS)
def test_counts_are_those_of_the_kernel(name: str, folder: Path) -> None:
    command = COMMANDS[name]
    for file in ("out.nc", "in.nc") if "in.nc" in command else ("out.nc",):
        (folder / "out.nc").unlink(missing_ok=True)
        asked = kernel_counts(command, folder / file)
        (folder / "out.nc").unlink()
        logs = folder / f"logs-{file}"
        run(command, logs)
        found = counts(trace(logs), folder / file)
        for call, functions in SAME.items():
            assert asked[call] == sum(found[function] for function in functions), (call, asked, found)
        assert asked["openat"] > 0


def test_calls_of_netcdf_have_files_variables_and_bytes(folder: Path) -> None:
    run(("nccopy", "-k", "classic", "in.nc", "out.nc"), folder / "logs")
    found = trace(folder / "logs")
    assert counts(found, folder / "in.nc", "netcdf")["nc_open"] == 1
    assert counts(found, folder / "out.nc", "netcdf")["nc_close"] == 1
    puts = [i for i, number in enumerate(found.function) if found.functions[number].name == "nc_put_vara"]
    written = {(found.variables[found.variable[i]], found.offset[i]): found.bytes[i] for i in puts}
    assert sum(size for (name, _), size in written.items() if name == "temp") == 4 * 20 * 30 * 4
    assert sum(size for (name, _), size in written.items() if name == "s") == 30 * 8


def test_events_of_posix_lie_in_those_of_netcdf(folder: Path) -> None:
    run(("nccopy", "-k", "netCDF-4", "in.nc", "out.nc"), folder / "logs")
    found = trace(folder / "logs")
    writes = [i for i, number in enumerate(found.function) if found.functions[number].name == "pwrite"]
    assert writes
    for i in writes:
        caller = found.parent[i]
        assert found.functions[found.function[caller]].layer == "netcdf"
        assert found.start[caller] <= found.start[i]
        assert found.start[i] + found.duration[i] <= found.start[caller] + found.duration[caller]


def test_layers_can_be_chosen(folder: Path) -> None:
    command = ("nccopy", "-k", "netCDF-4", "in.nc", "out.nc")
    for layers in ("posix", "netcdf", "hdf5,posix"):
        run(command, folder / layers, LAYERS=layers)
        assert {one.layer for one in trace(folder / layers).functions} == set(layers.split(","))
    found = trace(folder / "hdf5,posix")
    writes = [i for i, number in enumerate(found.function) if found.functions[number].name == "H5Dwrite"]
    assert {found.variables[found.variable[i]] for i in writes} >= {"s"}
    assert sum(int(found.bytes[i]) for i in writes) >= 30 * 8
    said = run(command, folder / "wrong", LAYERS="posix,ntcdf").stderr
    assert "THALWEG_TRACE_LAYERS has 'ntcdf'" in said and "allowed are netcdf" in said


def test_without_a_folder_nothing_is_traced(folder: Path) -> None:
    run(("nccopy", "in.nc", "out.nc"), folder / "logs", DIR="")
    assert not list((folder / "logs").iterdir())
    done = run(("nccopy", "in.nc", "out.nc"), folder / "logs", DIR=folder / "none")
    assert "this process is not traced" in done.stderr
