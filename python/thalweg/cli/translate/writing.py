"""A Translation as YAML, with a comment wherever it is not what the original says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from json import dumps
from typing import Any

from thalweg.cli.output import counted
from thalweg.cli.quoting import quoted
from thalweg.cli.translate.model import Collection, Entry, Fate, Key, Line, Translation, seconds_of

ONE_FILE = "1000 years"


def flow(parts: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in parts.items()) + "}"


def texts(attributes: Mapping[str, str]) -> str:
    return flow({quoted(name): dumps(" ".join(text.split()), ensure_ascii=False) for name, text in attributes.items()})


def commented(text: str, why: str) -> str:
    return f"{text}    # {why}" if why else text


def key_lines(keys: Mapping[str, Key]) -> Iterator[str]:
    for name, key in keys.items():
        yield commented(f"{name}: {key.value}", key.why)


def most_used(entries: list[Entry]) -> str:
    return Counter(entry.operation for entry in entries if entry.operation).most_common(1)[0][0]


def entry_text(entry: Entry, usual: str) -> str:
    parts = {}
    if entry.source:
        parts["from"] = quoted(entry.source)
    if entry.expression:
        parts["expression"] = dumps(entry.expression)
    if entry.operation and entry.operation != usual:
        parts["operation"] = entry.operation
    if entry.name and (entry.expression or entry.name != entry.source.rpartition("/")[2]):
        parts["name"] = quoted(entry.name)
    said = {"type": entry.type, "sample": entry.sample, "sample-offset": entry.sample_offset}
    parts |= {key: value for key, value in said.items() if value}
    return parts["from"] if set(parts) == {"from"} else flow(parts)


def remarks(lines: list[Line]) -> Iterator[str]:
    """Those with something to say."""
    yield from (f"# {line.told}" for line in lines if line.remarks or line.fate is not Fate.EXACT)


def entry_lines(entry: Entry, usual: str) -> Iterator[str]:
    yield from remarks([entry.line])
    if entry.is_written:
        yield f"- {entry_text(entry, usual)}"
    elif entry.source or entry.expression:
        yield f"# - {entry_text(entry, usual)}"


def collection_lines(collection: Collection) -> Iterator[str]:
    entries = collection.written or collection.entries
    usual = most_used(entries) if any(entry.operation for entry in entries) else ""
    yield f"{quoted(collection.name)}:"
    inner = [*remarks(collection.lines), *key_lines(collection.keys)]
    if usual and usual != "instant":
        inner.append(f"operation: {usual}")
    if collection.attributes:
        inner.append(f"attributes: {texts(collection.attributes)}")
    inner.append("fields:")
    for entry in collection.entries:
        inner += [f"  {line}" for line in entry_lines(entry, usual)]
    of_variables = {entry.variable: entry.attributes for entry in collection.written if entry.attributes}
    if of_variables:
        inner.append("variables:")
        inner += [f"  {quoted(name)}: {{attributes: {texts(has)}}}" for name, has in of_variables.items()]
    yield from (f"  {line}" for line in inner)


def without_twins(translation: Translation) -> None:
    """A variable's name stands once in a file, and so does a collection's in the configuration."""
    for collection in translation.collections:
        seen: set[str] = set()
        for entry in collection.written:
            if entry.variable in seen:
                entry.line.lacks(f"the file has a variable '{entry.variable}' already, of a line above")
            seen.add(entry.variable)
    names = Counter[str]()
    for collection in translation.collections:
        names[collection.name] += 1
        if names[collection.name] > 1:
            collection.name += f".{names[collection.name]}"


def split_instants(translation: Translation, remark: str) -> None:
    """Instants and what is gathered over intervals have different times: a collection for each."""
    for collection in list(translation.collections):
        instants = [entry for entry in collection.entries if entry.operation == "instant" and not entry.is_off]
        if not instants or all(entry.operation in ("instant", "once") for entry in collection.written):
            continue
        keys = {name: key for name, key in collection.keys.items() if name not in OF_INTERVALS}
        path, dot, ending = keys["file"].value.strip('"').rpartition(".")
        keys["file"] = Key(quoted(f"{path}_instants{dot}{ending}"), keys["file"].why)
        other = Collection(f"{collection.name}_instants", [], keys, collection.attributes, instants, collection.why_off)
        for entry in instants:
            if entry.is_written:
                entry.line.approximate(remark)
        collection.entries = [entry for entry in collection.entries if entry not in instants]
        translation.collections.insert(translation.collections.index(collection) + 1, other)


OF_INTERVALS = ("partial", "missing", "file-date", "valid")


def time_step(translation: Translation) -> str:
    """A guess that meets the edges of all intervals, and samples."""
    said = [c.keys["every"].value for c in translation.collections if "every" in c.keys]
    entries = [entry for collection in translation.collections for entry in collection.entries]
    found = [seconds_of(text) for text in [*said, *(entry.sample for entry in entries if entry.sample)]]
    for step, text in ((600, "10 min"), (60, "1 min")):
        if all(seconds is None or seconds % step == 0 for seconds in found):
            return text
    return "1 s"


def add_months(translation: Translation) -> None:
    """From the start of a run they are rarely those that were meant, unless it starts with one."""
    every = [one.keys["every"].value for one in translation.collections if one.is_written and "every" in one.keys]
    if "anchor" in translation.defaults and any("month" in one or "year" in one for one in every):
        translation.differences.append(
            "Months and years are counted from the start of the run, as in the original; where one starts within one, "
            "'anchor: calendar' has those of the calendar."
        )


def header(translation: Translation) -> Iterator[str]:
    counts = translation.counts()
    yield f"# After {translation.of}, {translation.name}. All keys: thalweg check --keys"
    said = ", ".join(f"{number} {words}" for words, number in counts.items())
    yield f"# Of its {sum(counts.values())} lines: {said}. Each of the latter two stands where it belongs."
    if translation.warnings:
        yield "# LOOK AT what was probably not meant:"
        yield from (f"#   {warning}" for warning in translation.warnings)
    if translation.differences:
        yield "# What differs in all files:"
        yield from (f"#   {difference}" for difference in translation.differences)
    yield from remarks(translation.lines)


def variables(translation: Translation) -> list[str]:
    """By themselves each is its name: so the configuration can be checked, and tried, before they are filled in."""
    if not translation.to_fill_in:
        return []
    lines = (f"  {name}: {name}  # {what}" for name, what in translation.to_fill_in.items())
    return ["variables:  # FILL IN", *lines, ""]


def text_of(translation: Translation) -> str:
    without_twins(translation)
    add_months(translation)
    for key, value in (("calendar", "standard"), ("reference-date", "2000-01-01")):
        translation.keys.setdefault(key, Key(value, "not in the original: say the model's"))
    translation.keys.setdefault("time-step", Key(time_step(translation), "GUESSED: say the model's"))
    lines = [*header(translation), "", *variables(translation), *key_lines(translation.keys), ""]
    defaults = [*key_lines({"optional": Key("true", "what the model does not define is left out, and said")})]
    defaults += key_lines(translation.defaults)
    if translation.attributes:
        defaults.append(f"attributes: {texts(translation.attributes)}")
    lines += ["defaults:", *(f"  {line}" for line in defaults), ""]
    are_written = any(collection.is_written for collection in translation.collections)
    lines.append("collections:" if are_written else "# collections:")
    for collection in translation.collections:
        if collection.is_written and translation.attributes and collection.attributes:
            collection.attributes = translation.attributes | collection.attributes
        mark = "" if collection.is_written else "# "
        if mark:
            why = collection.why_off or "none of its fields has a counterpart"
            lines.append(f"  # '{collection.name}' is not written: {why}")
        lines += [f"  {mark}{line}" for line in collection_lines(collection)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def summary(translation: Translation) -> list[str]:
    counts = translation.counts()
    said = ", ".join(f"{number} {words}" for words, number in counts.items())
    made = [f"{translation.name}: {counted(sum(counts.values()), 'line')}: {said}"]
    made += [f"fill in {name}: {what}" for name, what in translation.to_fill_in.items()]
    return made + [f"look at this: {warning}" for warning in translation.warnings]


def report(translation: Translation) -> dict[str, Any]:
    """For a program."""
    lines = [
        {"line": line.place, "text": line.text, "fate": line.fate.words, "remarks": line.remarks}
        for line in translation.all_lines()
    ]
    fates = {words.replace(" ", "_"): number for words, number in translation.counts().items()}
    to_do = {"to_fill_in": translation.to_fill_in, "warnings": translation.warnings}
    return {"of": translation.of, **fates, **to_do, "lines": lines}
