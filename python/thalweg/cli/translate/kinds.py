"""Which system a configuration is of, as its content says, and its translation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.translate import fms_text, fms_yaml, history, xios
from thalweg.cli.translate.model import Translation
from thalweg.cli.translate.sources import Source, read_source


@dataclass(frozen=True)
class Kind:
    name: str
    is_it: Callable[[str], bool]
    read: Callable[[list[Source]], Translation]


KINDS = (
    Kind("file_def.xml", xios.is_xios, xios.read),
    Kind("HISTORY.rc", history.is_history, history.read),
    Kind("diag_table.yaml", fms_yaml.is_table, fms_yaml.read),
    Kind("diag_table", fms_text.is_table, fms_text.read),
)


def kind_of(text: str) -> Kind | None:
    return next((kind for kind in KINDS if kind.is_it(text)), None)


def translated(path: Path, more: list[Path]) -> Translation | None:
    """None: it is of none of these."""
    source = read_source(path)
    kind = kind_of(source.text)
    if kind is None:
        return None
    sources = [source, *(read_source(one) for one in more)]
    for one in sources:
        one.is_alone = len(sources) == 1
        if kind_of(one.text) is not kind:
            raise Failure(Exit.INPUT, f"'{one.path}' is no {kind.name}, as '{path}' is one")
    return kind.read(sources)
