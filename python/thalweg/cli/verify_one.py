"""Looks at one file, set or store by itself: is it whole, can every value be read, which checksums say so."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from thalweg.cli.arguments import chosen
from thalweg.cli.exit import Exit
from thalweg.cli.finding import Finding, Level, as_json, has_problem, note, ok, problem, show
from thalweg.cli.leftovers import is_growing, leftovers
from thalweg.cli.output import counted, say, say_json
from thalweg.cli.verify_reading import Read, read_all
from thalweg.cli.verify_sums import Checked, check_files, open_checked, read_checked
from thalweg.data import Dataset
from thalweg.data.core import cut_short, formats, parts_near

LENGTH = "length"  # subject of findings


def verify_one(path: Path, variables: list[str], slab_bytes: int, wants_json: bool) -> Exit:
    with open_checked(path) as dataset:
        names = chosen(variables, dataset.variables, f"'{path}'")
        findings = looks(dataset)
        # What a file lacks would be read without an error, and may be without end.
        is_short = any(finding.subject == LENGTH and finding.level is Level.PROBLEM for finding in findings)
        reads: list[Read] = []
        if not is_short:
            reads, found = read_and_check(dataset, names, slab_bytes)
            findings += found
        findings += leftovers(dataset)
        if wants_json:
            say_json(
                {
                    "path": path,
                    "kind": dataset.kind,
                    "files": list(dataset.files),
                    "dimensions": {name: dim.size for name, dim in dataset.dims.items()},
                    "whole": not has_problem(findings),
                    "findings": as_json(findings),
                    "variables": [asdict(read) for read in reads],
                }
            )
        else:
            say(f"{path}: {describe(dataset)}")
            show(findings)
    return Exit.FINDING if has_problem(findings) else Exit.OK


def describe(dataset: Dataset) -> str:
    records = [f"{name} {dim.size}" for name, dim in dataset.dims.items() if dim.unlimited]
    others = [f"{name} {dim.size}" for name, dim in dataset.dims.items() if not dim.unlimited]
    files = f", set of {counted(len(dataset.files), 'file')}" if len(dataset.files) > 1 else ""
    variables = counted(len(dataset.variables), "variable")
    return f"{dataset.kind}{files}, {variables}, dimensions {', '.join(records + others) or 'none'}"


ALL_PARTS = "move the missing files beside the others; 'thalweg recover' completes those that a kill has left"


def looks(dataset: Dataset) -> list[Finding]:
    """What can be seen without reading values."""
    found = [
        problem("set", text, ALL_PARTS) if text == dataset.missing else note("set", text) for text in dataset.notes
    ]
    if dataset.kind in formats() and formats()[dataset.kind].has_length:
        found += lengths(dataset)
    elif dataset.kind == "fortran":
        found.append(ok(LENGTH, "as long as its companion says"))
    elif dataset.kind == "zarr":
        from thalweg.cli.verify_zarr import looks_of_store

        found += looks_of_store(dataset)
    else:
        from thalweg.cli.verify_virtual import sources

        found += [finding for file in dataset.files for finding in sources(file)]
    return found


def lengths(dataset: Dataset) -> list[Finding]:
    advice = "take it from a copy; a '.partial' file is cut to its whole records by 'thalweg recover'"
    found = [problem(LENGTH, text, advice) for file in dataset.files if (text := cut_short(file))]
    return found or [ok(LENGTH, "as long as the header says")]


def read_and_check(dataset: Dataset, names: list[str], slab_bytes: int) -> tuple[list[Read], list[Finding]]:
    """Reads every value, and those of a set or a virtual master once more from the files that have them."""
    files = files_of(dataset)
    if files == [dataset.path]:
        checked = Checked()
        reads = read_checked(dataset, names, slab_bytes, checked)
    else:
        reads = read_all(dataset, names, slab_bytes, {})
        checked = check_files(files, names, slab_bytes)
    is_alone = list(dataset.files) == [dataset.path]
    if is_alone and (len(files) > 1 or parts_near(dataset.path)):  # without h5py it is not known what it shows
        sums = [note("checksums", "of a master only its files have some, which are looked at as they are read")]
    else:
        sums = checksums(reads, checked.variables)
    return reads, [*readability(reads, is_growing(dataset)), *checked.findings(), *sums]


def files_of(dataset: Dataset) -> list[Path]:
    """Those that have the values."""
    if not formats()[dataset.kind].has_virtual or len(dataset.files) > 1:
        return list(dataset.files)
    from thalweg.data.virtual import files_shown

    try:
        return [dataset.path.parent / name for name in files_shown(dataset.path)] or [dataset.path]
    except (ImportError, OSError, RuntimeError, ValueError, KeyError):
        return [dataset.path]  # what is wrong with it has been said


def readability(reads: list[Read], grows: bool = False) -> list[Finding]:
    """What cannot be read of a file that a run writes may be just that: another look may find it."""
    finding = note if grows else problem
    damaged = [finding("values", f"variable '{read.variable}', {read.fault}") for read in reads if read.fault]
    whole = [read for read in reads if not read.fault]
    values = sum(read.values for read in whole)
    return [*damaged, ok("values", f"{counted(values, 'value')} of {counted(len(whole), 'variable')} can be read")]


def checksums(reads: list[Read], written: set[str]) -> list[Finding]:
    """Those that the format has. written: variables whose sums lie beside the file."""
    whole = [read for read in reads if not read.fault]
    covered = [read for read in whole if read.checksum]
    bare = [read.variable for read in whole if not read.checksum and read.variable not in written]
    found = []
    if covered:
        kinds = sorted({read.checksum for read in covered})
        found.append(ok("checksums", f"right for {counted(len(covered), 'variable')} ({'; '.join(kinds)})"))
    if bare:
        names = ", ".join(bare[:5]) + (", …" if len(bare) > 5 else "")
        text = f"none for {counted(len(bare), 'variable')} ({names}): a changed byte in them would not be seen"
        advice = (
            "a run writes NAME.checksums beside its files unless 'record-checksums' is false; netCDF-4 and Zarr have "
            "some of their own with 'compression: {checksum: true}'"
        )
        found.append(note("checksums", text, advice))
    return found
