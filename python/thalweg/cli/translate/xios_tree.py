"""XIOS's XML files: elements with what they include by 'src', and what they inherit from groups and by reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.translate.model import Line, interval_text
from thalweg.cli.translate.sources import Source, read_source

DEEPEST = 50  # of includes and of references, beyond which they run in a circle
UNITS = {"y": "year", "mo": "month", "d": "d", "h": "h", "mi": "min", "s": "s", "ts": "step"}
NOT_INHERITED = ("id", "name_suffix", "src", "field_ref", "group_ref", "file_ref", "expr")


@dataclass(eq=False)
class Element:
    tag: str
    attributes: dict[str, str]
    place: str
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()

    def line(self) -> Line:
        said = " ".join(f'{name}="{value}"' for name, value in self.attributes.items())
        return Line(self.place, f"<{self.tag} {said}".rstrip() + f"> {self.text}".rstrip())

    def own(self, name: str) -> str | None:
        """None: it is not said, or '_reset_' says that nothing is inherited."""
        value = self.attributes.get(name)
        return value.strip() if value is not None else None


MOST_DEEP = 100


def parse(source: Source) -> Element:
    """The root, with the place of each element."""
    parser = expat.ParserCreate()
    top = Element("", {}, "")
    open_elements = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > MOST_DEEP:
            place = source.place(parser.CurrentLineNumber)
            raise Failure(
                Exit.INPUT, f"'{source.path}': more than {MOST_DEEP} elements lie in each other, line {place}"
            )
        made = Element(tag, attributes, source.place(parser.CurrentLineNumber), open_elements[-1])
        made.parent = open_elements[-1] if open_elements[-1] is not top else None
        open_elements[-1].children.append(made)
        open_elements.append(made)

    def text(data: str) -> None:
        open_elements[-1].text += data

    def end(_tag: str) -> None:
        closed = open_elements.pop()
        closed.text = " ".join(closed.text.split())

    parser.StartElementHandler, parser.CharacterDataHandler, parser.EndElementHandler = start, text, end
    try:
        parser.Parse(source.text.lstrip(), True)
    except expat.ExpatError as fault:
        raise Failure(Exit.INPUT, f"'{source.path}' is no XML: {fault}") from None
    return top.children[0]


@dataclass
class Tree:
    """All files together."""

    sources: list[Source]
    lacking: list[Line] = field(default_factory=list)  # files that are included and not there
    roots: list[Element] = field(default_factory=list)

    def read(self) -> None:
        given = {source.path.name: source for source in self.sources}
        included: set[str] = set()
        self.roots = [parse(source) for source in self.sources]
        for source, root in zip(self.sources, self.roots, strict=True):
            self.include(root, source.path.parent, given, included, 0)
        # What another one includes is not there twice.
        pairs = zip(self.sources, self.roots, strict=True)
        self.roots = [root for source, root in pairs if source.path.name not in included]

    def include(self, root: Element, folder: Path, given: dict[str, Source], included: set[str], depth: int) -> None:
        for element in list(root.walk()):
            name = element.attributes.get("src", "").strip()
            if not name:
                continue
            path = folder / name
            if depth > DEEPEST:
                raise Failure(Exit.INPUT, f"'{path}' is included in a circle; line {element.place}")
            source = given.get(path.name)
            if source is None and path.is_file():
                source = read_source(path)
                source.is_alone = False
            if source is None:
                line = element.line()
                if element.tag.startswith(("field", "file", "context", "variable")):
                    line.lacks(f"'{path}' does not exist; --with says where it is")
                    self.lacking.append(line)
                continue
            included.add(path.name)
            found = parse(source)
            self.include(found, path.parent, given, included, depth + 1)
            adopt(element, found)

    def elements(self, *tags: str) -> Iterator[Element]:
        for root in self.roots:
            yield from (element for element in root.walk() if element.tag in tags)


def adopt(element: Element, found: Element) -> None:
    """What stands in the including file prevails."""
    element.attributes = found.attributes | element.attributes
    for child in found.children:
        child.parent = element
    element.children += found.children


def inherited(element: Element, name: str) -> str | None:
    """Its own, or that of the groups around it; a file is none of a field's."""
    at: Element | None = element
    family = element.tag.partition("_")[0]
    while at is not None and at.tag.partition("_")[0] == family:
        value = at.own(name) if at is element or name not in NOT_INHERITED else None
        if value is not None:
            return None if value == "_reset_" else value
        at = at.parent
    return None


def is_true(text: str | None, fallback: bool) -> bool:
    return fallback if text is None else text.strip(". ").lower() in ("true", "t", "1", "yes")


def duration(text: str | None) -> list[tuple[int, str]]:
    """'3h-60mi' -> its parts; nothing where it is none."""
    said = (text or "").replace(" ", "")
    parts = re.findall(r"([+-]?\d{1,15}(?:\.0*)?)(y|mo|d|h|mi|s|ts)(?![a-z])", said)
    if "".join(number + unit for number, unit in parts) != said:
        return []
    return [(int(float(number)), unit) for number, unit in parts]


def interval(text: str | None) -> str:
    """As Thalweg says it; '' where it is not one number of one unit, above 0."""
    parts = duration(text)
    return interval_text(parts[0][0], UNITS[parts[0][1]]) if len(parts) == 1 and parts[0][0] > 0 else ""


def seconds(text: str | None, step: int | None = None) -> int | None:
    """None: none that is always as long, or in steps whose length is not known."""
    sizes = {"d": 86400, "h": 3600, "mi": 60, "s": 1} | ({"ts": step} if step is not None else {})
    parts = duration(text)
    return sum(number * sizes[unit] for number, unit in parts) if parts and all(u in sizes for _, u in parts) else None
