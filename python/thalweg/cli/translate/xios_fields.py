"""XIOS's fields: what a field of a file comes of, by references and expressions, as an expression of Thalweg."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from thalweg.cli.guess import seconds_text
from thalweg.cli.translate.xios_tree import DEEPEST, Element, Tree, duration, inherited, interval, is_true, seconds

OPERATIONS = {"average": "mean", "instant": "instant", "maximum": "max", "minimum": "min", "accumulate": "sum",
              "once": "once"}  # fmt: skip
FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "log10", "sqrt")
GRIDS = ("grid_ref", "domain_ref", "axis_ref", "scalar_ref")
NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?"
TOKEN = re.compile(rf"\s*(?:(?P<number>{NUMBER})|(?P<name>@?[A-Za-z_][\w]*)|(?P<variable>\$\w+)|(?P<sign>.))")


class NotThere(Exception):
    """Says what of a field has no counterpart."""


@dataclass
class Expanded:
    text: str
    is_name: bool = False
    has_samples: bool = False  # fields of a step, outside of operations
    intervals: set[str] = field(default_factory=set)  # those of operations; empty text: the file's
    looks_for_missing: bool = True

    @property
    def operand(self) -> str:
        return self.text if self.is_name or re.fullmatch(r"[\w.]+|\w+\([^()]*\)", self.text) else f"({self.text})"


@dataclass
class Fields:
    """Those of all definitions, by their ids."""

    by_id: dict[str, Element] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    step: int | None = None  # seconds
    are_defined: bool = False

    @classmethod
    def of(cls, tree: Tree) -> Fields:
        made = cls()
        for element in tree.elements("field"):
            if "id" in element.attributes:
                made.by_id.setdefault(element.attributes["id"].strip(), element)
        for element in tree.elements("variable"):
            if "id" in element.attributes:
                made.variables[element.attributes["id"].strip()] = element.text
        for element in tree.elements("calendar"):
            made.step = seconds(element.own("timestep"))
        definitions = [found for found in tree.elements("field_definition") if found.children]
        made.are_defined = bool(definitions)
        return made

    def referenced(self, element: Element) -> Element | None:
        reference = element.own("field_ref")
        if reference is None:
            return None
        found = self.by_id.get(reference)
        if found is None and self.are_defined:
            raise NotThere(f"no definition has a field '{reference}'")
        return found if found is not element else None

    def attribute(self, element: Element, name: str, depth: int = 0) -> str | None:
        """Its own, of its groups, then of the field that it refers to."""
        value = inherited(element, name)
        if value is not None or element.own(name) == "_reset_" or depth > DEEPEST:
            return value
        found = self.referenced(element)
        return self.attribute(found, name, depth + 1) if found is not None else None

    def grid(self, element: Element) -> str:
        return " ".join(self.attribute(element, name) or "" for name in GRIDS).strip()

    def value(self, element: Element, depth: int = 0) -> Expanded:
        """What it has in a step, of the fields that the model sends."""
        if depth > DEEPEST:
            raise NotThere("it refers to itself")
        text = element.own("expr") or element.text
        if text:
            return self.expanded(element, text, depth)
        if element.own("field_ref") is None:
            if not name_of(element):
                raise NotThere("it has no id, and no field_ref")
            looks = is_true(self.attribute(element, "detect_missing_value"), False)
            return Expanded(name_of(element), is_name=True, has_samples=True, looks_for_missing=looks)
        found = self.referenced(element)
        if found is None:
            return Expanded(element.own("field_ref") or "", is_name=True, has_samples=True)
        self.check_grid(element, found)
        return self.value(found, depth + 1)

    def check_grid(self, element: Element, found: Element) -> None:
        """A reference with another grid is a transformation."""
        for name in GRIDS:
            wanted = inherited(element, name)
            if wanted is not None and wanted != self.attribute(found, name) and self.grid(found):
                raise NotThere(
                    f"on another grid ({name}={wanted}): say a part of it by 'region', what columns come to by "
                    "'vertical', or 'grid' with a file of weights"
                )

    def operand(self, element: Element, name: str, depth: int) -> Expanded:
        """XIOS takes operands on one grid only, so theirs need no look."""
        is_reduced = name.startswith("@")
        name = name.removeprefix("@")
        found = self.referenced(element) if name == "this" else self.by_id.get(name)
        if found is None and name != "this" and self.are_defined:
            raise NotThere(f"no definition has a field '{name}'")
        if found is None:
            sent = element.own("field_ref") or name_of(element) if name == "this" else name
            made = Expanded(sent, is_name=True, has_samples=True)
        else:
            if name == "this":
                self.check_grid(element, found)
            made = self.value(found, depth + 1)
        operation = (found and self.attribute(found, "operation")) or "average"
        return self.reduced(element, made, operation) if is_reduced else made

    def reduced(self, element: Element, made: Expanded, operation: str) -> Expanded:
        """Over the sampling interval of the field in whose expression it is; of one step nothing is gathered."""
        sampling = self.attribute(element, "freq_op")
        is_instant = (self.attribute(element, "operation") or "").lower() == "instant"
        if self.is_step(sampling) and not (sampling is None and is_instant):
            return made
        ours = OPERATIONS.get(operation.lower(), "")
        if made.intervals:
            raise NotThere("an operation within another one is not there yet")
        if ours in ("", "instant", "once"):
            raise NotThere(f"'{operation}' within an expression is not there")
        return Expanded(f"{ours}({made.text})", intervals={sampling or ""}, looks_for_missing=made.looks_for_missing)

    def sample_offset(self, element: Element, sampling: str) -> str:
        """XIOS's first sample is a step behind the offset from the start; without one it ends the first interval."""
        said = self.attribute(element, "freq_offset")
        if said is None:
            return ""
        behind, sample = seconds(said, self.step), seconds(sampling, self.step)
        if behind is None or not sample or self.step is None:
            raise NotThere(f"freq_offset='{said}' of freq_op='{sampling}', without a time-step and lengths in seconds")
        left = (behind + self.step) % sample
        return seconds_text(left) if left else ""

    def is_step(self, sampling: str | None) -> bool:
        return sampling is None or duration(sampling) == [(1, "ts")] or seconds(sampling) == self.step is not None

    def expanded(self, element: Element, text: str, depth: int) -> Expanded:
        made = Expanded("")
        position = 0
        while match := TOKEN.match(text, position):
            position = match.end()
            is_call = text[position:].lstrip().startswith("(")
            if match["number"]:
                made.text += re.sub("[dD]", "e", match["number"])
            elif match["variable"]:
                made.text += self.constant(match["variable"][1:])
            elif match["name"] and is_call:
                made.text += function(match["name"])
            elif match["name"]:
                part = self.operand(element, match["name"], depth)
                made.has_samples |= part.has_samples
                made.intervals |= part.intervals
                made.looks_for_missing &= part.looks_for_missing
                made.text += part.operand
            else:
                made.text += sign(match["sign"], text)
        made.text = " ".join(made.text.split())
        return made

    def constant(self, name: str) -> str:
        value = self.variables.get(name, "").replace("d", "e")
        if not re.fullmatch(rf"-?{NUMBER}", value):
            raise NotThere(f"no definition has a number '${name}'; --with the file that has it")
        return f"({value})" if value.startswith("-") else value


def function(name: str) -> str:
    if name == "neg":
        return "-"
    if name not in FUNCTIONS:
        raise NotThere(f"the function '{name}' is not there")
    return name


def sign(text: str, whole: str) -> str:
    if text not in "+-*/^()?:<>=! ":
        raise NotThere(f"'{text}' in the expression '{whole}' is not understood")
    return f" {text} " if text in "+-*/" else text


def name_of(element: Element) -> str:
    return (element.own("id") or element.own("name") or "").strip()


@dataclass
class Meaning:
    """Of a field of a file."""

    source: str = ""
    expression: str = ""
    operation: str = ""
    looks_for_missing: bool = True
    sample: str = ""
    sample_offset: str = ""


def meaning_of(fields: Fields, element: Element, output: str) -> Meaning:
    """Raises NotThere."""
    said = fields.attribute(element, "operation") or "average"
    operation = OPERATIONS.get(said.lower())
    if operation is None:
        raise NotThere(f"'{said}' is no operation")
    value = fields.value(element)
    looks = is_true(inherited(element, "detect_missing_value"), value.looks_for_missing)
    sampling = fields.attribute(element, "freq_op")
    if value.intervals:
        if value.has_samples:
            raise NotThere("operations over intervals and values of a step in one expression")
        for interval in value.intervals:
            if interval and not is_same(interval, output):
                raise NotThere(f"an operation over {interval} within one over {output} is not there yet")
        return Meaning("", value.text, "", looks)
    sample, offset = "", ""
    if sampling is not None and not fields.is_step(sampling):
        if operation == "instant":
            require_whole(sampling, output)
        elif operation != "once":
            sample, offset = sample_of(sampling), fields.sample_offset(element, sampling)
    if value.is_name:
        return Meaning(value.text, "", operation, looks, sample, offset)
    return Meaning("", value.text, operation, looks, sample, offset)


def require_whole(sampling: str, output: str) -> None:
    """The last sample of an interval is that of its end where one divides the other."""
    if is_same(sampling, output):
        return
    part, whole = seconds(sampling), seconds(output)
    if not part or not whole or whole % part != 0:
        raise NotThere(f"an instant sampled each {sampling} (freq_op), which does not divide {output}, is not there")


def sample_of(sampling: str) -> str:
    length = seconds(sampling)
    if said := interval(sampling) or (seconds_text(length) if length and length > 0 else ""):
        return said
    raise NotThere(f"freq_op='{sampling}' is not one interval")


def is_same(one: str, other: str) -> bool:
    return duration(one) == duration(other) or seconds(one) == seconds(other) is not None
