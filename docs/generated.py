"""What a page says about the program is made by the program when the site is built, so that it cannot go stale: a
comment in the page stands for it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx

SOURCE = Path(__file__).parent.parent


def said_by(*words: str) -> str:
    """What a Python program writes to its standard output; a failure ends the building of the site."""
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=SOURCE, text=True, check=True, stdout=subprocess.PIPE).stdout


def options() -> str:
    """Of all commands, as typer shows them. The exit codes, which stand under each, are said once."""
    text = said_by("typer", "thalweg.cli.app", "utils", "docs", "--name", "thalweg")
    first, *others = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    without_title = first[: first.index("**Commands**")].partition("\n")[2]
    return without_title + re.sub(r"^Exit codes:.*\n", "", "".join(others), flags=re.MULTILINE)


def changes() -> str:
    """What the next release brings, of the fragments in docs/changes."""
    return said_by("towncrier", "build", "--draft", "--version", "To come", "--date", "not released")


PARTS = {"<!-- options of all commands -->": options, "<!-- changes that are not released -->": changes}


def fill_in(_: Sphinx, name: str, page: list[str]) -> None:
    if name.startswith("decisions/0"):  # so many would fill the bar at the side; a page has them all
        page[0] = f"---\norphan: true\n---\n{page[0]}"
    for mark, made in PARTS.items():
        if mark in page[0]:
            page[0] = page[0].replace(mark, made())


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True}
