# ctest: SHORT LABELS cli TIMEOUT 120
"""What replay and convert have written gets its name: whatever fails, and whoever interrupts or kills the command, the
old or the new is there whole, and nothing of anybody else's is lost."""

from __future__ import annotations

import errno
import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from thalweg.cli.exit import Failure
from thalweg.cli.replay import publishing
from thalweg.data import checksums, renaming

FORK = multiprocessing.get_context("fork")
SUMS = checksums.HEAD.decode()
MOST = 30  # renamings of one publication


def write_file(folder: Path, name: str, words: str) -> None:
    (folder / name).write_text(words)
    (folder / f"{name}.checksums").write_text(f"{SUMS}{words}")


def write_store(folder: Path, name: str, words: str) -> None:
    (folder / name / "c").mkdir(parents=True)
    (folder / name / "zarr.json").write_text(words)
    (folder / name / "c" / "0").write_text(words)
    (folder / f"{name}.checksums").write_text(f"{SUMS}{words}")


def write_set(folder: Path, name: str, words: str) -> None:
    for number in range(3 if words == "old" else 2):
        write_file(folder, f"{name}.{number:04}", words)
    (folder / name).write_text(words)


KINDS: dict[str, Callable[[Path, str, str], None]] = {
    "out.nc": write_file,
    "out.zarr": write_store,
    "set.nc": write_set,
}


def content(folder: Path) -> dict[str, str]:
    hidden = {path for path in folder.glob(".thalweg-*")}
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not hidden & set(path.parents)
    }


class Place:
    def __init__(self, folder: Path, name: str, exchanges: bool = True) -> None:
        self.folder, self.name, self.write = folder, name, KINDS[name]
        self.exchanges = exchanges
        self.states = {}
        for words in ("old", "new"):
            (folder / words).mkdir()
            self.write(folder / words, name, words)
            self.states[words] = content(folder / words)
        self.place = folder / "place"

    def fill(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        self.write(self.place, self.name, "old")

    def publish(self, disturb: Callable[[int], None], force: bool = True) -> None:
        """disturb: called before each renaming, with its number, and behind the last one."""
        count = iter(range(1, 1000))
        plain = renaming.renamed

        def renamed(path: Path, target: Path, flags: int) -> bool:
            disturb(next(count))
            return plain(path, target, flags) if self.exchanges or flags != renaming.EXCHANGE else False

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(renaming, "renamed", renamed)
            with publishing.folder_in(self.place) as folder:
                self.write(folder, self.name, "new")
                publishing.publish(folder / self.name, self.place / self.name, force)

    def everything(self) -> set[str]:
        """All words of all files, hidden ones, too."""
        return {path.read_text() for path in self.place.rglob("*") if path.is_file()}

    def hidden(self) -> list[Path]:
        return list(self.place.glob(".thalweg-*"))


@pytest.fixture(params=[(name, exchanges) for name in KINDS for exchanges in (True, False)], ids=str)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(tmp_path, *request.param)


def test_the_new_takes_the_place_of_the_old(place: Place) -> None:
    place.fill()
    place.publish(lambda number: None)
    assert content(place.place) == place.states["new"]
    assert not place.hidden()


def test_a_renaming_that_fails_leaves_the_old(place: Place) -> None:
    for at in range(1, MOST):
        place.fill()
        met = []

        def fail(number: int, at: int = at, met: list[int] = met) -> None:
            if number == at:
                met.append(number)
                raise OSError(errno.EIO, os.strerror(errno.EIO))

        try:
            place.publish(fail)
        except Failure as fault:
            assert "is as it was before" in str(fault)
            assert content(place.place) == place.states["old"], at
        else:
            assert not met
            assert content(place.place) == place.states["new"]
            return
        assert not place.hidden()
    pytest.fail("there was no end of renamings")


def test_storage_that_fails_for_good_loses_nothing(place: Place) -> None:
    for at in range(1, MOST):
        place.fill()

        def fail(number: int, at: int = at) -> None:
            if number >= at:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

        try:
            place.publish(fail)
        except Failure as fault:
            if content(place.place) != place.states["old"]:
                assert "Nothing is lost" in str(fault)
                assert str(place.hidden()[0]) in str(fault)
                assert {"old", f"{SUMS}old", "new", f"{SUMS}new"} <= place.everything(), at
        else:
            return
    pytest.fail("there was no end of renamings")


def test_an_interrupt_comes_when_all_is_done(place: Place) -> None:
    for at in (1, 2, 3):
        place.fill()
        with pytest.raises(KeyboardInterrupt):
            place.publish(lambda number, at=at: signal.raise_signal(signal.SIGINT) if number == at else None)
        assert content(place.place) == place.states["new"]
        assert not place.hidden()


def test_a_kill_loses_nothing(place: Place) -> None:
    for at in range(1, MOST):
        place.fill()
        child = FORK.Process(
            target=place.publish, args=(lambda number, at=at: os.kill(os.getpid(), 9) if number == at else None,)
        )
        child.start()
        child.join(20)
        if child.exitcode == 0:
            return
        assert child.exitcode == -signal.SIGKILL
        assert (place.place / place.name).exists() or not place.exchanges
        whole = {path.name: path for path in place.place.rglob(f"{place.name}*")}
        assert place.states["old"].keys() & whole.keys() or place.states["new"].keys() & whole.keys()
        assert {"old", "new"} <= place.everything() or content(place.place) == place.states["new"], at
        for name, words in content(place.place).items():  # no file has another's checksums
            if name.endswith(".checksums") and (place.place / name.removesuffix(".checksums")).is_file():
                assert words == SUMS + (place.place / name.removesuffix(".checksums")).read_text()
    pytest.fail("there was no end of renamings")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("foreign", ["file", "folder", "a_result"])
def test_what_came_meanwhile_is_not_replaced(tmp_path: Path, name: str, foreign: str) -> None:
    """Before the first renaming, behind every look."""
    place = Place(tmp_path, name)
    place.place.mkdir()
    target = place.place / name

    def come(number: int) -> None:
        if number > 1:
            return
        if foreign == "file":
            target.write_text("precious")
        elif foreign == "folder":
            target.mkdir()
            (target / "precious").write_text("precious")
        else:
            place.write(place.place, name, "theirs")

    with pytest.raises(Failure, match="has come meanwhile"):
        place.publish(come, force=False)
    found = content(place.place)
    assert set(found.values()) <= {"precious", "theirs", f"{SUMS}theirs"}
    assert not place.hidden()


@pytest.mark.parametrize("name", ["out.nc", "out.zarr"])
def test_force_does_not_replace_a_folder_that_came_meanwhile(tmp_path: Path, name: str) -> None:
    place = Place(tmp_path, name)
    place.fill()
    target = place.place / name

    def come(number: int) -> None:
        if number == 2:  # the first one takes the checksums away
            shutil.rmtree(target) if target.is_dir() else target.unlink()
            target.mkdir()
            (target / "precious").write_text("precious")

    with pytest.raises(Failure, match=f"{name}' is a folder and no Zarr store"):
        place.publish(come)
    assert (target / "precious").read_text() == "precious"


@pytest.mark.parametrize("force", [False, True])
def test_what_only_has_the_name_of_checksums_is_refused(tmp_path: Path, force: bool) -> None:
    target = tmp_path / "out.nc"
    (tmp_path / "out.nc.checksums").mkdir()
    (tmp_path / "out.nc.checksums" / "mine").write_text("precious")
    with pytest.raises(Failure, match="has the name that checksums of 'out.nc' get, and is none"):
        publishing.require_free(target, force)


def test_parts_that_a_run_has_not_ended_stay(tmp_path: Path) -> None:
    place = Place(tmp_path, "set.nc")
    place.fill()
    (place.place / "set.nc.0007.partial").write_text("a record")
    place.publish(lambda number: None)
    assert content(place.place) == place.states["new"] | {"set.nc.0007.partial": "a record"}
