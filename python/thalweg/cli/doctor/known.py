"""Versions of which something is known that a user should know. Data: what it is, from which version to which, what
happens, and what to do. Add what was seen, not what was heard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from thalweg.cli.finding import Finding, Level


@dataclass(frozen=True)
class Known:
    software: str
    first: str
    last: str
    level: Level
    happens: str
    advice: str


KNOWN = (
    Known(
        "Open MPI", "4.1.0", "5.0.99", Level.NOTE,
        "its own MPI-IO (OMPIO) loses data and does not tell of writes that failed (seen in 4.1.4)",
        "nothing: with 'engine: library' Thalweg makes the process prefer ROMIO, unless OMPI_MCA_io is set",
    ),
    Known(
        "netCDF-C", "4.9.0", "4.9.0", Level.NOTE,
        "nc_def_var_quantize spoils float32 values that keep 7 digits",
        "nothing: Thalweg rounds by itself, and takes 7 digits as all",
    ),
    Known(
        "netCDF-C", "4.9.0", "4.9.0", Level.NOTE,
        "as Debian builds it, nc_def_var_zstandard succeeds and does nothing: files are not compressed",
        "set 'engine: direct' for zstd; in programs of your own ask nc_inq_filter_avail(ncid, 32015)",
    ),
    Known(
        "HDF5", "1.10.0", "1.10.8", Level.NOTE,
        "after H5Dwrite_chunk of several ranks into one file H5Fclose does not return (seen in 1.10.8)",
        "nothing: Thalweg lets one process write a file's chunks",
    ),
    Known(
        "HDF5", "1.0.0", "1.9.99", Level.PROBLEM,
        "it has no virtual datasets, hence no virtual masters of sets of files",
        "HDF5 1.10 or newer",
    ),
    Known(
        "netCDF-C", "3.0.0", "4.8.99", Level.PROBLEM,
        "it lacks functions that Thalweg calls for netCDF-4 files",
        "parallel netCDF-C 4.9.0 or newer, or 'format: cdf5'",
    ),
    Known(
        "NCO", "5.1.4", "5.1.4", Level.NOTE,
        "it asks for chunks of random size when it copies from a virtual master ('Bad chunk sizes')",
        "ncks --cnk_plc=uck, or --fl_fmt=64bit_data, or 'thalweg combine --copy'",
    ),
)  # fmt: skip


def numbers(version: str) -> tuple[int, ...]:
    match = re.search(r"\d+(?:\.\d+)+", version)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def remarks(software: str, version: str) -> Iterator[Finding]:
    """What is known of this version."""
    found = numbers(version)
    for known in KNOWN:
        if known.software == software and found and numbers(known.first) <= found <= numbers(known.last):
            yield Finding(known.level, software, known.happens, known.advice)
