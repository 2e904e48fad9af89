"""How CICE is built, and its cases: what adoption/adopt.py has to know of it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from compiling import Way, said_by
from side_by_side import call

MARK = "cicecore/version.txt"
"""the file that only its source has"""
CURE = "where CICE 6 is: make adoption SOURCE=~/CICE"
NEEDED = {"gcc": "gcc"}
DEFINES = "-DTHALWEG"
INFRASTRUCTURE = "cicecore/cicedyn/infrastructure"
MODULES = {"ice_thalweg.F90": INFRASTRUCTURE, "ice_thalweg_session.F90": INFRASTRUCTURE}
"""where the modules go that the patch uses"""
FOLDERS = [
    "cicecore/drivers/standalone/cice",
    *(f"cicecore/cicedyn/{name}" for name in ("dynamics", "general", "analysis", "infrastructure")),
    f"{INFRASTRUCTURE}/io/io_netcdf",
    f"{INFRASTRUCTURE}/comm/mpi",
    "cicecore/shared",
    "icepack/columnphysics",
]
"""that cice.build has for MPI and netCDF"""
COMMON = """
    distribution_type = 'roundrobin'
    ndte = 24
    npt_unit = '1'
    restart_ext = .false.
    dumpfreq = '1','x','x','x','x'
"""
CASES = {
    "gbox128": """
        nx_global = 128
        ny_global = 128
        block_size_x = 32
        block_size_y = 32
        npt = 12
        histfreq = '1','x','x','x','x'
        histfreq_n = 2,1,1,1,1
        dumpfreq_n = 6,1,1,1,1
    """,
    "boxchan": """
        nx_global = 40
        ny_global = 40
        block_size_x = 20
        block_size_y = 2
        npt = 6
        dumpfreq_n = 3,1,1,1,1
        history_format = 'hdf5'
        history_deflate = 4
        restart_format = 'hdf5'
        restart_deflate = 4
    """,
}
"""what each has beside CICE's own options of that name"""


def build(folder: Path, way: Way, _case: str) -> Path:
    """The program, which is the same one for all cases. CICE's makefile gets by name what a file of a machine would
    set, so that neither csh nor such a file is needed."""
    if not (folder / FOLDERS[-1]).is_dir():
        sys.exit("adopt.py: CICE is without Icepack: git submodule update --init")
    objects = folder / "objects"
    objects.mkdir(exist_ok=True)
    scripts = folder / "configuration" / "scripts"
    options = {
        "VPATH": " ".join(str(folder / name) for name in FOLDERS),
        "EXEC": "cice",
        "DEPFILE": scripts / "makdep.c",
        "SCC": "gcc",
        "CC": "mpicc",
        "FC": "mpif90",
        "LD": "mpif90",
        "CFLAGS": "-c -O2",
        "FFLAGS": "-O2 -fconvert=big-endian -ffree-line-length-none",
        "FREEFLAGS": "-ffree-form",
        "CPPDEFS": f"-DFORTRANUNDERSCORE -DUSE_NETCDF -DNO_SNICARHC {way.defines}",
        "INCLDIR": f"-I{said_by('nf-config', '--includedir')} {way.includes}",
        "SLIBS": way.libraries,
    }
    words = ["make", f"-j{os.cpu_count()}", "-f", scripts / "Makefile", *(f"{k}={v}" for k, v in options.items())]
    call([*words, "cice"], objects, folder / "make.log")
    return objects / "cice"


def values_of(options: str) -> dict[str, str]:
    return dict(re.findall(r"(?m)^\s*(\w+)\s*=\s*(.*?)\s*$", options))


def make_input(folder: Path, place: Path, case: str, _ranks: int) -> None:
    """Into the place of a run: CICE's own settings with its options for the case; the fields that it would put each
    month are put with the history of the case."""
    scripts = folder / "configuration" / "scripts"
    text = (scripts / "ice_in").read_text()
    own = (scripts / "options" / f"set_nml.{case}").read_text()
    for name, value in values_of(own + COMMON + CASES[case]).items():
        text = re.sub(rf"(?m)^(\s*{name}\s*=).*$", rf"\1 {value}", text)
    (place / "ice_in").write_text(re.sub(r"(?m)^(\s*f_\w+\s*=\s*)'m'", r"\1'1'", text))
    for name in ("history", "restart"):
        (place / name).mkdir()
