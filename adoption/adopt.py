#!/usr/bin/env python3
"""Builds a model twice from the user's own source, as it is and with what its thalweg.patch adds; runs cases with both
in turn, compares all files bit by bit, and prints what the output took.

    make adoption SOURCE=folder of ROMS or CICE          or   adopt.py SOURCE [--rounds N] [--ranks N] [CASE …]

Needs gfortran with Open MPI, netCDF-Fortran with its nf-config, patch, for ROMS perl and for CICE gcc. The source stays
as it is: copies are in build/adoption."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from cice import adopt as cice
from compiling import THALWEG, add_thalweg, both_ways, copy_source, make_module
from roms import adopt as roms
from side_by_side import MODELS, ROOT, Run, added_lines, compare, is_told_equal, print_runs, run

HERE = Path(__file__).resolve().parent
ADOPTIONS = {"roms": roms, "cice": cice}
NEEDED = {"nf-config": "libnetcdff-dev", "mpif90": "libopenmpi-dev", "gfortran": "gfortran", "patch": "patch"}
"""programs, and the packages of Debian that have them"""


def name_of(source: Path) -> str:
    """The model's. A folder of anything else, such as the current one where SOURCE is left out, would be copied."""
    for name, adoption in ADOPTIONS.items():
        if (source / adoption.MARK).is_file():
            return name
    marks = " nor ".join(adoption.MARK for adoption in ADOPTIONS.values())
    cures = ", or ".join(adoption.CURE for adoption in ADOPTIONS.values())
    sys.exit(f"adopt.py: '{source}' has neither {marks}; say {cures}")


def require_programs(needed: dict[str, str]) -> None:
    missing = {name: package for name, package in needed.items() if shutil.which(name) is None}
    if missing:
        sys.exit(f"adopt.py: no {', '.join(missing)}; install them: apt-get install {' '.join(missing.values())}")


def place_of_run(folder: Path, case: str) -> Path:
    place = folder / f"run_{case}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return place


def is_equal_in(case: str, name: str, programs: dict[Path, Path], options: argparse.Namespace) -> bool:
    """programs: of the folder of each way, whose name is that of the way."""
    runs: dict[str, list[Run]] = {folder.name: [] for folder in programs}
    for _ in range(options.rounds):
        for folder, program in programs.items():
            place = place_of_run(folder, case)
            ADOPTIONS[name].make_input(folder, place, case, options.ranks)
            runs[folder.name].append(run(MODELS[name], program, place, options.ranks))
    print_runs(case, runs)
    return is_told_equal(case, compare(MODELS[name], *(folder / f"run_{case}" for folder in programs)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="of the model; all of them, if none is said")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ranks", type=int, default=4, choices=(1, 2, 4, 8))
    options = parser.parse_intermixed_args()
    name = name_of(options.source)
    adoption = ADOPTIONS[name]
    cases = options.cases or list(adoption.CASES)
    if unknown := set(cases) - set(adoption.CASES):
        known = ", ".join(adoption.CASES)
        sys.exit(f"adopt.py: no case {', '.join(sorted(unknown))}; those of {name.upper()}: {known}")
    require_programs(NEEDED | adoption.NEEDED)
    own, work = HERE / name, ROOT / "build" / "adoption" / name
    print(f"{added_lines(own / 'thalweg.patch')} lines are added to {name.upper()}, none is changed", flush=True)
    ways = both_ways(make_module(work), adoption.DEFINES)
    for way in ways:
        copy_source(options.source, work / way)
    add_thalweg(work / THALWEG, own, adoption.MODULES)
    is_equal = True
    for case in cases:
        programs = {work / way: adoption.build(work / way, of, case) for way, of in ways.items()}
        is_equal &= is_equal_in(case, name, programs, options)
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
