"""Measures files and functions with lizard, prints the table, and fails where a limit is passed.

Limits: a file has at most 400 lines; nine functions of ten have at most 40; none has more than 80 unless the line
before it says why in a comment that starts with "long:" (// long: a switch over all types).
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import lizard

MAX_FILE_LINES = 400
MAX_P90_FUNCTION_LINES = 40
MAX_FUNCTION_LINES = 80

FOLDERS = (
    *("include", "src", "fortran", "stub", "programs", "server", "python", "examples", "bench", "tools", "tests"),
    "tracer",
)
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".py", ".f90"}
REASON = re.compile(r"^\s*(//|#|!|/\*)\s*long: \S")


class Function(NamedTuple):
    place: str
    name: str
    lines: int
    has_reason: bool
    complexity: int


class File(NamedTuple):
    name: str
    lines: int
    functions: tuple[Function, ...]


def percentile(values: Sequence[int], percent: int) -> int:
    """The smallest value that at least this share of all values does not pass; 0 for none."""
    ordered = sorted(values)
    return ordered[(len(ordered) * percent + 99) // 100 - 1] if ordered else 0


def measure(path: Path, root: Path) -> File:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    name = path.relative_to(root).as_posix()
    functions = tuple(
        Function(
            place=f"{name}:{found.start_line}",
            name=found.name,
            lines=found.end_line - found.start_line + 1,
            has_reason=found.start_line > 1 and bool(REASON.match(lines[found.start_line - 2])),
            complexity=found.cyclomatic_complexity,
        )
        for found in lizard.analyze_file.analyze_source_code(str(path), text).function_list
    )
    return File(name, len(lines), functions)


def measure_tree(root: Path) -> list[File]:
    paths = (path for folder in FOLDERS for path in sorted((root / folder).rglob("*")))
    return [measure(path, root) for path in paths if path.suffix in SUFFIXES]


def row(name: str, files: Sequence[File]) -> str:
    file_lines = [file.lines for file in files]
    functions = [function.lines for file in files for function in file.functions]
    cells = [f"{name:<10}", f"{len(files):>6}"]
    for values in (file_lines, functions):
        cells.append(f"{percentile(values, 50):>8} / {percentile(values, 90):>4} / {max(values, default=0):>4}")
    return "".join(cells)


def is_long(file: File) -> bool:
    return file.lines > MAX_FILE_LINES


def table(files: Sequence[File]) -> str:
    rows = [f"{'folder':<10}{'files':>6}{'file median/p90/max':>22}{'function median/p90/max':>24}"]
    for folder in FOLDERS:
        inside = [file for file in files if file.name.startswith(f"{folder}/")]
        if inside:
            rows.append(row(folder, inside))
    return "\n".join([*rows, row("all", files)])


def violations(files: Sequence[File]) -> list[str]:
    functions = [function for file in files for function in file.functions]
    p90 = percentile([function.lines for function in functions], 90)
    found = [f"{file.name}: {file.lines} lines, {MAX_FILE_LINES} allowed" for file in files if is_long(file)]
    found += [
        f"{function.place}: {function.name} has {function.lines} lines, {MAX_FUNCTION_LINES} allowed without a reason"
        for function in functions
        if function.lines > MAX_FUNCTION_LINES and not function.has_reason
    ]
    if p90 > MAX_P90_FUNCTION_LINES:
        found.append(f"nine functions of ten have up to {p90} lines, {MAX_P90_FUNCTION_LINES} allowed")
    return found


def main() -> int:
    files = measure_tree(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
    print(table(files))
    found = violations(files)
    print("\n".join([*found, f"sizes: {len(found)} violations"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
