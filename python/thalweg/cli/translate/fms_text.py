"""FMS's diag_table, the text form: two lines of a title and a date, then lines of files and of fields."""

from __future__ import annotations

import re
from pathlib import Path

from thalweg.cli.translate.fms_meaning import NO_NAMES, File, add_base_date, collection_of, reduce, translation_of
from thalweg.cli.translate.list_directed import values_of
from thalweg.cli.translate.model import Entry, Line, Translation
from thalweg.cli.translate.sources import Source

LONGEST = 256  # of a line, behind which FMS reads nothing
TYPES = {1: "float64", 2: "float32"}
Values = list[str | None]


def is_whole(text: str | None) -> bool:
    return text is not None and re.fullmatch(r"[+-]?\d+", text) is not None


def at(values: Values, index: int, fallback: str = "") -> str:
    value = values[index] if index < len(values) else None
    return fallback if value is None else value.strip()


def read_lines(source: Source) -> list[tuple[Line, Values]]:
    """Those that say something. Where a comment begins is seen before quotes are, as FMS does it."""
    found = []
    for number, text in enumerate(source.text.splitlines(), 1):
        record = text[:LONGEST].partition("#")[0]
        if not record.strip():
            continue
        line = Line(source.place(number), text.strip())
        try:
            found.append((line, values_of(record)))
        except ValueError as fault:
            line.lacks(str(fault))
            found.append((line, []))
    return found


def is_file(values: Values) -> bool:
    return len(values) > 1 and values[0] is not None and is_whole(values[1])


def is_field(values: Values) -> bool:
    return len(values) >= 6 and not is_file(values)


def is_table(text: str) -> bool:
    """A fragment without title and date, which others include, is one, too; what has namelists is none."""
    if re.search(r"^\s*&\w", text, re.MULTILINE):
        return False
    lines = read_lines(Source(Path("diag_table"), text))
    if len(lines) > 1 and has_title(lines) and len(lines[1][1]) >= 6 and all(map(is_whole, lines[1][1][:6])):
        return True
    return any(is_file(values) and len(values) >= 6 for _, values in lines[2:] + lines[:1]) or any(
        is_field(values) and len(values) >= 8 for _, values in lines[:3]
    )


def has_title(lines: list[tuple[Line, Values]]) -> bool:
    return bool(lines) and not (is_file(lines[0][1]) and len(lines[0][1]) > 5) and not is_field(lines[0][1])


def base_date(values: Values) -> list[int] | None:
    return [int(value or 0) for value in values] if all(map(is_whole, values)) else None


def file_of(line: Line, values: Values) -> File:
    made = File(line, at(values, 0).removesuffix(".nc"), int(at(values, 1)), at(values, 2))
    made.dimension = at(values, 5) or "time"
    if is_whole(at(values, 6)) and int(at(values, 6)) > 0:
        made.new_file = (int(at(values, 6)), at(values, 7) or made.unit)
    if at(values, 8):
        line.approximate(f"the file begins with the run, not at {at(values, 8)}: say it by 'from'")
    if is_whole(at(values, 9)) and int(at(values, 9)) > 0:
        line.approximate("the file does not end after its duration: say its end by 'until'")
    if at(values, 11):
        made.name_date = {"begin": "start"}.get(at(values, 11), at(values, 11))
    if made.name_date not in ("start", "middle", "end"):
        line.approximate(f"'{made.name_date}' is none of begin, middle, end: the middle")
        made.name_date = "middle"
    return made


def entry_of(line: Line, values: Values) -> Entry:
    entry = Entry(line, f"{at(values, 0)}/{at(values, 1)}", name=at(values, 2) or at(values, 1))
    reduce(entry, at(values, 5))
    ending = f"_{entry.operation}"
    if entry.operation in ("max", "min") and len(entry.name) > 2 and not entry.name.lower().endswith(ending):
        entry.name += ending
    region = at(values, 6, "none")
    if region.lower() != "none" and set(region.split()) != {"-1"}:
        line.lacks(f"the region '{region}': {NO_NAMES}")
    packing = at(values, 7, "2")
    entry.type = TYPES.get(int(packing), "float32") if is_whole(packing) else "float32"
    if packing not in ("1", "2"):
        line.approximate(f"packing {packing} is not there: float32")
    return entry


def read(sources: list[Source]) -> Translation:
    lines = [line for source in sources for line in read_lines(source)]
    heads = lines[:2] if has_title(lines) else []
    made = translation_of(sources[0].path.name, at(heads[0][1], 0) if heads else "")
    made.lines += [line for line, _ in heads]
    for line, values in heads[1:]:
        add_base_date(made, base_date(values), line)
    files: dict[str, File] = {}
    rest = lines[len(heads) :]
    for line, values in rest:
        if is_file(values):
            file = file_of(line, values)
            if files.setdefault(file.name, file) is not file:
                add_again(made, files[file.name], file, line)
    for line, values in rest:
        if not is_file(values):
            add_field(made, files, line, values)
    made.collections += [collection_of(file) for file in files.values()]
    return made


def add_again(made: Translation, first: File, file: File, line: Line) -> None:
    """A file that has a line already."""
    made.lines.append(line)
    if (first.frequency, first.unit, first.new_file) == (file.frequency, file.unit, file.new_file):
        line.note("the same again")
    else:
        line.lacks("the table has a file of this name already")


def add_field(made: Translation, files: dict[str, File], line: Line, values: Values) -> None:
    if not is_field(values):
        line.lacks("neither a file nor a field: it is not understood")
        made.lines.append(line)
        return
    name = at(values, 3).removesuffix(".nc")
    if name.lower() == "null":
        line.note("written nowhere, as in FMS")
        made.lines.append(line)
        return
    if name not in files:
        why = f"no line says what the file '{name}' is; where another table has it: --with TABLE"
        files[name] = File(None, name, why_off=why)
    if files[name].why_off:
        line.lacks(files[name].why_off)
    files[name].entries.append(entry_of(line, values))
