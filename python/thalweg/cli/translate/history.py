"""MAPL's HISTORY.rc: collections, each with keys and a list of fields."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isnan, nan

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.guess import seconds_text
from thalweg.cli.quoting import quoted
from thalweg.cli.translate.model import Collection, Entry, Key, Line, Translation
from thalweg.cli.translate.names import told_apart
from thalweg.cli.translate.resource import Resource, Row, resources_of
from thalweg.cli.translate.sources import Source
from thalweg.cli.translate.tokens import placeholder

# Of a template of names (base/StringTemplate.F90).
DATE_PARTS = {"%y4": "%Y", "%m2": "%m", "%d2": "%d", "%h2": "%H", "%n2": "%M", "%S2": "%S", "%D3": "%j", "%%": "%%"}
COUPLERS = {"max": "max", "min": "min", "accumulate": "sum"}
WITH_COUNTERPART = ("template", "format", "mode", "frequency", "duration", "monthly", "ref_date", "ref_time", "fields",
                "descr", "deflate", "nbits", "levels", "vvars", "vunit", "vscale",
                "timestampStart", "timestampEnd")  # fmt: skip
OTHER_GRID = (
    "MAPL makes weights itself; here 'cdo gencon' or ESMF makes a file of them, and grid: {weights: FILE} names it"
)
NOT_TAKEN_OVER = {
    OTHER_GRID: ("grid_label", "resolution", "regrid_method", "conservative", "regrid_exch", "regrid_name",
                 "output_grid", "cubeFormat"),
    "stations are said by grid: {points: [{name: A, lon: 10, lat: 50}]}; tracks are not there":
        ("sampler_type", "station_id_file", "track_file"),
    "values below the ground are not there yet": ("xlevels",),
    "a window of time is said by 'from' and 'until'": ("start_date", "start_time", "end_date", "end_time"),
    "means of the last part of an interval are not there yet": ("acc_interval", "acc_ref_time", "acc_offset"),
    "fields of four dimensions as variables of three are not there yet": ("splitField",),
}  # fmt: skip
NO_COUNTERPART = {
    "archive": "no counterpart: scripts read it, not MAPL",
    "chunksize": "Thalweg chooses the chunks; 'chunks' says them by the names of dimensions",
    "quantize_algorithm": "no counterpart: 'keep-bits' and 'keep-digits' are BitRound and Granular BitRound",
}
IGNORED = {
    "VERSION": "of the file's grammar",
    "Allow_Overwrite": "a complete file of the name is replaced, unless 'append' says else",
}
DIFFERENCES = [
    "MAPL reads the fields itself; here the program puts each of them in each step, under the names of 'from'.",
    "Time counts seconds from the reference date in float64, and means have bounds and cell_methods.",
    "The time of a mean is the middle of its interval; timestampStart and timestampEnd are no more than a label.",
    "Sums are kept in float64, not float32. Undefined cells are those of the field's missing_value.",
    "MAPL averages over intervals that begin with the run where those of writing begin at ref_time; here they are one.",
]


def is_history(text: str) -> bool:
    return re.search(r"^\s*COLLECTIONS\s*:", text, re.MULTILINE) is not None


def refuse_classic(source: Source, resources: list[Resource]) -> None:
    """GEOS-Chem Classic: the same name of the file and of its first keys; rows of fields have no component, and
    intervals are of fourteen digits or words."""
    of = [found for found in resources if found.label.endswith(".fields")]
    alone = bool(of) and not any(len(row.values) > 1 for found in of for row in found.rows)
    frequencies = [found.text for found in resources if found.label.endswith((".frequency", ".duration"))]
    if alone and any(re.fullmatch(r"\d{8} \d{6}|\d{14}|'?End'?|\$\{\w+\}", text) for text in frequencies):
        raise Failure(
            Exit.INPUT,
            f"'{source.path}' is a HISTORY.rc of GEOS-Chem Classic, which is another grammar than MAPL's and is not "
            "translated; give that of GCHP or GEOS, or write its collections by hand: docs/fields.md",
        )


def hms(text: str) -> int | None:
    """Seconds of HHMMSS, whose hours may be many."""
    if not re.fullmatch(r"-?\d+", text):
        return None
    number = abs(int(text))
    seconds = number // 10000 * 3600 + number // 100 % 100 * 60 + number % 100
    return -seconds if text.startswith("-") else seconds


class Draft:
    """A collection, while its keys are read."""

    def __init__(self, name: str, resources: dict[str, Resource]) -> None:
        self.resources = resources
        self.made = Collection(name)
        self.made.lines = [row.line for key, found in resources.items() if key != "fields" for row in found.rows]

    def text(self, key: str, fallback: str = "") -> str:
        found = self.resources.get(key)
        return found.text if found and found.text else fallback

    def line(self, *keys: str) -> Line:
        """Of the first of these keys that is there; of the fields, or of nothing, without any."""
        for key in (*keys, "template", "fields"):
            if key in self.resources:
                return self.resources[key].line
        return Line("?", self.made.name)

    @property
    def is_mean(self) -> bool:
        return self.text("mode", "instantaneous").lower() == "time-averaged"

    @property
    def is_monthly(self) -> bool:
        return self.text("monthly") == "1"

    def seconds(self, key: str, fallback: int) -> int | None:
        return hms(self.text(key)) if self.text(key) else fallback


def collection_of(translation: Translation, name: str, resources: dict[str, Resource], expid: str) -> Collection:
    draft = Draft(name, resources)
    every = draft.seconds("frequency", 6 * 3600)
    if draft.is_monthly:
        draft.made.say("every", "1 month")
    elif every is None:
        draft.made.why_off = "its frequency is no number HHMMSS"
        draft.line("frequency").lacks("no number HHMMSS")
    elif every <= 0:
        draft.made.why_off = "a frequency that is not positive turns it off"
        draft.line("frequency").note(draft.made.why_off)
    else:
        draft.made.say("every", seconds_text(every))
    if draft.text("mode", "instantaneous").lower() not in ("instantaneous", "time-averaged"):
        draft.line("mode").lacks("neither instantaneous nor time-averaged: MAPL refuses it")
    add_anchor(draft, every or 0)
    add_file(translation, draft, expid, every or 0)
    add_others(draft)
    add_fields(translation, draft)
    return draft.made


def add_anchor(draft: Draft, every: int) -> None:
    """Rings come at ref + n * frequency; midnight is one of them where the day is a multiple."""
    if draft.is_monthly or every <= 0:
        return
    reference = draft.seconds("ref_time", 0)
    if reference is None:
        draft.line("ref_time").approximate("counted from midnight; a script says the reference")
    elif 86400 % every != 0:
        draft.line("ref_date", "ref_time", "frequency").approximate(
            "counted from the midnight before the reference date; MAPL counts from ref_date, or the day of the start"
        )
    elif reference % every != 0:
        draft.line("ref_time").approximate("counted from midnight: an offset of intervals is not there yet")
    else:
        for key in ("ref_time", "ref_date"):
            if key in draft.resources:
                draft.line(key).note("midnight is one of its rings: anchor: calendar")


def add_file(translation: Translation, draft: Draft, expid: str, every: int) -> None:
    line = draft.line("template")
    dates = placeholder(translation, date_of(draft.text("template"), line), "of the template", line)
    name = ".".join(part for part in (expid, draft.made.name, dates) if part)
    duration = draft.seconds("duration", 0 if draft.is_monthly else every)
    is_a_record = draft.is_monthly or not draft.text("duration") or duration == every
    if duration is None:
        draft.line("duration").approximate("no HHMMSS: a file for each record")
    elif duration == 0 and not draft.is_monthly and "%" in name:
        draft.line("duration").approximate("one file, without the date of its first record in its name")
        name = re.sub(r"[._-]*(%[A-Za-z].*)?%[A-Za-z]\w*", "", name)
        is_a_record = False
    elif not is_a_record and duration > every:
        draft.made.say("new-file", seconds_text(duration))
        name = told_apart(name, seconds_text(duration), line)
        if re.search(r"%[HM]", dates):
            draft.line("duration").approximate("names have the time at which a file begins, in MAPL that of its record")
    elif not is_a_record and duration > 0:
        draft.line("duration").approximate("shorter than the frequency: a file for each record")
    if is_a_record and "every" in draft.made.keys:
        name = told_apart(name, draft.made.keys["every"].value, line)
    draft.made.say("file", quoted(name))
    if is_a_record and draft.is_mean and "%" in name:
        add_date_of_name(draft)


def add_date_of_name(draft: Draft) -> None:
    is_start = draft.is_monthly or draft.text("timestampStart").strip(".").lower() == "true"
    is_end = draft.text("timestampEnd").strip(".").lower() == "true"
    if not is_start:
        draft.made.say("file-date", "end" if is_end else "middle", "MAPL names a file for the stamp of its record")


def date_of(template: str, line: Line) -> str:
    def part(match: re.Match[str]) -> str:
        if match[0] in DATE_PARTS:
            return DATE_PARTS[match[0]]
        line.approximate(f"'{match[0]}' of the template has no counterpart")
        return "%%" if match[0] == "%" else ""

    return re.sub(r"%(?:[A-Za-z]{1,2}\d?|%)?", part, template)


def add_others(draft: Draft) -> None:
    for key, found in draft.resources.items():
        for why, keys in NOT_TAKEN_OVER.items():
            if key in keys and found.text:
                found.line.lacks(why)
        if key in NO_COUNTERPART:
            found.line.lacks(NO_COUNTERPART[key])
    if draft.text("descr"):
        draft.made.attributes["title"] = draft.text("descr")
    if draft.text("format", "CFIO").lower() not in ("cfio", "cfioasync"):
        draft.line("format").lacks("only 'CFIO' is netCDF")
    add_compression(draft)
    add_levels(draft)
    known = {*WITH_COUNTERPART, *NO_COUNTERPART, *(key for keys in NOT_TAKEN_OVER.values() for key in keys)}
    for key in set(draft.resources) - known:
        draft.line(key).lacks("no counterpart is known")


def add_compression(draft: Draft) -> None:
    parts = {}
    level, bits = draft.text("deflate"), draft.text("nbits")
    if level.isdigit() and 1 <= int(level) <= 9:
        parts = {"codec": "deflate", "level": level}
    if bits.isdigit() and 1 <= int(bits) <= 23:
        parts["keep-bits"] = bits
        draft.line("nbits").approximate("BitRound rounds to the nearest, MAPL cuts off")
    if parts:
        draft.made.say("compression", "{" + ", ".join(f"{key}: {value}" for key, value in parts.items()) + "}")


def add_levels(draft: Draft) -> None:
    """Without a field of which they are values they are indices, counted from 1."""
    text = draft.text("levels").replace(",", " ")
    if not text:
        return
    levels = [int(level) for level in text.split() if level.isdigit()]
    ascend = all(before < level for before, level in pairwise([0, *levels]))
    if draft.text("vvars"):
        add_vertical(draft, text.split())
    elif not ascend or len(levels) != len(text.split()):
        draft.line("levels").lacks("no indices that ascend from 1 on: all levels")
    else:
        indices = ", ".join(str(level - 1) for level in levels)
        draft.made.say(
            "region", f"{{lev: {{index: [{indices}]}}}}", "the model's dimension of levels is LOOKED FOR as lev"
        )
        draft.line("levels").approximate("along the dimension 'lev'; say here what the model calls it")


def add_vertical(draft: Draft, levels: list[str]) -> None:
    """Of a field, or its logarithm, as in vvars: 'log(PLE)', 'DYN'. A level is so many vscale in the field's unit."""
    name, component = [*draft.resources["vvars"].values, "", ""][:2]
    of_log = re.fullmatch(r"log\((\w+)\)", name)
    unit, scale = draft.text("vunit"), draft.text("vscale", "1")
    numbers = [number(level) for level in levels]
    factor = number(scale)
    in_order = numbers in (sorted(numbers, reverse=True), sorted(numbers)) and len(set(numbers)) == len(numbers)
    if not factor or any(map(isnan, numbers)) or not in_order or not re.fullmatch(r"log\(\w+\)|\w+", name):
        draft.line("levels").lacks("no numbers that ascend or descend, or none of one field: all levels")
        return
    field = of_log[1] if of_log else name
    coordinate = f"{component}/{field}" if component else field
    is_of_units = bool(unit) and (factor == 1 or (unit, factor) == ("hPa", 100))
    to = ", ".join(f"{value if is_of_units else value * factor:.15g}" for value in numbers)
    parts = [f"coordinate: {coordinate}", f"to: [{to}]"]
    parts += [f"units: {quoted(unit)}"] if is_of_units else []
    parts += ["by: log"] if of_log else []
    draft.made.say("vertical", "{" + ", ".join([*parts, "name: lev"]) + "}")
    draft.line("vvars").approximate(
        f"the program puts '{coordinate}' at the levels of the fields; MAPL has it at their edges, too, and then "
        "extends the lowest value to the surface"
    )
    if draft.is_mean:
        draft.line("levels").approximate("interpolated in each step, and then averaged; MAPL interpolates the averages")


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan


def add_fields(translation: Translation, draft: Draft) -> None:
    fields = draft.resources.get("fields")
    for row in fields.rows if fields else []:
        if row.values:
            draft.made.entries += entries_of(draft, row)
    components = {entry.source.rpartition("/")[2]: entry.source for entry in draft.made.entries if entry.source}
    for entry in draft.made.entries:
        if entry.expression:
            entry.expression = with_components(entry.expression, components)
            if "vertical" in draft.made.keys:
                entry.line.lacks("what is computed of fields is not interpolated to levels")


def entries_of(draft: Draft, row: Row) -> list[Entry]:
    """One, or one of each of a vector's parts."""
    name, component, alias, coupler = [*row.values, "", "", ""][:4]
    if not draft.is_mean:
        operation = "instant"
    else:
        operation = COUPLERS.get(coupler.lower(), "mean")
    if coupler and coupler.lower() not in COUPLERS:
        row.line.lacks(f"'{coupler}' is none of MAX, MIN, ACCUMULATE")
    if re.search(r"[+*/()^]", name) and ";" not in name:
        return [Entry(row.line, operation=operation, name=alias or name, expression=name)]
    names, aliases = name.split(";"), alias.split(";") if alias else name.split(";")
    if len(names) != len(aliases):
        row.line.lacks("one field as several variables is not there yet")
        aliases = names
    return [
        Entry(row.line, f"{component}/{one}" if component else one, operation, called)
        for one, called in zip(names, aliases, strict=True)
    ]


def with_components(expression: str, components: dict[str, str]) -> str:
    def named(match: re.Match[str]) -> str:
        return f"'{components[match[0]]}'" if match[0] in components else match[0]

    return re.sub(r"[A-Za-z_]\w*(?!\w*\()", named, expression)


def listed(resources: list[Resource]) -> dict[str, Row]:
    """The collections that MAPL writes."""
    return {
        value: row
        for found in resources
        if found.label == "COLLECTIONS"
        for row in found.rows
        for value in row.values
        if value != "@"
    }


def collections_in(resources: list[Resource]) -> dict[str, dict[str, Resource]]:
    """Those that have fields; a name may have dots in it, a key has none."""
    found: dict[str, dict[str, Resource]] = {}
    for resource in resources:
        name, dot, key = resource.label.rpartition(".")
        if dot:
            found.setdefault(name, {})[key] = resource
    return found


def add_top(made: Translation, resources: list[Resource]) -> str:
    """Keys of all collections; returns how names of files begin."""
    expid = ""
    for found in resources:
        if "." in found.label or found.label in ("COLLECTIONS",):
            continue
        made.lines += [row.line for row in found.rows]
        if found.label == "EXPID":
            expid = placeholder(made, found.text, "the experiment's name, EXPID", found.line)
            if "/" in expid:
                found.line.note(f"the folder '{expid.rpartition('/')[0]}' has to be there")
        elif found.label in ("EXPDSC", "EXPSRC", "CONTACT"):
            name = {"EXPDSC": "experiment", "EXPSRC": "source", "CONTACT": "contact"}[found.label]
            made.attributes[name] = placeholder(made, found.text, f"of {found.label}", found.line)
        elif found.label == "GRID_LABELS":
            for row in found.rows:
                if row.values:
                    row.line.lacks(OTHER_GRID)
        elif found.label in IGNORED:
            found.line.note(IGNORED[found.label])
        else:
            found.line.lacks("no counterpart is known")
    return expid


def read(sources: list[Source]) -> Translation:
    resources = [found for source in sources for found in resources_of(source)]
    refuse_classic(sources[0], resources)
    made = Translation("the HISTORY.rc of MAPL", sources[0].path.name, differences=list(DIFFERENCES))
    made.defaults["partial"] = Key("drop", "MAPL writes when an interval ends, and nothing at the end of the run")
    expid = add_top(made, resources)
    wanted = listed(resources)
    defined = collections_in(resources)
    for name, row in wanted.items():
        if row.line not in made.lines:
            made.lines.append(row.line)
        if row.switch:
            row.line.approximate(f"a script lets it stand or go by @{row.switch}: it stands")
        if "fields" not in defined.get(name, {}):
            row.line.lacks(f"no lines say what the collection '{name}' is")
    for name, keys in defined.items():
        if "fields" not in keys:
            add_other(made, name, keys)
            continue
        collection = collection_of(made, name, keys, expid)
        if name not in wanted:
            collection.why_off = "not among COLLECTIONS, so MAPL does not write it"
        made.collections.append(collection)
    return made


def add_other(made: Translation, name: str, keys: dict[str, Resource]) -> None:
    """Of a grid, as a rule."""
    for found in keys.values():
        found.line.lacks(OTHER_GRID if "GRID_TYPE" in keys else f"'{name}' has no fields")
        made.lines += [row.line for row in found.rows]
