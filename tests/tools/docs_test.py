# ctest: TIMEOUT 120
"""The site of the documentation can be made, and what its pages show is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import mpi

DOCS = mpi.SOURCE / "docs"
# Fragments of the page of changes are no pages.
PAGES = sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "changes")


def build(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", folder / "doctrees", DOCS,
         folder / "html"],
        env=os.environ | {"PYTHONPATH": str(mpi.BUILD / "python")},
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_site_has_every_page_and_what_it_shows(tmp_path: Path) -> None:
    build(tmp_path)
    pages = {path.relative_to(DOCS).with_suffix("") for path in PAGES}
    made = {path.relative_to(tmp_path / "html").with_suffix("") for path in (tmp_path / "html").rglob("*.html")}
    assert pages <= made
    for page, text in {"start/fortran": "thw_put", "start/c": "thalweg_put", "start/python": "history"}.items():
        assert text in (tmp_path / "html" / f"{page}.html").read_text()
    python = (tmp_path / "html" / "reference" / "python.html").read_text()
    for name in ("thalweg.start", "thalweg.Session.advance", "thalweg.Collection.put", "thalweg.Code"):
        assert f'id="{name}"' in python
    options = (tmp_path / "html" / "reference" / "command.html").read_text()
    for word in ('id="thalweg-verify"', "--rtol", 'id="thalweg-doctor"', "--limit", 'id="thalweg-convert"', "--force"):
        assert word in options
    (_, changes) = (tmp_path / "html" / "changelog.html").read_text().split("<h3>Added", 1)
    for fragment in (DOCS / "changes").glob("*.md"):
        assert " ".join(fragment.read_text().split()[:2]) in changes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_readme_is_short_and_so_are_its_sentences() -> None:
    text = (mpi.SOURCE / "README.md").read_text()
    assert len(text.splitlines()) <= 110
    text = re.sub(r"```.*?```|^\|.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    for paragraph in re.split(r"\n\s*\n|\n- ", text):
        for sentence in re.split(r"(?<=[.:?!])\s+", " ".join(paragraph.split())):
            assert len(sentence.split()) <= 40, sentence


def test_the_list_of_decisions_has_all() -> None:
    listed = re.findall(r"^(\d+)\. \[(.*)\]\((.*)\)$", (DOCS / "decisions" / "README.md").read_text(), re.MULTILINE)
    there = {path.name: path.read_text().splitlines()[0] for path in (DOCS / "decisions").glob("0*.md")}
    assert {name: f"# {number}. {title}" for number, title, name in listed} == there


KEYS = re.compile(r"\| `([a-zA-Z.-]+)` \|")


def test_keys_that_the_table_of_other_systems_names_exist() -> None:
    known = set(KEYS.findall((DOCS / "configuration.md").read_text()))
    words = {part for key in known for part in key.split(".")}
    for line in (DOCS / "moving.md").read_text().splitlines():
        cells = line.split("|")
        if len(cells) < 4:
            continue
        for key in re.findall(r"`([a-z][a-z-]+):", cells[2]):
            assert key in words, f"'{key}' in: {line}"
