"""Options of replay and convert that speak of the configuration."""

from __future__ import annotations

from collections.abc import Mapping

from thalweg.cli.arguments import hint, names_of
from thalweg.cli.compression import codec_of, encoding_of, unknown_filters
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.replay.holding import readable_formats
from thalweg.cli.replay.job import COLLECTION
from thalweg.cli.replay.plan import Plan
from thalweg.data import Dataset
from thalweg.data.core import formats


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


def says_compression(settings: Mapping[str, str]) -> bool:
    return any(key.startswith(f"collections.{COLLECTION}.compression") for key in settings)


def kept_compression(plan: Plan, format_name: str) -> tuple[dict[str, str], list[str]]:
    """How each variable is compressed in the source, where the format can do the same, and notes of where it cannot."""
    codecs = formats()[format_name].codecs
    kept: dict[str, str] = {}
    lost: dict[str, list[str]] = {}
    for variable in (planned.source for planned in plan.variables):
        codec, encoding = codec_of(variable), encoding_of(variable)
        others = unknown_filters(variable)
        if codec is not None and codec not in codecs:
            others.append(codec)
        elif encoding.keys and codecs:
            kept[variable.name] = encoding.text
        if others:
            lost.setdefault(", ".join(others), []).append(f"'{variable.name}'")
    has = f"{format_name} has {', '.join(codecs) or 'no compression'}"
    return kept, [f"not kept: {filters} of {', '.join(names)}; {has}" for filters, names in lost.items()]


def layout_text(text: str) -> str:
    """ "4,1" as a list of YAML."""
    return text if not text or text.startswith("[") or text == "auto" else f"[{text}]"
