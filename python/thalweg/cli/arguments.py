"""Texts of arguments that several commands have."""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Iterable
from pathlib import Path

from thalweg.cli.exit import Exit, Failure

UNITS = {"": 1, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


class MemorySize:
    """Bytes, as the configuration has them: "64 MiB", "100 kB"."""

    @staticmethod
    def parse(text: str) -> int:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
        if match is None or match[2] not in UNITS:
            raise Failure(Exit.USAGE, f"--memory: '{text}' is no size; write one such as '64 MiB' or '2 GB'")
        size = int(float(match[1]) * UNITS[match[2]])
        if size < 1 << 20:
            raise Failure(Exit.USAGE, f"--memory: '{text}' is less than 1 MiB")
        return size


def require_finite(option: str, value: float | None) -> None:
    if value is not None and not math.isfinite(value):
        raise Failure(Exit.USAGE, f"{option}: '{value}' is no number that can be used; write one such as 0.5 or 600")


def names_of(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def hint(name: str, known: Iterable[str]) -> str:
    """The names nearest to one that is not known, or all of them."""
    candidates = list(known)
    near = difflib.get_close_matches(name, candidates, n=3)
    if near:
        return "did you mean " + " or ".join(f"'{one}'" for one in near) + "?"
    few = ", ".join(candidates[:20])
    return f"known are: {few}{', …' if len(candidates) > 20 else ''}" if candidates else "there are none"


def chosen(wanted: list[str], known: Iterable[str], where: str) -> list[str]:
    """The names that are wanted, or all; one that is not known is an error."""
    candidates = list(known)
    for name in wanted:
        if name not in candidates:
            raise Failure(Exit.INPUT, f"the variable '{name}' is not in {where}; {hint(name, candidates)}")
    return wanted or candidates


def make_folder(path: Path, option: str) -> None:
    """The folder that an option names, with those above it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        reason = os.strerror(fault.errno or 0)
        raise Failure(Exit.INPUT, f"{option} '{path}': no folder can be made there: {reason}") from None
