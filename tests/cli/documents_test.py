# ctest: SHORT LABELS cli TIMEOUT 60
"""What the documents say of keys, values and options is what the programs take."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from support import mpi
from support.command import thalweg
from thalweg.cli.app import app

DOCS = mpi.SOURCE / "docs"
PAGES = [
    mpi.SOURCE / "README.md",
    *(page for page in DOCS.rglob("*.md") if page.parent.name not in ("changes", "decisions")),
    *(mpi.SOURCE / "examples").rglob("*.md"),
]
KEYS = re.findall(r"^\| `([a-zA-Z.-]+)` \|", (DOCS / "configuration.md").read_text(), re.MULTILINE)
# Numbers of a launch or a grid that a page calls by a letter.
LETTER = re.compile(r"(?<![\w-])(n\d?|N|nx|ny|…)(?![\w-])")
NO_KEYS = {"abi", "release", "daily", "reduction"}  # of C, of Spack, an anchor of YAML, of another library


def said() -> dict[str, set[str]]:
    """By `key: value`: the pages that say it."""
    found: dict[str, set[str]] = {}
    for page in PAGES:
        for key, value in re.findall(r"`([a-z][a-z-]+): ([^`\n]+)`", page.read_text()):
            if key not in NO_KEYS:
                numbers = re.sub(r"2\+2\+2", "6", LETTER.sub("2", value))
                found.setdefault(f"{key}: {numbers}", set()).add(page.name)
    return found


def test_pictures_that_pages_show_are_there() -> None:
    shown = [(page, name) for page in PAGES for name in re.findall(r"!\[[^]]+\]\(([^)#:]+)\)", page.read_text())]
    assert any(name.endswith("report-demo.png") for _, name in shown)
    assert not [(page.name, name) for page, name in shown if not (page.parent / name).is_file()]


# What a key may need beside it, by the level at which that stands.
BESIDE: tuple[dict[str, str], ...] = (
    {},
    {"NAME": "file: '%Y%m%d%H', format: zarr, "},
    {"NAME": "format: cdf5, "},
    {"NAME": "file: a.%n.nc, "},
    {"NAME": "format: cdf5, engine: library, "},
    {"NAME": "fields: [temp], "},
    {"NAME": "fields: [temp], every: 1 d, "},
    {"NAME": "fields: [temp], operation: mean, "},
    {"NAME": "fields: [temp], operation: mean, every: 6 h, "},
    {"NAME": "fields: [temp], operation: mean, every: 6 h, sample: 3 h, "},
    {"nodes": "count: 3, "},
    {"writers": "ranks: 2, "},
)


def settings_with(entry: str) -> Iterator[str]:
    """Wherever a key of this name may stand."""
    for path in KEYS:
        *above, key = path.split(".")
        for beside in BESIDE if key == entry.partition(":")[0] else ():
            text = entry
            for name in reversed(above):
                text = f"{name}: {{{beside.get(name, '')}{text}}}"
            yield text


def is_accepted(yaml: str, folder: Path) -> bool:
    (folder / "said.yaml").write_text(f"{yaml}\n" if yaml.startswith("time-step") else f"time-step: 1 h\n{yaml}\n")
    command = [mpi.program("thalweg-check"), folder / "said.yaml"]
    return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0


SAID = said()


@pytest.mark.parametrize("entry", SAID)
def test_a_key_with_a_value_is_accepted(tmp_path: Path, entry: str) -> None:
    assert any(is_accepted(yaml, tmp_path) for yaml in settings_with(entry)), f"'{entry}' in {SAID[entry]}"


def options() -> dict[str, set[str]]:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return {
        name: {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        for name, command in commands.items()
    }


def test_options_of_the_command_exist() -> None:
    known, seen = options(), 0
    for page in PAGES:
        for name, words in re.findall(r"thalweg ([a-z]+)((?: [^`|\n]*)?)", page.read_text()):
            if name not in known:
                continue
            own = words.split(" -- ")[0]
            for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", own):
                assert option in known[name] | {"--help"}, f"thalweg {name} {option}, in {page.name}"
                seen += 1
    assert seen > 10


def test_the_page_of_the_command_names_no_option_that_is_none() -> None:
    every = set().union(*options().values()) | {"--debug", "--install-completion", "--help", "--version", "--copy"}
    for option in re.findall(r"`(--[a-z][a-z-]*)", (DOCS / "command.md").read_text()):
        assert option in every, option


def test_a_wrong_value_is_not_accepted(tmp_path: Path) -> None:
    for entry in ("format: netcdf5", "patern: single", "writers: {threads: 2}"):
        assert not any(is_accepted(yaml, tmp_path) for yaml in settings_with(entry)), entry
    assert thalweg("check", tmp_path / "said.yaml").code == 3
