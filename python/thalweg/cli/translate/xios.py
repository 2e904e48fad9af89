"""XIOS's file_def.xml, with the definitions of its fields: files, each with fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.quoting import quoted
from thalweg.cli.translate.model import Collection, Entry, Key, Line, Translation, date_text, interval_text
from thalweg.cli.translate.names import told_apart
from thalweg.cli.translate.sources import Source
from thalweg.cli.translate.tokens import placeholder
from thalweg.cli.translate.writing import ONE_FILE, split_instants
from thalweg.cli.translate.xios_fields import Fields, NotThere, meaning_of, name_of
from thalweg.cli.translate.xios_tree import UNITS, Element, Tree, duration, inherited, interval, is_true

CALENDARS = {"gregorian": "standard", "d360": "360_day", "noleap": "noleap", "allleap": "all_leap", "julian": "julian"}
DATE_PARTS = {"%y": "%Y", "%mo": "%m", "%d": "%d", "%h": "%H", "%mi": "%M", "%s": "%S"}
DEFAULT_LEVEL, DEFAULT_OUTPUT_LEVEL = 1, 5
OF_VARIABLES = {"long_name": "long_name", "standard_name": "standard_name", "unit": "units", "comment": "comment"}
DIFFERENCES = [
    "Time counts seconds since the reference date, as 'time_counter'; time_centered and time_instant are not there.",
    "Records have the times of what was put; XIOS counts them from the start of the run.",
    "Where a name has the date of the run's start, 'new-file: 1000 years' makes one file of the run.",
    "XIOS numbers the files of its servers with min_digits; here 'pattern' says how many files there are.",
]
AVERAGED_FILLS = (
    "XIOS averages fill values as numbers, where fields have no detect_missing_value: 'missing: propagate' makes such "
    "a cell missing; 'skip' leaves them out, which is probably what was meant."
)
FILE_ATTRIBUTES = {
    "split_start_offset": "no counterpart", "split_end_offset": "no counterpart", "split_last_date": "no counterpart",
    "split_freq_format": "",
    "time_units": "seconds here", "time_stamp_name": "no counterpart", "uuid_name": "no counterpart",
    "timeseries": "a file for each variable is not there yet", "cyclic": "reading is the model's",
}  # fmt: skip


def is_xios(text: str) -> bool:
    tags = r"<\s*(simulation|context|variable_definition|(file|field|grid|domain|axis|scalar)_(definition|group))\b"
    return re.search(tags, text) is not None


def read(sources: list[Source]) -> Translation:
    tree = Tree(sources)
    tree.read()
    made = Translation("the files of XIOS", sources[0].path.name, lines=tree.lacking, differences=list(DIFFERENCES))
    made.defaults = {
        "anchor": Key("start", "XIOS counts intervals from the start of the run"),
        "partial": Key("drop", "XIOS writes no record of an interval that the end of the run cuts"),
        "record-dimension": Key("time_counter"),
    }
    add_calendar(made, tree)
    fields = Fields.of(tree)
    files = [element for element in tree.elements("file") if any(files_above(element))]
    if not files:
        text = f"'{sources[0].path}' has no <file> in a <file_definition>; add it: --with file_def.xml"
        raise Failure(Exit.INPUT, text)
    made.lines += [group_line(element) for element in tree.elements("file_definition", "file_group")]
    made.collections = [collection_of(made, fields, element) for element in files]
    if any("missing" in collection.keys for collection in made.collections):
        made.differences.append(AVERAGED_FILLS)
    split_instants(made, "instants have times of their own: a collection and a file of them")
    return made


def files_above(element: Element) -> Iterator[Element]:
    """The groups around a file."""
    at = element.parent
    while at is not None and at.tag in ("file_group", "file_definition"):
        yield at
        at = at.parent


def group_line(element: Element) -> Line:
    """What it says is said of each of its files."""
    line = element.line()
    if element.own("type") == "multiple_file":
        line.approximate("multiple_file: 'pattern: per-domain' writes a file of each I/O domain")
    if element.own("sync_freq"):
        line.note("sync_freq: records are in the file as they come")
    return line


def add_calendar(made: Translation, tree: Tree) -> None:
    for element in tree.elements("calendar"):
        line = element.line()
        made.lines.append(line)
        kind = (element.own("type") or "").lower()
        if kind in CALENDARS:
            made.keys["calendar"] = Key(CALENDARS[kind])
        elif kind:
            line.lacks(f"the calendar '{kind}' is none of {', '.join(CALENDARS)}")
        add_origin(made, element, line)
        step = duration(element.own("timestep"))
        if len(step) == 1 and step[0][1] in ("s", "mi", "h", "d"):
            made.keys["time-step"] = Key(interval_text(step[0][0], UNITS[step[0][1]]))


def add_origin(made: Translation, element: Element, line: Line) -> None:
    origin = element.own("time_origin") or element.own("start_date")
    if origin is None:
        return
    date = re.fullmatch(r"(\d+)-(\d+)-(\d+)(?:[ T]+(\d+):(\d+)(?::(\d+))?)?(.*)", origin.strip())
    if date is None:
        line.lacks(f"'{origin}' is no date; say reference-date")
        return
    made.keys["reference-date"] = Key(date_text([int(part or 0) for part in date.groups()[:6]]))
    if date[7].strip():
        line.approximate(f"the reference date is without '{date[7].strip()}'")


def is_skipped(element: Element) -> str:
    """Why a file is not written by XIOS, or cannot be here."""
    if not is_true(inherited(element, "enabled"), True):
        return "enabled: false"
    if (inherited(element, "mode") or "write").lower() == "read":
        return "mode=read: reading is the model's, with 'get'"
    return ""


def collection_of(made: Translation, fields: Fields, element: Element) -> Collection:
    line = element.line()
    name = (element.own("id") or element.own("name") or "file") + (element.own("name_suffix") or "")
    collection = Collection(re.sub(r"\W+", "_", name), [line], why_off=is_skipped(element))
    if collection.why_off.startswith("mode"):
        line.lacks(collection.why_off)
    elif collection.why_off:
        line.note(collection.why_off)
    output = inherited(element, "output_freq") or ""
    add_every(collection, output, line)
    add_file(made, collection, element, line, output)
    add_settings(collection, element, line)
    for child in fields_of(fields, element):
        collection.entries.append(entry_of(fields, child, element, output))
    statistics = [entry for entry in collection.written if entry.operation not in ("instant", "once")]
    if any(entry.missing for entry in statistics):
        collection.say("missing", "propagate")
    for variable in variables_of(element):
        collection.lines.append(variable.line())
        add_attribute(collection.attributes, variable, collection.lines[-1])
    return collection


def variables_of(element: Element) -> list[Element]:
    return [child for child in element.walk() if child.tag == "variable" and in_file(child, element)]


def in_file(variable: Element, element: Element) -> bool:
    """And not in one of its fields."""
    at = variable.parent
    while at is not None and at.tag == "variable_group":
        at = at.parent
    return at is element


def add_attribute(attributes: dict[str, str], variable: Element, line: Line) -> None:
    attributes[variable.own("name") or name_of(variable)] = variable.text
    if (variable.own("type") or "string") != "string":
        line.approximate("attributes that the configuration gives are texts")


def add_every(collection: Collection, output: str, line: Line) -> None:
    if every := interval(output):
        collection.say("every", every)
        return
    why = f"output_freq '{output}' is not one interval" if output else "no output_freq, which XIOS needs"
    line.lacks(why)
    collection.why_off = collection.why_off or why


def add_file(made: Translation, collection: Collection, element: Element, line: Line, output: str) -> None:
    name = (inherited(element, "name") or element.own("id") or "file").strip()
    # NEMO's words, which it puts in before XIOS sees them.
    name = name.replace("@freq@", output.replace("mo", "m")).replace("@startdatefull@", "@startdate@")
    if "@enddate@" in name:
        line.approximate("the name has no date of the run's end")
        name = re.sub(r"[_-]?@enddate(full)?@", "", name)
    series = duration(inherited(element, "split_freq"))
    has_start = "@startdate@" in name or "%start_date%" in name
    name = re.sub(r"[_-]?%end_date%", "", name).replace("%start_date%", "@startdate@")
    name = placeholder(made, name.replace("@startdate@", "\1"), "the names of files", line)
    name = f"{name}{element.own('name_suffix') or ''}".replace("%", "%%")
    if series:
        add_series(collection, element, line, series)
        date = date_format(element, series, line)
        name = name.replace("\1", date) if has_start else f"{name}_{date}"
        name = told_apart(f"{name}.nc", collection.keys["new-file"].value, line).removesuffix(".nc")
    elif has_start:
        name = name.replace("\1", "%Y%m%d")
        collection.say("new-file", ONE_FILE)
    collection.say("file", quoted(f"{name}.nc"))


def add_series(collection: Collection, element: Element, line: Line, series: list[tuple[int, str]]) -> None:
    number, unit = series[0]
    if len(series) > 1:
        line.approximate("split_freq of several units: the first one")
    collection.say("new-file", interval_text(number, UNITS[unit]))
    line.approximate("a name has the date at which its file begins, and not that at which it ends")


def date_format(element: Element, series: list[tuple[int, str]], line: Line) -> str:
    said = inherited(element, "split_freq_format")
    if not said:
        finest = {"y": "%Y", "mo": "%Y%m", "d": "%Y%m%d", "h": "%Y%m%d%H", "mi": "%Y%m%d%H%M"}
        return finest.get(series[0][1], "%Y%m%d%H%M%S")
    return re.sub(r"%(?:mo|mi|y|d|h|s)", lambda match: DATE_PARTS[match[0]], said)


def add_settings(collection: Collection, element: Element, line: Line) -> None:
    level = inherited(element, "compression_level")
    if level is not None and level.isdigit() and int(level) > 0:
        collection.say("compression", f"{{codec: deflate, level: {level}}}")
    if is_true(inherited(element, "append"), False):
        collection.say("append", "continue")
        line.approximate("XIOS goes on behind the last record; here the file goes on as far as the run's start")
    dimension = inherited(element, "time_counter_name")
    if dimension:
        collection.say("record-dimension", quoted(dimension))
    kind = (inherited(element, "format") or "netcdf4").lower()
    if kind == "netcdf4_classic":
        collection.say("format", "netcdf4-classic")
    description = inherited(element, "description")
    if description:
        collection.attributes["description"] = description
    for name, why in FILE_ATTRIBUTES.items():
        if why and inherited(element, name) is not None:
            line.approximate(f"{name}: {why}")


def fields_of(fields: Fields, element: Element) -> Iterator[Element]:
    """Those of groups, too, and those of a group that one refers to."""
    for child in element:
        if child.tag == "field":
            yield child
        elif child.tag == "field_group":
            yield from fields_of(fields, child)
            yield from referred(fields, child)


def referred(fields: Fields, group: Element) -> Iterator[Element]:
    wanted = group.own("group_ref")
    for found in {id(of.parent): of.parent for of in fields.by_id.values()}.values() if wanted else ():
        if found is not None and found.own("id") == wanted:
            for child in found:
                if child.tag == "field" and name_of(child):
                    yield Element("field", {"field_ref": name_of(child)}, group.place, group)


def number_of(text: str | None, fallback: int) -> int:
    return int(text) if text is not None and re.fullmatch(r"-?\d+", text.strip()) else fallback


def entry_of(fields: Fields, element: Element, file: Element, output: str) -> Entry:
    line = element.line()
    entry = Entry(line)
    try:
        entry.name = fields.attribute(element, "name") or element.own("field_ref") or name_of(element)
        entry.source = element.own("field_ref") or name_of(element)
        add_enabled(entry, fields, element, file)
        add_type(entry, fields, element)
        meaning = meaning_of(fields, element, output)
        entry.source, entry.expression, entry.operation = meaning.source, meaning.expression, meaning.operation
        entry.sample, entry.sample_offset = meaning.sample, meaning.sample_offset
        entry.missing = "" if meaning.looks_for_missing else "propagate"
        add_attributes(entry, fields, element)
    except NotThere as fault:
        line.lacks(str(fault))
    if not fields.are_defined:
        line.approximate("no definition of it was given, which says its operation; --with field_def.xml")
    return entry


def add_enabled(entry: Entry, fields: Fields, element: Element, file: Element) -> None:
    level = number_of(fields.attribute(element, "level"), DEFAULT_LEVEL)
    most = number_of(inherited(file, "output_level"), DEFAULT_OUTPUT_LEVEL)
    if not is_true(fields.attribute(element, "enabled"), True):
        entry.is_off = True
        entry.line.note("enabled: false")
    elif level > most:
        entry.is_off = True
        entry.line.note(f"its level {level} is above the file's output_level {most}")


def add_type(entry: Entry, fields: Fields, element: Element) -> None:
    precision = fields.attribute(element, "prec") or ""
    entry.type = {"4": "float32", "8": "float64"}.get(precision, "")
    if precision == "2":
        entry.type = "float32"
        entry.line.approximate("packing into int16 is not there: float32")


def add_attributes(entry: Entry, fields: Fields, element: Element) -> None:
    """What the file says itself; of an expression all, as it has none of its own."""
    for name, ours in OF_VARIABLES.items():
        said = fields.attribute(element, name) if entry.expression else element.own(name)
        if said:
            entry.attributes[ours] = said
    for child in element:
        if child.tag == "variable":
            add_attribute(entry.attributes, child, entry.line)
    if element.own("cell_methods") is not None:
        entry.line.approximate("cell_methods follow from the operation")
