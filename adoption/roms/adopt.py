#!/usr/bin/env python3
"""Builds ROMS twice from the user's own source, as it is and with what thalweg.patch adds; runs cases with both in
turn, compares all files bit by bit, and prints what the output took.

    make adoption SOURCE=folder of ROMS          or   adopt.py SOURCE [--rounds N] [--ranks N] [CASE …]

Needs netCDF-Fortran, its nf-config, perl, and gfortran with Open MPI. The source stays as it is: copies are in
build/adoption/roms."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from side_by_side import MODELS, Run, added_lines, call, compare, is_told_equal, print_runs, run

WORK = ROOT / "build" / "adoption" / "roms"
CORE = ROOT / "build" / "release"
STEPS = {"UPWELLING": 288, "RIVERPLUME1": 100}
"""of each case, which writes 4 times into each of its files; RIVERPLUME1 has land"""
TILES = {1: (1, 1), 2: (1, 2), 4: (2, 2), 8: (2, 4)}
WAYS = {"netCDF": "", "Thalweg": "-DTHALWEG -DPARALLEL_IO -DHDF5 -Dnetcdf=thalweg_netcdf"}
"""names and preprocessor flags; the last one gives every "USE netcdf" the module that writes by Thalweg"""


def said_by(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def make_module() -> Path:
    """thalweg_netcdf, compiled with the compiler and the netcdf.mod of the model."""
    module = WORK / "module"
    module.mkdir(parents=True, exist_ok=True)
    source = ROOT / "fortran" / "with_netcdf" / "thalweg_netcdf.f90"
    include = said_by("nf-config", "--includedir")
    call(["mpif90", "-c", f"-I{include}", f"-I{CORE / 'modules'}", source], module, module / "log")
    return module


def require_roms(source: Path) -> Path:
    """A folder of anything else, such as the current one where SOURCE is left out, would be copied whole."""
    if not (source / "ROMS" / "Include" / "cppdefs.h").is_file():
        sys.exit(
            f"adopt.py: '{source}' has no ROMS/Include/cppdefs.h; say where ROMS 4.3 is: make adoption SOURCE=~/roms"
        )
    return source


def copy_source(source: Path, way: str) -> Path:
    folder = WORK / way
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git", "Build*", "build*"), symlinks=True)
    if way == "Thalweg":
        call(["patch", "-p1", "-i", HERE / "thalweg.patch"], folder, folder / "patch.log")
    return folder


def build(folder: Path, way: str, case: str, module: Path) -> Path:
    """The program of a case."""
    libraries = said_by("nf-config", "--flibs")
    flags = said_by("mpif90", "--showme:compile")
    if way == "Thalweg":
        lib = CORE / "lib"
        libraries = f"{module / 'thalweg_netcdf.o'} -L{lib} -lthalweg_fortran -lthalweg -Wl,-rpath,{lib} {libraries}"
        flags += f" -I{CORE / 'modules'} -I{module}"
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
        "MY_CPP_FLAGS": WAYS[way],
        "LIBS": libraries,
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


def place_of_run(folder: Path, case: str, ranks: int) -> Path:
    place = folder / f"run_{case}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "roms.in").write_text(settings_of(folder, case, ranks))
    return place


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("cases", nargs="*", default=list(STEPS), metavar="CASE", help=f"of {', '.join(STEPS)}")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ranks", type=int, default=4, choices=TILES)
    options = parser.parse_args()
    source = require_roms(options.source)
    print(f"{added_lines(HERE / 'thalweg.patch')} lines are added to ROMS, none is changed", flush=True)
    module = make_module()
    folders = {way: copy_source(source, way) for way in WAYS}
    is_equal = True
    for case in options.cases:
        programs = {way: build(folder, way, case, module) for way, folder in folders.items()}
        runs: dict[str, list[Run]] = {way: [] for way in WAYS}
        for _ in range(options.rounds):
            for way, program in programs.items():
                place = place_of_run(folders[way], case, options.ranks)
                runs[way].append(run(MODELS["roms"], program, place, options.ranks))
        print_runs(case, runs)
        places = [folder / f"run_{case}" for folder in folders.values()]
        is_equal &= is_told_equal(case, compare(MODELS["roms"], *places))
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
