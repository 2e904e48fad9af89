# ctest: SHORT LABELS cli TIMEOUT 120
"""What `thalweg watch` finds in a folder that is no status, or one that cannot be."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import pytest
from support.command import refused, thalweg, use_programs, without_root
from support.statuses import AT, collection, model, status, write
from thalweg.watch import run
from thalweg.watch import status as reading

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


def watched(folder: Path) -> dict[str, Any]:
    return run.made_of(reading.look(folder, AT))


BAD = {
    "empty.json": (b"", "no whole JSON"),
    "cut.json": (b'{"thalweg_status":1,"version":"0', "no whole JSON"),
    "deep.json": (b"[" * 100_000, "no whole JSON"),
    "bytes.json": (b"\xff\xfe\0", "no whole JSON"),
    "list.json": (b"[1]", "it is no status"),
    "profile.json": (b'{"thalweg_profile": 1}', "it is no status"),
    "later.json": (b'{"thalweg_status": 2}', "version 2"),
    "little.json": (b'{"thalweg_status": 1}', "does not say 'version'"),
}


def test_what_is_no_status_is_named_and_left_out(tmp_path: Path) -> None:
    write(tmp_path, "ocean.0.json", status())
    for name, (content, _) in BAD.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "ocean.1.json.new").write_text('{"thalweg_status"')
    made = watched(tmp_path)
    assert len(made["runs"]) == 1
    why = {Path(one["file"]).name: one["why"] for one in made["skipped"]}
    assert set(why) == {*BAD, "folder.json"}
    for name, (_, words) in BAD.items():
        assert words in why[name]
    assert (
        "'cut.json' is left out: it is no whole JSON".replace("'cut", f"'{tmp_path}/cut")
        in thalweg("watch", "--once", tmp_path).out
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rank", "0"),
        ("rank", True),
        ("written", None),
        ("written", 10**400),
        ("written", math.nan),
        ("started", -math.inf),
        ("pid", 2**63),
        ("pid", -1),
        ("bytes_per_s", -1.0),
        ("ranks", 0),
        ("model", model(steps=-1)),
        ("collections", [collection("h", committed=-3)]),
        ("collections", [collection("h", blocks={"total": 4, "free": 5})]),
        ("bytes_per_s", 10**30),
        ("configuration", "\ud800.yaml"),
        ("error", "half a character: \udc00"),
        ("wait", {"rank": 1, "for": "\ud83d", "since": 0}),
        ("finished", 1),
        ("collections", [1]),
        ("collections", [collection("h", blocks={"total": 1})]),
        ("collections", [collection("h", committed="2")]),
        ("model", model(first={"at": 1.0})),
        ("wait", {"rank": 1}),
    ],
)
def test_a_value_of_another_kind_is_no_status(tmp_path: Path, key: str, value: object) -> None:
    write(tmp_path, "ocean.0.json", status(**{key: value}))
    made = watched(tmp_path)
    assert made["runs"] == [] and len(made["skipped"]) == 1
    for words in (("--once",), ("--json",)):
        done = thalweg("watch", *words, tmp_path)
        assert done.code == 0 and "ocean.0.json" in done.out.encode().decode()


def test_a_file_whose_name_is_no_text_is_named(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.json")).write_text("{}")
    assert "a\ufffd.json' is left out" in thalweg("watch", "--once", tmp_path).out.encode().decode()


@pytest.mark.parametrize("options", [(), ("--once",), ("--json",)])
def test_a_run_that_is_no_status_is_bad_input(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "ocean.yaml").write_text("status: out\n")
    said = refused(3, "watch", *options, tmp_path / "ocean.yaml")
    assert "ocean.yaml' is no status: it is no whole JSON; name the folder of 'status'" in said


def test_a_file_that_others_may_not_read_is_named(tmp_path: Path) -> None:
    for parent in [tmp_path, *tmp_path.parents][:3]:
        parent.chmod(0o755)
    write(tmp_path, "ocean.0.json", status()).chmod(0)
    with without_root():
        made = run.made_of(reading.look(tmp_path, AT))
    assert made["skipped"][0]["why"] == "Permission denied"
