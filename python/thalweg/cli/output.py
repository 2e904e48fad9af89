"""What a command says: text, with colours where a terminal shows it, or JSON for a program.

Rich is imported where a terminal is: that takes longer than all else of a command, and each rank would do it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, TextIO

import numpy as np


class ReaderGone(Exception):
    """Whoever read the output has enough of it. (The frame below takes a BrokenPipeError for a failure.)"""


def show(terminal: TextIO, line: str, style: str) -> None:
    from rich.console import Console
    from rich.text import Text

    Console(file=terminal).print(Text(line, style), soft_wrap=True)


def say(line: str = "", style: str = "") -> None:
    """A line on standard output. Nothing in it is markup, and it is never wrapped."""
    try:
        if sys.stdout.isatty():
            show(sys.stdout, line, style)
        else:
            print(line)
    except BrokenPipeError:
        raise ReaderGone from None


def complain(line: str) -> None:
    """A line on standard error."""
    sys.stdout.flush()
    if sys.stderr.isatty():
        show(sys.stderr, line, "bold red")
    else:
        print(line, file=sys.stderr)


def plain(value: Any) -> Any:
    """What JSON has no form of, in one that it has."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Path):
        return str(value)
    return str(value)


def without_nan(value: Any) -> Any:
    """JSON has no NaN and no infinities: they become words."""
    if isinstance(value, np.generic | np.ndarray):
        return without_nan(plain(value))
    if isinstance(value, float) and not np.isfinite(value):
        return "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {str(key): without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return value


def say_json(value: Any) -> None:
    say(json.dumps(without_nan(value), indent=2, default=plain, ensure_ascii=False, allow_nan=False))


@contextmanager
def progress(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing elsewhere. The function that it gives says how much more is done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(text, total=max(total, 1))
        yield lambda done: bar.advance(task, done)


def bytes_text(count: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            break
        count /= 1024
    return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 file", "2 files"."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
