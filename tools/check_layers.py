"""Checks the order of the folders of src: who may include whom, and where MPI and format libraries may be seen.

Rules (docs: src/README.md): includes go to a lower layer or stay in their folder; <mpi.h> is included, and MPI's names
are used, in few folders only; the header of a format library in its own files only. Codes and types of the
interface are in thalweg_values.h, which is without it.
"""

import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

LAYERS = {
    "base": 0,
    "config": 1,
    "profile": 1,
    "compat": 2,
    "roles": 2,
    "catalog": 2,
    "geometry": 3,
    "staging": 3,
    "transform": 4,
    "transport": 4,
    "block": 5,
    "health": 6,
    "storage": 6,
    "formats": 7,
    "sets": 8,
    "mpiio": 8,
    "files": 9,
    "writer": 9,
    "put": 10,
    "receive": 10,
    "remap": 10,
    "planning": 10,
    "session": 11,
    "read": 11,
    "forcing": 12,
    "fields": 12,
    "netcdf": 12,
    "server": 12,
    "api": 13,
}

# Folders whose own folders do not see each other; only the files of these patterns see them. Libraries that write by
# MPI-IO write files of the formats.
DIVIDED = {"formats": ("formats/registry.cpp", "mpiio/*"), "compat": ("compat/registry.cpp",)}

# Folders that do without MPI, also through what they include; but for files that RESTRICTED lets include it.
WITHOUT_MPI = {
    *("base", "config", "profile", "compat", "catalog", "geometry", "staging", "transform", "block", "storage"),
    *("formats", "writer"),
}

# Pattern of an external header → patterns of the files that may include it, relative to src.
RESTRICTED = {
    "mpi.h": ("roles/*", "transport/*", "formats/netcdf4/*", "mpiio/*", "api/*"),
    "pnetcdf.h": ("mpiio/pnetcdf_library.hpp",),
    "netcdf*.h": ("formats/netcdf4/library.hpp",),
    "hdf5*.h": ("formats/netcdf4/hdf5_library.hpp",),
    "H5*.h": ("formats/netcdf4/hdf5_library.hpp",),
    "zstd*.h": ("transform/filters/zstd.cpp",),
    "libdeflate.h": ("transform/filters/deflate.cpp",),
    "lz4.h": ("transform/filters/lz4.cpp",),
    "isa-l*": ("transform/filters/crc32c.cpp",),
    "utf8proc.h": ("formats/cdf/names.cpp",),
    "udunits2.h": ("fields/units.cpp",),
    "tao/*": ("config/expression_grammar.cpp",),
}

# Names of MPI are seen where its header is; in texts and comments anybody may speak of them.
MPI_NAME = re.compile(r"\bMPI_\w+")
TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


class Violation(NamedTuple):
    place: str
    text: str


def check_order(folder: str, included: str) -> str | None:
    """Says what is wrong with an include of another folder, or nothing."""
    target = included.split("/")[0]
    if "/" not in included or target not in LAYERS or target == folder:
        return None
    if LAYERS[target] == LAYERS[folder]:
        return f"{folder} and {target} are both of layer {LAYERS[folder]} and do not see each other"
    if LAYERS[target] > LAYERS[folder]:
        return f"{folder} (layer {LAYERS[folder]}) may not look up to {target} (layer {LAYERS[target]})"
    return None


def check_division(file: str, included: str) -> str | None:
    """Says what is wrong with an include of a part of a divided folder, or nothing."""
    part, target = file.split("/"), included.split("/")
    if target[0] not in DIVIDED or len(target) < 3:
        return None
    if len(part) > 2 and part[:2] == target[:2]:
        return None
    seeing = DIVIDED[target[0]]
    if any(fnmatch(file, pattern) for pattern in seeing):
        return None
    return f"only {', '.join(seeing)} and its own folder see {'/'.join(target[:2])}"


def check_restricted(file: str, included: str) -> str | None:
    """Says what is wrong with an include of MPI or a format library, or nothing."""
    for header, allowed in RESTRICTED.items():
        if fnmatch(included, header) and not any(fnmatch(file, pattern) for pattern in allowed):
            return f"only {', '.join(allowed)} may include <{included}>"
    return None


def check_mpi_names(file: str, text: str) -> Iterator[Violation]:
    """Finds names of MPI where MPI is not to be seen: its header comes along with thalweg.h."""
    allowed = RESTRICTED["mpi.h"]
    if any(fnmatch(file, pattern) for pattern in allowed):
        return
    code = TEXT_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(code.splitlines(), start=1):
        for name in MPI_NAME.findall(line):
            yield Violation(f"{file}:{number}", f"only {', '.join(allowed)} may use {name}")


# They are counted for the profile where they are made, but for those within a library that writes files.
COUNTED = re.compile(
    r"\bMPI_(?:I?[bsr]?send|Sendrecv|\w*(?:gather|scatter|reduce|scan|cast|alltoall|barrier)\w*|"
    r"Comm_(?:i?dup|split|split_type|create|create_group)|Win_\w+|Put|Get|Accumulate)\s*\(",
    re.IGNORECASE,
)
NOT_COUNTED = {"transport/progress_thread.cpp"}  # of the rank alone


def check_counted_calls(file: str, text: str) -> Iterator[Violation]:
    """Finds calls that other ranks take part in and the profile does not count."""
    if file in NOT_COUNTED or file == "roles/counted_call.hpp":
        return
    code = TEXT_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(code.splitlines(), start=1):
        for call in COUNTED.findall(line):
            yield Violation(f"{file}:{number}", f"{call}…) is not counted; make it through roles/counted_call.hpp")


def reaches_mpi(file: Path, root: Path, seen: set[Path]) -> bool:
    """Whether a file includes <mpi.h> through what it includes."""
    if file in seen or not file.is_file():
        return False
    is_first = not seen  # whose own includes are looked at by themselves
    seen.add(file)
    for match in filter(None, map(INCLUDE.match, file.read_text(encoding="utf-8").splitlines())):
        if match[1] == "mpi.h" and not is_first:
            return True
        if any(reaches_mpi(base / match[1], root, seen) for base in (root, root.parent / "include")):
            return True
    return False


def check_without_mpi(source: Path, root: Path) -> str | None:
    """Says what is wrong where a folder that does without MPI sees it through another header, or nothing."""
    file = source.relative_to(root).as_posix()
    if file.split("/")[0] not in WITHOUT_MPI or any(fnmatch(file, pattern) for pattern in RESTRICTED["mpi.h"]):
        return None
    return "it sees <mpi.h> through what it includes" if reaches_mpi(source, root, set()) else None


def check_file(source: Path, root: Path) -> Iterator[Violation]:
    file = source.relative_to(root).as_posix()
    folder = file.split("/")[0]
    if folder not in LAYERS:
        yield Violation(f"{file}:1", f"src/{folder} is in no layer; the folders are {', '.join(LAYERS)}")
        return
    text = source.read_text(encoding="utf-8")
    yield from check_mpi_names(file, text)
    yield from check_counted_calls(file, text)
    if fault := check_without_mpi(source, root):
        yield Violation(f"{file}:1", fault)
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            for fault in (
                check_order(folder, match[1]),
                check_division(file, match[1]),
                check_restricted(file, match[1]),
            ):
                if fault:
                    yield Violation(f"{file}:{number}", fault)


def check_tree(root: Path) -> list[Violation]:
    sources = sorted(path for pattern in ("*.cpp", "*.hpp", "*.h", "*.c") for path in root.rglob(pattern))
    return [violation for source in sources for violation in check_file(source, root)]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src"
    violations = check_tree(root)
    for place, text in violations:
        print(f"{root / place}: {text}")
    print(f"layers: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
