# ctest: SHORT LABELS cli TIMEOUT 60
"""What `thalweg report` refuses."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from support import run_reports
from support.command import refused, thalweg, use_programs
from support.run_reports import collection, rank, thread

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[1]", "JSON of something else"),
        ("{}", "does not say 'thalweg_profile'"),
        ('{"thalweg_profile": 3, "ranks": [{}]}', "of version 3; this command knows version 1 and 2"),
        ('{"thalweg_profile": 1, "ranks": []}', "it has no ranks"),
        ('{"thalweg_profile": 1, "ranks": [{"rank": 0}]}', "KeyError 'is_server'"),
        ('{"thalweg_profile": 1, "ranks": [{"rank": "a"}]}', "'ranks[0].rank' is 'a', and no number"),
        ('{"thalweg_profile": 1, "ranks": [{"rank": NaN}]}', "'ranks[0].rank' is nan, and no number"),
        ('{"thalweg_profile": 1, "ranks": [{"fields": [{"name": 5}]}]}', "'ranks[0].fields[0].name' is 5, and no text"),
        ('{"thalweg_profile": 1, "settings": 7, "ranks": [{"rank": 0}]}', "'settings' is 7, and no list"),
    ],
)
def test_what_is_no_profile_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "profile.json"
    path.write_text(content)
    told = refused(3, "report", path)
    assert words in told and str(path) in told


def test_what_a_page_cannot_show_is_refused(tmp_path: Path) -> None:
    path = run_reports.profile(tmp_path, [rank(0, collections=[collection("h", written_files=[{"file": "a"}])])])
    assert "is no whole profile: KeyError 'records'" in refused(3, "report", path)
    part = {"file": "a", "records": 1, "write_s": 1.0}
    path = run_reports.profile(tmp_path, [rank(0, collections=[collection("h", written_files=[part])])])
    assert "is no whole profile or time line: TypeError" in refused(3, "report", path)


def test_what_is_no_time_line_is_refused(tmp_path: Path) -> None:
    path = run_reports.profile(tmp_path, [rank(0)])
    event = {"ph": "X", "pid": 0, "tid": 0, "name": "put", "ts": 0, "dur": 1}
    for content, words in (
        ({}, "no time line"),
        ({"traceEvents": [{}]}, "KeyError 'ph'"),
        ({"traceEvents": [{**event, "name": 5}]}, "'name' is 5, and no text"),
        ({"traceEvents": [{**event, "args": [1]}]}, "'args' is [1], and no map"),
        ({"traceEvents": [], "ranks": [5]}, "TypeError"),
        ({"traceEvents": [{**event, "ts": math.nan}], "ranks": [run_reports.of_rank(0, [thread("t")])]}, "cannot be"),
    ):
        (tmp_path / "line.json").write_text(json.dumps(content and {"thalweg_time_line": 1, **content}))
        assert words in refused(3, "report", path, "--time-line", tmp_path / "line.json")


def test_a_folder_has_to_have_one_profile(tmp_path: Path) -> None:
    assert "has no profile" in refused(3, "report", tmp_path)
    assert "there is no such file" in refused(3, "report", tmp_path / "missing")
    for name in ("a.json", "b.json"):
        run_reports.profile(tmp_path, [rank(0)], name=name)
    assert "has 2 profiles ('a.json', 'b.json'); name one" in refused(3, "report", tmp_path)


def test_a_page_replaces_only_a_page(tmp_path: Path) -> None:
    path = run_reports.profile(tmp_path, [rank(0)])
    assert [thalweg("report", path).code for _ in range(2)] == [0, 0]
    assert "1 client, 0 servers, 0 writers on 1 node<" in (tmp_path / "profile.html").read_text()
    assert "is no page, so it is not replaced" in refused(3, "report", path, "--output", path)
    os.mkfifo(tmp_path / "pipe")
    assert "pipe' is a pipe, and no ordinary file" in refused(3, "report", path, "--output", tmp_path / "pipe")
    assert json.loads(path.read_text())["thalweg_profile"] == 2
