"""What was written beside its place gets its name there: whole, or nothing has happened, and nothing of anybody else's
is taken away."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thalweg.cli.exit import Exit, Failure
from thalweg.data import DataError, checksums, kinds, renaming, replacing

HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class LeftAsItIs(Failure):
    """The folder holds what would be lost with it."""


@contextmanager
def folder_in(place: Path) -> Iterator[Path]:
    """A hidden one, on the file system of the result, so that what is whole can be moved there at once."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=".thalweg-", dir=place)).resolve()
    except OSError as fault:
        reason = os.strerror(fault.errno or 0)
        raise Failure(Exit.ENVIRONMENT, f"'{place}': nothing can be written there: {reason}") from None
    keeps = False
    try:
        yield folder
    except LeftAsItIs:
        keeps = True
        raise
    finally:
        if not keeps:
            shutil.rmtree(folder, ignore_errors=True)


def require_free(target: Path, force: bool) -> None:
    """Errors: Failure where something has the name, unless it is to be replaced and is something that may be."""
    there = replacing.standing_at(target)
    if there and not force:
        raise Failure(Exit.INPUT, f"'{there[0]}' exists; --force replaces it")
    try:
        for path in there:
            replacing.require_replaceable(path)
        for path in {target, *there}:
            replacing.require_no_foreign_companion(path)
    except DataError as fault:
        raise Failure(Exit.INPUT, str(fault)) from None


def publish(output: Path, target: Path, force: bool) -> None:
    """Gives what was written, with the files of its set and its checksums, the same name elsewhere. Where file systems
    can exchange names, a file or store that is replaced has its name until the new one has it. Errors: Failure, and
    then what was there is there as before, or the text says where it is."""
    with signals_held():
        moves = Moves(output.parent / "replaced")
        try:
            move_all(moves, output, target, force)
        except BaseException as fault:
            put_back(moves, target, fault)
            raise


def move_all(moves: Moves, output: Path, target: Path, force: bool) -> None:
    require_free(target, force)  # it may have come meanwhile
    new = [*kinds.parts_of(output), output]
    new = [path for path in new if path.exists()]
    places = {path: target.with_name(path.name) for path in new}
    old = replacing.standing_at(target)
    # Checksums go before their file and come behind it: a file never has another's.
    for path in {*old, *places.values()}:
        if checksums.is_companion(checksums.path_of(path)):
            moves.away(checksums.path_of(path))
    for path, place in places.items():
        if force and replacing.is_there(place):
            moves.replace(path, place)
            require_was_replaceable(moves.replaced(path, place), place)
        else:
            moves.move(path, place)
    for path in old:
        if path not in places.values():  # of a set that had more files
            moves.away(path)
    for path, place in places.items():
        if checksums.path_of(path).exists():
            moves.move(checksums.path_of(path), checksums.path_of(place))


def require_was_replaceable(old: Path, place: Path) -> None:
    """What had the name may have come since it was looked at."""
    try:
        replacing.require_replaceable(old)
    except DataError as fault:
        raise DataError(str(fault).replace(str(old), str(place))) from None


def put_back(moves: Moves, target: Path, fault: BaseException) -> None:
    """Errors: Failure for what went wrong, by what came of it."""
    reason = text_of(fault)
    kept = moves.undo()
    if kept is not None:
        raise LeftAsItIs(
            Exit.ENVIRONMENT,
            f"'{target}' did not get its new content: {reason}; nor could what was there be put back as it was "
            f"({text_of(kept)}). Nothing is lost: what is missing there is in '{moves.aside.parent}', what was "
            "replaced under 'replaced'; move it by hand",
        ) from fault
    if isinstance(fault, FileExistsError):
        raise Failure(Exit.INPUT, f"'{fault.filename2 or target}' has come meanwhile; --force replaces it") from fault
    if isinstance(fault, OSError):
        raise Failure(Exit.ENVIRONMENT, f"'{target}' is as it was before, because of {reason}") from fault
    if isinstance(fault, DataError):
        raise Failure(Exit.INPUT, str(fault)) from fault


def text_of(fault: BaseException) -> str:
    return os.strerror(fault.errno) if isinstance(fault, OSError) and fault.errno else str(fault)


class Moves:
    """Renamings that can be undone, from the last to the first."""

    def __init__(self, aside: Path) -> None:
        self.aside = aside
        self.undoing: list[Callable[[], Any]] = []
        aside.mkdir()

    def move(self, path: Path, target: Path) -> None:
        renaming.move(path, target)
        self.undoing.append(lambda: renaming.move(target, path))

    def away(self, path: Path) -> None:
        self.move(path, self.aside / path.name)

    def replace(self, path: Path, target: Path) -> None:
        if renaming.exchange(path, target):
            self.undoing.append(lambda: renaming.exchange(path, target))
        else:
            self.away(target)
            self.move(path, target)

    def replaced(self, path: Path, target: Path) -> Path:
        """Where replace() has put what was there."""
        return path if path.exists() else self.aside / target.name

    def undo(self) -> BaseException | None:
        """What went wrong with that, if something did."""
        while self.undoing:
            try:
                self.undoing.pop()()
            except OSError as fault:
                return fault
        return None


@contextmanager
def signals_held() -> Iterator[None]:
    """They come when all is done."""
    came: list[int] = []
    before = {one: signal.signal(one, lambda number, _: came.append(number)) for one in HELD}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler or signal.SIG_DFL)
        for number in came:
            signal.raise_signal(number)
