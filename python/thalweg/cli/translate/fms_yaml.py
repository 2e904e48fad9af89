"""FMS's diag_table.yaml: files with lists of variables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.translate.fms_meaning import NO_NAMES, File, add_base_date, collection_of, reduce, translation_of
from thalweg.cli.translate.model import Entry, Line, Translation
from thalweg.cli.translate.sources import Source

TYPES = {"r4": "float32", "r8": "float64", "i4": "int32", "i8": "int64"}
OF_DEFAULTS = ("module", "reduction", "kind")
WITHOUT = {
    "chunksizes": "Thalweg chooses the chunks; 'chunks' says them by the names of dimensions",
    "use_collective_writes": "no counterpart: nothing is collective here, but with 'engine: library'",
}


@dataclass
class Item:
    """What YAML has, with the line of the file. A scalar is its text, as FMS reads it."""

    line: int
    value: Any  # str, list[Item] or dict[str, Item]

    def text(self, key: str, fallback: str = "") -> str:
        item = self.value.get(key) if isinstance(self.value, dict) else None
        return item.value.strip() if item is not None and isinstance(item.value, str) else fallback

    def items(self, key: str) -> list[Item]:
        item = self.value.get(key) if isinstance(self.value, dict) else None
        found = item.value if item is not None and isinstance(item.value, list) else []
        return [one for one in found if isinstance(one.value, dict)]


def item_of(node: Any) -> Item:
    line = node.start_mark.line + 1
    if node.id == "mapping":
        return Item(line, {key.value: item_of(value) for key, value in node.value if isinstance(key.value, str)})
    if node.id == "sequence":
        return Item(line, [item_of(one) for one in node.value])
    return Item(line, node.value)


def read_items(source: Source) -> Item:
    try:
        import yaml
    except ImportError:
        text = "the Python package PyYAML is missing; pip install PyYAML, or 'thalweg[fms]'"
        raise Failure(Exit.ENVIRONMENT, text) from None
    try:
        node = yaml.compose(source.text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as fault:
        mark = getattr(fault, "problem_mark", None)
        where = f" line {mark.line + 1}:" if mark else ""
        raise Failure(Exit.INPUT, f"'{source.path}' is no YAML:{where} {getattr(fault, 'problem', fault)}") from None
    found = item_of(node) if node is not None else Item(1, {})
    if not isinstance(found.value, dict) or "diag_files" not in found.value:
        raise Failure(Exit.INPUT, f"'{source.path}' has no 'diag_files'; give FMS's diag_table.yaml")
    return found


def is_table(text: str) -> bool:
    return re.search(r"^\s*diag_files\s*:", text, re.MULTILINE) is not None


def told(item: Item, *keys: str) -> str:
    """An item as its line is quoted."""
    return ", ".join(f"{key}: {item.text(key)}" for key in keys if item.text(key))


def pieces(text: str) -> list[tuple[int, str]]:
    """'6 hours, 3 hours' -> the pieces that hold one after the other."""
    return [(int(number), unit) for number, unit in re.findall(r"([+-]?\d+)\s*([a-z]*)", text.lower())]


def file_of(source: Source, item: Item) -> File:
    line = Line(source.place(item.line), told(item, "file_name", "freq"))
    made = File(line, item.text("file_name").removesuffix(".nc"))
    frequencies = pieces(item.text("freq"))
    if not frequencies:
        line.lacks("it has no 'freq'")
        made.why_off = "it has no 'freq'"
    else:
        made.frequency, made.unit = frequencies[0]
    made.dimension = item.text("unlimdim", "time")
    made.name_date = {"begin": "start", "end": "end"}.get(item.text("filename_time"), "middle")
    add_parts(made, line, item, frequencies)
    add_attributes(made, source, item)
    for key, why in WITHOUT.items():
        if key in item.value and item.text(key).lower() not in ("false", ".false."):
            keyed = Line(source.place(item.value[key].line), f"{key}: {item.text(key)}")
            keyed.lacks(why)
            made.more.append(keyed)
    if item.text("write_file").strip(".").lower() == "false":
        made.why_off = made.why_off or "write_file: false"
    return made


def add_parts(made: File, line: Line, item: Item, frequencies: list[tuple[int, str]]) -> None:
    """The series of files, and what would come after the first part of the run."""
    new_files, durations = pieces(item.text("new_file_freq")), pieces(item.text("file_duration"))
    if new_files and new_files[0][0] > 0:
        made.new_file = new_files[0]
    if len(frequencies) > 1 or len(new_files) > 1:
        line.approximate("the first frequency for all of the run: others are collections with 'from' and 'until'")
    elif durations:
        line.approximate("the file does not end after its duration: say its end by 'until'")
    if item.text("start_time"):
        line.approximate(f"the file begins with the run, not at {item.text('start_time')}: windows are not there yet")


def add_attributes(made: File, source: Source, item: Item) -> None:
    for meta in item.items("global_meta"):
        for name, value in meta.value.items():
            line = Line(source.place(value.line), f"{name}: {value.value}")
            line.note("an attribute of the file, as a text")
            made.more.append(line)
            made.attributes[name] = str(value.value)


def add_variables(made: File, source: Source, item: Item, given: dict[str, str]) -> None:
    given = given | {key: item.text(key) for key in OF_DEFAULTS if item.text(key)}
    for variable in item.items("varlist"):
        made.entries.append(entry_of(source, variable, given, item.items("sub_region")))
    for block in item.items("modules"):
        if item.items("sub_region"):
            block.value.setdefault("sub_region", item.value["sub_region"])
        add_variables(made, source, block, given)


def entry_of(source: Source, item: Item, given: dict[str, str], regions: list[Item]) -> Entry:
    said = given | {key: item.text(key) for key in OF_DEFAULTS if item.text(key)}
    line = Line(source.place(item.line), told(item, "module", "var_name", "reduction", "output_name", "zbounds"))
    name = item.text("output_name") or item.text("var_name")
    entry = Entry(line, f"{said.get('module', '')}/{item.text('var_name')}".lstrip("/"), name=name)
    reduce(entry, said.get("reduction", ""))
    kind = said.get("kind", "r4")
    entry.type = TYPES.get(kind, "")
    if not entry.type:
        line.approximate(f"the kind '{kind}' is none of {', '.join(TYPES)}: the field's own")
    if regions:
        line.lacks(f"the region of the file ({told(regions[0], 'grid_type', 'corner1')}): {NO_NAMES}")
    if item.text("zbounds"):
        line.lacks(f"a part of the levels: {NO_NAMES}")
    if item.text("write_var").strip(".").lower() == "false":
        entry.is_off = True
        line.note("write_var: false")
    for group in item.items("attributes"):
        entry.attributes |= {key: str(value.value) for key, value in group.value.items()}
    if item.text("long_name"):
        entry.attributes["long_name"] = item.text("long_name")
    return entry


def read(sources: list[Source]) -> Translation:
    made = translation_of(sources[0].path.name, "")
    for source in sources:
        add_source(made, source)
    return made


def add_source(made: Translation, source: Source) -> None:
    found = read_items(source)
    for key in ("title", "base_date"):
        if key not in found.value:
            continue
        line = Line(source.place(found.value[key].line), told(found, key))
        made.lines.append(line)
        if key == "title":
            made.attributes["title"] = found.text(key)
        else:
            digits = re.findall(r"\d+", found.text(key))
            add_base_date(made, [int(part) for part in digits], line)
    for item in found.items("diag_files"):
        file = file_of(source, item)
        add_variables(file, source, item, {})
        made.collections.append(collection_of(file))
