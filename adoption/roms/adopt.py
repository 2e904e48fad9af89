"""How ROMS is built, and its cases: what adoption/adopt.py has to know of it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from compiling import Way, said_by
from side_by_side import call

MARK = "ROMS/Include/cppdefs.h"
"""the file that only its source has"""
CURE = "where ROMS 4.3 is: make adoption SOURCE=~/roms"
NEEDED = {"perl": "perl"}
STEPS = {"UPWELLING": 288, "RIVERPLUME1": 100}
"""of each case, which writes 4 times into each of its files; RIVERPLUME1 has land"""
CASES = list(STEPS)
TILES = {1: (1, 1), 2: (1, 2), 4: (2, 2), 8: (2, 4)}
DEFINES = "-DTHALWEG -DPARALLEL_IO -DHDF5 -Dnetcdf=thalweg_netcdf"
"""of Thalweg; the last one gives every "USE netcdf" the module that writes by it"""
MODULES: dict[str, str] = {}


def build(folder: Path, way: Way, case: str) -> Path:
    """The program of a case."""
    flags = f"{said_by('mpif90', '--showme:compile')} {way.includes}"
    programs = folder / f"bin_{case}"
    programs.mkdir()
    options = {
        "ROMS_APPLICATION": case,
        "MY_ROOT_DIR": folder,
        "MY_PROJECT_DIR": folder,
        "FORT": "gfortran",
        "USE_MPI": "on",
        "USE_MPIF90": "on",
        "which_MPI": "openmpi",
        "USE_NETCDF4": "on",
        "NF_CONFIG": shutil.which("nf-config"),
        "NETCDF_INCDIR": said_by("nf-config", "--includedir"),
        "BINDIR": programs,
        "SCRATCH_DIR": folder / f"scratch_{case}",
        "MY_CPP_FLAGS": way.defines,
        "LIBS": way.libraries,
    }
    words = ["make", f"-j{os.cpu_count()}", *(f"{name}={value}" for name, value in options.items())]
    call(words, folder, folder / f"make_{case}.log", {"OMPI_FCFLAGS": flags, "HOME": str(folder)})
    return programs / "romsM"


def settings_of(folder: Path, case: str, ranks: int) -> str:
    """The case's own standard input, for so many ranks and steps; every file gets a record each quarter of the run."""
    text = (folder / "ROMS" / "External" / f"roms_{case.lower()}.in").read_text(errors="replace")
    steps = STEPS[case]
    values = {
        "NtileI": TILES[ranks][0],
        "NtileJ": TILES[ranks][1],
        "NTIMES": steps,
        "NRST": steps // 2,
        **dict.fromkeys(("NHIS", "NAVG", "NDIA"), steps // 4),
        "LcycleRST": "F",
    }
    for name, value in values.items():
        text = re.sub(rf"(?m)^(\s*{name} ==).*$", rf"\1 {value}", text)
    return re.sub(r"(?m)^(\s*VARNAME =).*$", rf"\1 {folder / 'ROMS/External/varinfo.yaml'}", text)


def make_input(folder: Path, place: Path, case: str, ranks: int) -> None:
    """Into the place of a run."""
    (place / "roms.in").write_text(settings_of(folder, case, ranks))
