"""What the build of a model needs in each of two ways, by netCDF and by Thalweg, whatever the model is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from side_by_side import ROOT, call

CORE = ROOT / "build" / "release"
THALWEG = "Thalweg"
"""the name of its way"""


class Way(NamedTuple):
    """What a model's compiler and linker are told."""

    defines: str
    includes: str
    """beside those of netCDF"""
    libraries: str


def said_by(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def make_module(work: Path) -> Path:
    """thalweg_netcdf, compiled with the compiler and the netcdf.mod of the model."""
    module = work / "module"
    module.mkdir(parents=True, exist_ok=True)
    source = ROOT / "fortran" / "with_netcdf" / "thalweg_netcdf.f90"
    include = said_by("nf-config", "--includedir")
    call(["mpif90", "-c", f"-I{include}", f"-I{CORE / 'modules'}", source], module, module / "log")
    return module


def both_ways(module: Path, defines: str) -> dict[str, Way]:
    netcdf, lib = said_by("nf-config", "--flibs"), CORE / "lib"
    thalweg = f"{module / 'thalweg_netcdf.o'} -L{lib} -lthalweg_fortran -lthalweg -Wl,-rpath,{lib} {netcdf}"
    return {"netCDF": Way("", "", netcdf), THALWEG: Way(defines, f"-I{CORE / 'modules'} -I{module}", thalweg)}


def copy_source(source: Path, folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git", "Build*", "build*"), symlinks=True)


def add_thalweg(folder: Path, own: Path, modules: dict[str, str]) -> None:
    """To a copy of the model's source: the patch, and each of the modules into its folder."""
    call(["patch", "-p1", "-i", own / "thalweg.patch"], folder, folder / "patch.log")
    for name, place in modules.items():
        shutil.copy(own / name, folder / place)
