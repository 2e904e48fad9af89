"""What FMS's diagnostics mean by frequencies, reductions and names of files, for both forms of the table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from thalweg.cli.quoting import quoted
from thalweg.cli.translate.model import Collection, Entry, Key, Line, Translation, date_text, interval_text
from thalweg.cli.translate.names import told_apart
from thalweg.cli.translate.writing import ONE_FILE

DAYS = {"seconds": 86400, "minutes": 1440, "hours": 24}  # of units in which an interval may be shorter than a day
UNITS = {"seconds": "s", "minutes": "min", "hours": "h", "days": "d", "months": "month", "years": "year"}
OPERATIONS = {"true": "mean", "mean": "mean", "average": "mean", "avg": "mean",
              "false": "instant", "none": "instant", "point": "instant",
              "max": "max", "maximum": "max", "min": "min", "minimum": "min", "rms": "rms", "root_mean_square": "rms",
              "sum": "sum", "cumsum": "sum"}  # fmt: skip
# Of the name of a file, in the order in which FMS appends them, with their usual digits.
DATE_PARTS = {"yr": ("%Y", 4), "mo": ("%m", 2), "dy": ("%d", 2), "hr": ("%H", 2), "mi": ("%M", 2), "sc": ("%S", 2)}
DIFFERENCES = [
    "Time counts seconds since the reference date, whatever the table's units; dates and bounds are the same.",
    "Bounds are CF's time_bnds; there are no average_T1, average_T2 and average_DT.",
    "An instant has its own time; FMS stamps it with the end of the interval, also where no step ends there.",
    "A put at the start of the run is in no interval; FMS takes it into the first one.",
    "Sums are kept in float64, in FMS in the type of what is sent. Weights are those of the puts, or the steps.",
]
PREPENDED = (
    "FMS puts the date of the run's start before names of files (prepend_date, by default): so do '%Y%m%d.' and "
    f"'new-file: {ONE_FILE}', one file of the run."
)
NO_NAMES = "the table does not name dimensions; below 'region', by those of the model, the collection has it"
MIXED = "static, or FMS refuses the file (but with mix_snapshot_average_fields)"


@dataclass
class File:
    """A file of the table, whichever form that has."""

    line: Line | None  # None: the table has only fields of it
    name: str
    frequency: int | None = None
    unit: str = ""
    new_file: tuple[int, str] | None = None
    name_date: str = "middle"  # of the first record's interval
    dimension: str = "time"
    entries: list[Entry] = field(default_factory=list)
    more: list[Line] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    why_off: str = ""


def translation_of(name: str, title: str) -> Translation:
    made = Translation("the diag_table of FMS", name, differences=[*DIFFERENCES, PREPENDED])
    made.defaults = {
        "anchor": Key("start", "FMS counts intervals from the start of the run (without use_clock_average)"),
        "partial": Key("drop", "FMS writes no record of an interval that the end of the run cuts"),
    }
    if title:
        made.attributes["title"] = title
    return made


def add_base_date(made: Translation, parts: list[int] | None, line: Line) -> None:
    has_date = parts is not None and len(parts) == 6 and 1 <= parts[1] <= 12 and 1 <= parts[2] <= 31
    if parts is None or not has_date:
        line.approximate("no date; FMS takes the start of the run for zeros, say it as reference-date")
        return
    day, hour = parts[2:4]
    made.keys["reference-date"] = Key(date_text(parts))
    if (day, hour) != (1, 0):
        made.warnings.append(
            f"months and years are counted from the start of the run: one that starts on day {day}, {hour:02} h has "
            "other months than the calendar. 'anchor: calendar' has those" + " (FMS fails from day 29 on)" * (day > 28)
        )


def reduce(entry: Entry, reduction: str) -> None:
    word, line = reduction.strip().lower().strip("."), entry.line
    power, diurnal = re.fullmatch(r"pow(\d+)", word), re.fullmatch(r"diurnal(\d+)", word)
    if word in OPERATIONS:
        entry.operation = OPERATIONS[word]
        if word == "rms":
            line.note("FMS takes the weight into the power: its rms is wrong by the root of a weight that is not 1")
    elif power:
        entry.operation, entry.expression = "mean", f"this^{int(power[1])}"
        line.note("FMS takes the weight into the power, and has its own cell_methods, 'mean_pow'")
    elif diurnal and int(diurnal[1]) > 1 and 86400 % int(diurnal[1]) == 0:
        entry.operation = f"diurnal {int(diurnal[1])}"
        line.approximate("FMS has a step in the part of the day in which it ends, and not in that of its middle")
    elif diurnal:
        line.lacks(f"'{word}': parts of the day are whole seconds")
    else:
        line.lacks(f"'{reduction}' is no reduction")


def collection_of(file: File) -> Collection:
    made = Collection(re.sub(r"%.*", "", file.name).strip("_") or file.name)
    made.lines = [*([file.line] if file.line else []), *file.more]
    made.attributes, made.entries, made.why_off = file.attributes, file.entries, file.why_off
    if file.line is None:
        return made
    if not file.name:
        made.name, made.why_off = "file", "a file without a name"
        file.line.lacks(made.why_off)
    if not file.entries:
        made.why_off = made.why_off or "the table has no field for it"
    if file.frequency not in (0, -1) and file.unit not in UNITS:
        made.why_off = f"the unit '{file.unit}' is none of {', '.join(UNITS)}"
        file.line.lacks(made.why_off)
    if file.dimension != "time":
        made.say("record-dimension", quoted(file.dimension))
    add_every(made, file)
    add_name(made, file, file.line)
    return made


def add_every(made: Collection, file: File) -> None:
    if file.frequency == -1:
        for entry in made.written:
            if entry.operation not in ("instant", "once"):
                entry.line.lacks("FMS refuses a reduction in a file of frequency -1")
            entry.operation = "once"
    elif file.frequency == 0:
        made.say("every", "1 step", "FMS: each send")
        for entry in made.written:
            if entry.operation != "instant":
                entry.line.approximate("each send is written as it is, a reduction of it is an error in newer FMS")
                entry.operation, entry.expression = "instant", ""
    elif file.frequency and file.unit in UNITS:
        made.say("every", interval_text(file.frequency, UNITS[file.unit]))
        for entry in made.written:
            if entry.operation.startswith("diurnal") and file.frequency < DAYS.get(file.unit, 0):
                entry.line.lacks("an interval that is shorter than a day has not all of its parts")
        statistics = [entry for entry in made.written if entry.operation != "instant"]
        for entry in made.written if statistics else []:
            if entry.operation == "instant":
                entry.operation = "once"
                entry.line.approximate(MIXED)


def add_name(made: Collection, file: File, line: Line) -> None:
    base, percent, dates = file.name.partition("%")
    if not percent:
        if file.new_file:
            line.approximate("new files need a date in the name, without which FMS refuses them: left out")
        made.say("file", quoted(f"%Y%m%d.{base}.nc"))
        made.say("new-file", ONE_FILE)
        return
    line.approximate("FMS puts the date of the run's start before the name, too (prepend_date)")
    add_series(made, file, line, f"{base}{date_of(percent + dates, line)}.nc")


def add_series(made: Collection, file: File, line: Line, name: str) -> None:
    if file.new_file is None or file.new_file[1] not in UNITS:
        line.approximate("a date in the name, and no interval of files: a new file where the date changes")
        made.say("file", quoted(name))
        return
    number, unit = file.new_file
    interval = interval_text(number, UNITS[unit])
    made.say("file", quoted(told_apart(name, interval, line)))
    if (number, unit) != (file.frequency, file.unit):
        made.say("new-file", interval)
        line.approximate("the name has the date at which the file's interval begins, in FMS that of its first record")
    elif any(entry.operation not in ("instant", "once") for entry in made.written):
        made.say("file-date", file.name_date, "of the interval, as FMS has it")


def date_of(text: str, line: Line) -> str:
    """'%4yr_%3dy' -> '_%Y_%j', whatever stands between."""
    parts = {unit: int(digits) for digits, unit in re.findall(r"%(\d)(yr|mo|dy|hr|mi|sc)", text)}
    made = ""
    coarser = list(DATE_PARTS)
    for unit, (ours, usual) in DATE_PARTS.items():
        if unit not in parts:
            continue
        is_of_year = unit == "dy" and "mo" not in parts and "yr" in parts
        ours, usual = ("%j", 3) if is_of_year else (ours, usual)
        if parts[unit] != usual:
            line.approximate(f"the name has {usual} digits, not %{parts[unit]}{unit}")
        lacking = [of for of in coarser[: coarser.index(unit)] if of not in parts]
        if lacking and not is_of_year and not (lacking == ["mo"] and "dy" in parts):
            line.approximate(f"FMS counts %{parts[unit]}{unit} on from what is not in the name")
        made += f"_{ours}"
    return made
