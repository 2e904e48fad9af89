#!/usr/bin/env python3
"""Runs the two programs of a model in turn, as it is and with Thalweg, compares all files bit by bit, and prints what
the output took.

    adoption/side_by_side.py MODEL CASE OWN THALWEG [--rounds N] [--ranks N] [--keep FOLDER]

MODEL is a name in MODELS, CASE a folder with the input of a run, of which each run gets a copy; OWN and THALWEG are the
programs."""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import netCDF4
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]


class Model(NamedTuple):
    arguments: tuple[str, ...]
    """of its program"""
    output_s: str
    """the expression that finds in its log how long its output took"""
    is_sum: bool
    """of all ranks"""
    stamps: frozenset[str]
    """attributes that are of the time and place of a run, or of how the program was made"""
    has_one_format: bool = True
    """both programs write files of the same one"""


PLACES_OF_ROMS = {"var_info", "code_dir", "header_dir"}

MODELS = {
    "cice": Model((), r"Timer\s+\d+:\s+ReadWrite\s+([\d.]+)", False, frozenset({"history", "date_created"})),
    "roms": Model(
        ("roms.in",),
        r"Writing of output data \.*\s*([\d.]+)",
        True,
        frozenset({"history", "format", "CPP_options"} | PLACES_OF_ROMS),
        has_one_format=False,
    ),
}


class Run(NamedTuple):
    output_s: float
    """in the model's own output, as the model measures it, mean over the ranks where it says it of each"""
    wall_s: float
    cpu_s: float


class Comparison(NamedTuple):
    files: int
    variables: int
    values: int
    found: list[str]
    """what is not the same, bit by bit"""


def call(words: list[object], folder: Path, log: Path, environment: dict[str, str] | None = None) -> None:
    with log.open("w") as file:
        done = subprocess.run(
            [str(word) for word in words],
            cwd=folder,
            env=os.environ | (environment or {}),
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in words[:4])} … failed, see {log}")


def run(model: Model, program: Path, place: Path, ranks: int) -> Run:
    """In a folder that has the input."""
    (place / "thalweg.yaml").write_text("report: none\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    call([ROOT / "tools" / "mpi_env.sh", "mpiexec", "-n", ranks, program, *model.arguments], place, place / "log")
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = re.search(model.output_s, (place / "log").read_text(errors="replace"))
    said = float(found[1]) if found else float("nan")
    return Run(said / ranks if model.is_sum else said, wall, cpu)


def attributes(of: Any, stamps: frozenset[str]) -> dict[str, str]:
    return {name: repr(of.getncattr(name)) for name in of.ncattrs() if name not in stamps}


def compare_file(model: Model, path: Path, other: Path) -> Comparison:
    values, found, stamps = 0, [], model.stamps
    with netCDF4.Dataset(path) as a, netCDF4.Dataset(other) as b:
        a.set_auto_maskandscale(False)
        b.set_auto_maskandscale(False)
        dimensions = [{name: (len(of), of.isunlimited()) for name, of in file.dimensions.items()} for file in (a, b)]
        if dimensions[0] != dimensions[1]:
            found.append("dimensions")
        if model.has_one_format and a.data_model != b.data_model:
            found.append("format")
        if attributes(a, stamps) != attributes(b, stamps):
            found.append("attributes of the file")
        found += sorted(set(a.variables) ^ set(b.variables))
        names = [name for name in a.variables if name in b.variables]
        for name in names:
            mine, theirs = a[name][...], b[name][...]
            values += mine.size
            if mine.dtype != theirs.dtype or mine.tobytes() != theirs.tobytes():
                found.append(name)
            if attributes(a[name], stamps) != attributes(b[name], stamps):
                found.append(f"attributes of {name}")
    return Comparison(1, len(names), values, [f"{path.name}: {what}" for what in found])


def compare(model: Model, one: Path, other: Path) -> Comparison:
    """The files of two runs."""
    names = [sorted(path.relative_to(folder) for path in folder.rglob("*.nc")) for folder in (one, other)]
    found = [f"{name}: in one run alone" for name in sorted(set(names[0]) ^ set(names[1]))]
    each = [compare_file(model, one / name, other / name) for name in names[0] if name in names[1]]
    sums = (sum(of[i] for of in each) for i in range(3))
    return Comparison(*sums, found + [what for of in each for what in of.found])


def added_lines(patch: Path) -> int:
    return sum(line.startswith("+") and not line.startswith("+++") for line in patch.read_text().splitlines())


def print_runs(title: str, runs: dict[str, list[Run]]) -> None:
    count = len(next(iter(runs.values())))
    table = Table(title=f"{title}: medians of {count} runs in turn (least and most), seconds")
    for heading in ("", "in the model's output", "wall", "processors"):
        table.add_column(heading, justify="right")
    for way, of in runs.items():
        columns = [sorted(column) for column in zip(*of, strict=True)]
        table.add_row(way, *(f"{statistics.median(of):.2f} ({of[0]:.2f} to {of[-1]:.2f})" for of in columns))
    Console().print(table)


def is_told_equal(title: str, of: Comparison) -> bool:
    print(
        f"{title}: {of.files} files, {of.variables} variables, {of.values} values, {len(of.found)} differences",
        *of.found,
        sep="\n",
    )
    return not of.found and of.variables > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("case", type=Path)
    parser.add_argument("own", type=Path)
    parser.add_argument("thalweg", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "adoption", help="where runs are, and stay")
    options = parser.parse_args()
    model = MODELS[options.model]
    programs = {"netCDF": options.own.resolve(), "Thalweg": options.thalweg.resolve()}
    places = {way: options.keep.resolve() / options.model / way / options.case.resolve().name for way in programs}
    runs: dict[str, list[Run]] = {way: [] for way in programs}
    for _ in range(options.rounds):
        for way, program in programs.items():
            shutil.rmtree(places[way], ignore_errors=True)
            shutil.copytree(options.case, places[way])
            runs[way].append(run(model, program, places[way], options.ranks))
    print_runs(options.case.resolve().name, runs)
    return 0 if is_told_equal(options.case.name, compare(model, *places.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
