"""Looks at one file, set or store by itself: is it whole, can every value be read, which checksums say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from thalweg.cli.arguments import chosen
from thalweg.cli.exit import Exit
from thalweg.cli.finding import Finding, Level, as_json, has_problem, note, ok, problem, show
from thalweg.cli.leftovers import leftovers
from thalweg.cli.output import counted, progress, say, say_json
from thalweg.data import DataError, Dataset, Variable, open_any
from thalweg.data.cdf_length import cut_short
from thalweg.data.slabs import slabs_of, volume

LENGTH, VIRTUAL = "length", "virtual"  # subjects of findings
# Filters that find a damaged chunk when it is read; deflate ends in a checksum of its own (adler32).
CHECKSUMS = {"fletcher32": "Fletcher32", "crc32c": "crc32c", "deflate": "deflate's adler32"}


@dataclass(frozen=True)
class Read:
    variable: str
    values: int
    checksum: str  # "" if the format has none for it
    fault: str  # "" if every value was read


def verify_one(path: Path, variables: list[str], slab_bytes: int, wants_json: bool) -> Exit:
    with open_any(path) as dataset:
        names = chosen(variables, dataset.variables, f"'{path}'")
        findings = looks(dataset)
        # What a file lacks would be read without an error, and may be without end.
        is_short = any(finding.subject == LENGTH and finding.level is Level.PROBLEM for finding in findings)
        reads = [] if is_short else read_all(dataset, names, slab_bytes)
        is_virtual = any(finding.subject == VIRTUAL for finding in findings)
        if not is_short:
            findings += readability(reads) + checksums(reads, is_virtual)
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


def looks(dataset: Dataset) -> list[Finding]:
    """What can be seen without reading values."""
    found = [note("set", text) for text in dataset.notes]
    if dataset.kind.startswith("cdf"):
        found += lengths(dataset)
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


def read_all(dataset: Dataset, names: list[str], slab_bytes: int) -> list[Read]:
    total = sum(dataset.variables[name].size for name in names)
    with progress("reading", total) as advance:
        return [read_one(dataset.variables[name], slab_bytes, advance) for name in names]


def read_one(variable: Variable, slab_bytes: int, advance: Callable[[int], None]) -> Read:
    read, fault = 0, ""
    for slab in slabs_of(variable, slab_bytes):
        try:
            read += variable.read(slab).size
        except DataError as damage:
            fault = fault or f"{[along.start for along in slab]} to {[along.stop - 1 for along in slab]}: {damage}"
        advance(volume([along.stop - along.start for along in slab]))
    checksum = ", ".join(CHECKSUMS[name] for name in variable.filters if name in CHECKSUMS)
    return Read(variable.name, read, checksum, fault)


def readability(reads: list[Read]) -> list[Finding]:
    damaged = [problem("values", f"variable '{read.variable}', {read.fault}") for read in reads if read.fault]
    whole = [read for read in reads if not read.fault]
    values = sum(read.values for read in whole)
    return [*damaged, ok("values", f"{counted(values, 'value')} of {counted(len(whole), 'variable')} can be read")]


def checksums(reads: list[Read], is_virtual: bool) -> list[Finding]:
    if is_virtual:
        return [note("checksums", "of a master only its files have some, which were checked as they were read")]
    whole = [read for read in reads if not read.fault]
    covered = [read for read in whole if read.checksum]
    bare = [read.variable for read in whole if not read.checksum]
    found = []
    if covered:
        kinds = sorted({read.checksum for read in covered})
        found.append(ok("checksums", f"right for {counted(len(covered), 'variable')} ({'; '.join(kinds)})"))
    if bare:
        names = ", ".join(bare[:5]) + (", …" if len(bare) > 5 else "")
        text = f"none for {counted(len(bare), 'variable')} ({names}): a changed byte in them would not be seen"
        found.append(note("checksums", text, "netCDF-4 and Zarr have them: 'compression: {checksum: true}'"))
    return found
