# ctest: SHORT LABELS cli TIMEOUT 120
"""What a command writes to a path of the user takes the place of ordinary files only, and it reads no others."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import mpi
from support.command import COMMAND, refused, thalweg, use_programs
from support.statuses import status, write
from thalweg.cli.trace_replay.command import Run
from thalweg.data import DataError, ordinary

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

LIMIT_S = 60  # a command that waits for a pipe does so for ever


def device(path: Path) -> None:
    """As /dev/full is, a node of the test's own."""
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 7))
    except PermissionError:
        pytest.skip("only root makes devices")


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


KINDS: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a device": device,
    "a socket": listening,
}


def ended(*words: object) -> tuple[int, str]:
    """In a process of its own: it may hang."""
    command = [sys.executable, str(COMMAND), *map(str, words)]
    done = subprocess.run(
        command, check=False, env=mpi.OUTSIDE, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S
    )
    return done.returncode, done.stdout + done.stderr


def kind_of(path: Path) -> int:
    return stat.S_IFMT(path.lstat().st_mode)


@pytest.mark.parametrize("by_link", [False, True], ids=["itself", "by a link"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "words",
    [
        ("watch", "--once", "status", "--prometheus-textfile"),
        ("watch", "--interval", "0.1", "status", "--prometheus-textfile"),
        ("init", "example.nc", "--force", "--output"),
        ("trace", "--logs", "status", "--output"),
        ("trace", "--logs", "status", "--html"),
    ],
    ids=["watch once", "watch", "init", "trace", "page of trace"],
)
def test_what_is_no_ordinary_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], kind: str, by_link: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "status", "ocean.0.json", status())
    place = tmp_path / "place"
    KINDS[kind](place)
    (tmp_path / "link").symlink_to(place)
    before = kind_of(place)
    name = "link" if by_link else "place"
    code, said = ended(*words, name)
    assert code == 3 and f"'{name}' is {kind}, and no ordinary file; name another one" in said
    assert kind_of(place) == before and (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "place", "status"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_ordinary_file_is_named_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "status", "ocean.0.json", status())
    KINDS[kind](tmp_path / "status" / "other.json")
    code, said = ended("watch", "--once", "status")
    assert code == 0 and f"'status/other.json' is left out: it is {kind}, and no ordinary file" in said
    if kind != "a folder":
        code, said = ended("watch", "--once", "status/other.json")
        assert code == 3 and f"is no status: it is {kind}" in said


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one_and_its_file_is_replaced_in_its_folder(tmp_path: Path, there: bool) -> None:
    write(tmp_path / "status", "ocean.0.json", status())
    (tmp_path / "collected").mkdir()
    real, link = tmp_path / "collected" / "real.prom", tmp_path / "link.prom"
    if there:
        real.touch()
    link.symlink_to(real)
    for _ in range(2):
        assert thalweg("watch", "--once", tmp_path / "status", "--prometheus-textfile", link).code == 0
        assert link.is_symlink() and real.read_text().startswith("# HELP thalweg_")
    assert [path.name for path in real.parent.iterdir()] == ["real.prom"]


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "status", "ocean.0.json", status())
    (tmp_path / "round").symlink_to("round")
    said = refused(3, "watch", "--once", tmp_path / "status", "--prometheus-textfile", tmp_path / "round")
    assert "cannot be written: Too many levels of symbolic links" in said
    assert (tmp_path / "round").is_symlink()


def test_what_a_link_beside_the_file_leads_to_is_not_written(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("of somebody")
    (tmp_path / f"a.prom.{os.getpid()}.new").symlink_to(kept)
    ordinary.replace(tmp_path / "a.prom", "text")
    assert (kept.read_text(), (tmp_path / "a.prom").read_text()) == ("of somebody", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.prom", "kept"]


def test_files_that_a_replay_keeps_replace_no_pipe(tmp_path: Path) -> None:
    made = tmp_path / "made" / "thalweg" / "files" / "a.nc"
    made.parent.mkdir(parents=True)
    made.touch()
    target = tmp_path / "keep" / "thalweg" / "files" / "a.nc"
    target.parent.mkdir(parents=True)
    os.mkfifo(target)
    of = SimpleNamespace(folder=tmp_path / "made", paths={"thalweg": [str(made)]})
    with pytest.raises(DataError, match="is neither a file nor a Zarr store"):
        Run.kept(of, tmp_path / "keep")  # type: ignore[arg-type]
    assert target.is_fifo()
    target.unlink()
    Run.kept(of, tmp_path / "keep")  # type: ignore[arg-type]
    assert target.is_file() and not made.exists()
