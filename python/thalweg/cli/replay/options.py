"""Options of replay and convert that speak of the configuration."""

from __future__ import annotations

from thalweg.cli.arguments import hint, names_of
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.replay.holding import readable_formats
from thalweg.cli.replay.job import COLLECTION
from thalweg.data import Dataset


def formats_of(text: str, dataset: Dataset) -> list[str]:
    """Without any that is said it is the file's own."""
    if not text:
        return [dataset.kind]
    known = readable_formats()
    wanted = list(known) if text == "all" else names_of(text)
    for name in wanted:
        if name not in known:
            raise Failure(Exit.USAGE, f"--format: '{name}' is none that can be compared; {hint(name, known)}")
    return wanted


def cuts_of(texts: list[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(names_of(text)) for text in texts)


def settings_of(texts: list[str], writers: str, **shorts: str) -> dict[str, str]:
    """Keys of the configuration: of the collection for the short options, whole ones for --set."""
    found = {f"collections.{COLLECTION}.{name}": value for name, value in shorts.items() if value}
    if writers:
        found["writers"] = writers
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise Failure(Exit.USAGE, f"--set '{text}': write KEY=VALUE, such as 'staging=512 MiB'")
        found[key.strip()] = value.strip()
    return found


def layout_text(text: str) -> str:
    """ "4,1" as a list of YAML."""
    return text if not text or text.startswith("[") or text == "auto" else f"[{text}]"
