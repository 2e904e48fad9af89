"""MPI: which one, and whether two ranks that it starts can write a file together."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from thalweg import programs
from thalweg.cli import mpi_environment as mpi
from thalweg.cli.doctor import known
from thalweg.cli.finding import Finding, note, ok, problem
from thalweg.cli.output import counted

PROBE = "thalweg-probe"
CELLS, RECORDS = 16, 2  # of the file that it writes


def look(ranks: int, limit_s: float) -> Iterator[Finding]:
    yield from launcher()
    yield from root()
    program = programs.find(PROBE)
    if program is None:
        yield problem(PROBE, "not found beside the package, in its prefix, in the build, or on PATH",
                      "install Thalweg, or 'make build'")  # fmt: skip
        return
    said = alone(program, limit_s)
    if isinstance(said, Finding):
        yield said
        return
    yield from stack(said)
    if ranks > 0 and shutil.which("mpiexec"):
        yield together(program, ranks, limit_s)


def launcher() -> Iterator[Finding]:
    mpiexec = shutil.which("mpiexec")
    if mpiexec is None:
        yield problem("mpiexec", "not on PATH", "load the module of the MPI library that Thalweg was built with")
        return
    done = programs.run([mpiexec, "--version"], limit_s=10)
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    version = next((line for line in lines if "ersion" in line), lines[0] if lines else "of unknown version")
    yield ok("mpiexec", f"{mpiexec}: {first_words(version)}")


def first_words(line: str) -> str:
    return " ".join(line.split())[:80]


def root() -> Iterator[Finding]:
    if os.geteuid() == 0 and "OMPI_ALLOW_RUN_AS_ROOT" not in os.environ:
        yield note("root", "Open MPI does not start programs as root by itself",
                   "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, or be another user")  # fmt: skip


def alone(program: Path, limit_s: float) -> dict[str, Any] | Finding:
    """What the program says without mpiexec, or why it says nothing."""
    done = programs.run([program], limit_s, mpi.OVERSUBSCRIBED | mpi.ALONE)
    try:
        said: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return problem(PROBE, failure(done.returncode, done.stderr, limit_s),
                       f"'ldd {program}' shows libraries that are not found")  # fmt: skip
    return said


def failure(code: int, err: str, limit_s: float) -> str:
    if code == 124:
        return f"did not end within {limit_s:g} s"
    lines = [line.strip() for line in err.splitlines() if line.strip(" -*\t")]
    return f"ended with code {code}: {lines[0][:200] if lines else 'it said nothing'}"


def stack(said: dict[str, Any]) -> Iterator[Finding]:
    """The libraries that Thalweg itself uses."""
    mpi = first_words(said["mpi"].split(",")[0])
    yield ok("MPI", mpi)
    if mpi.startswith("Open MPI"):
        yield from known.remarks("Open MPI", mpi)
    if said["thread_level"] == "MPI_THREAD_MULTIPLE":
        yield ok("threads", "MPI_THREAD_MULTIPLE, so that 'progress: thread' can be had")
    else:
        yield note("threads", f"{said['thread_level']} at most", "'progress: thread' needs MPI_THREAD_MULTIPLE")
    netcdf = said["netcdf"]
    if "error" in netcdf:
        yield problem(
            "netCDF-C", f"cannot be loaded: {netcdf['error']}", "install parallel netCDF-C, or use CDF formats"
        )
    else:
        yield ok("netCDF-C", f"{netcdf['version'].split(' of ')[0]}, parallel: {yes(netcdf['parallel'])}")
        yield from known.remarks("netCDF-C", netcdf["version"])
    hdf5 = said["hdf5"]
    if "error" in hdf5:
        yield problem("HDF5", f"cannot be loaded: {hdf5['error']}", "install parallel HDF5, or use CDF formats")
    else:
        yield ok("HDF5", f"{hdf5['version']}, thread-safe: {yes(hdf5['threadsafe'])} (Thalweg does not need it)")
        yield from known.remarks("HDF5", hdf5["version"])
    pnetcdf = said["pnetcdf"]
    if "error" in pnetcdf:
        yield note("PnetCDF", f"cannot be loaded: {pnetcdf['error']}", "'engine: library' needs it for CDF formats")
    else:
        yield ok("PnetCDF", pnetcdf["version"].split(" of ")[0])


def yes(flag: bool) -> str:
    return "yes" if flag else "no"


def together(program: Path, ranks: int, limit_s: float) -> Finding:
    """Several ranks write a file, which is read back."""
    subject = "self-test"
    with tempfile.TemporaryDirectory(prefix="thalweg-doctor-") as folder:
        file = Path(folder) / "probe.nc"
        done = programs.run(["mpiexec", "-n", ranks, program, file], limit_s, mpi.OVERSUBSCRIBED)
        if done.returncode != 0:
            text = f"{counted(ranks, 'rank')} under mpiexec: {failure(done.returncode, done.stderr, limit_s)}"
            return problem(subject, text, advice_for(done.stderr))
        try:
            started = json.loads(done.stdout)["ranks"]
        except ValueError:
            started = 1  # of which each has printed an answer
        if started != ranks:
            return problem(subject, f"mpiexec started {ranks} programs that do not know of each other",
                           "mpiexec is of another MPI library; put the folder of Thalweg's first on PATH")  # fmt: skip
        wrong = wrong_values(file)
        if wrong:
            return problem(subject, wrong, "please report it with what 'thalweg doctor --json' says")
    return ok(subject, f"{counted(ranks, 'rank')} wrote a file together, and all of its values are right")


def advice_for(err: str) -> str:
    if re.search(r"slots|oversubscribe", err):
        return "ask the batch system for more ranks, or try --ranks 1"
    return "try 'mpiexec -n 2 hostname': if that fails, MPI is not set up here"


def wrong_values(file: Path) -> str:
    import netCDF4  # 'doctor' looks whether it is there; all other commands import this module for nothing

    wanted = np.arange(RECORDS * CELLS).reshape(RECORDS, CELLS)
    try:
        with netCDF4.Dataset(file) as dataset:
            found = np.asarray(dataset["cell"][...])
    except (OSError, IndexError, RuntimeError) as fault:
        return f"the file that was written cannot be read: {fault}"
    return "" if np.array_equal(found, wanted) else "the file that was written has wrong values"
