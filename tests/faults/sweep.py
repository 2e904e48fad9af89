"""The same small job again and again, from the same start, each time with another call disturbed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from calls import OUT, Call, Ended, Fault, Model, calls_of
from names import NEW, OLD, Names, confirmed_records, digest, remove
from support.turns import TURN
from support.ways import ALL

T = TypeVar("T")
NAMING = {"rename", "unlink", "link"}
CHANGING = NAMING | {"create", "mkdir", "truncate", "allocate", "write", "sync"}


class Sweep:
    def __init__(self, folder: Path, model: Model, existing: bool) -> None:
        # What was there before, and who runs next, is the model in C: all languages leave the same.
        self.folder, self.model, self.names = folder, model, Names(folder, replace(model, language="c"))
        folder.mkdir(parents=True, exist_ok=True)
        if existing:
            assert self.names.model.run(folder, OLD).code == 0
            shutil.copytree(folder / OUT, folder / "old", symlinks=True)
        self.old = digest(self.names.name) if existing else ""
        self.failures: list[str] = []
        self.met: Call | None = None
        """the call that was disturbed last"""

    def calls(self, rank: int = 0) -> list[Call]:
        """Of an undisturbed run, in their order."""
        self.clear()
        log = self.folder / "calls.log"
        log.unlink(missing_ok=True)
        done = self.model.run(self.folder, NEW, Fault(0, "before", rank), log)
        assert done.code == 0, done.output
        self.names.assert_old_or_new("")
        return calls_of(log)

    def clear(self) -> None:
        out = self.folder / OUT
        out.mkdir(exist_ok=True)
        for left in out.iterdir():
            remove(left)
        if self.old:
            shutil.copytree(self.folder / "old", out, symlinks=True, dirs_exist_ok=True)

    def disturb(self, fault: Fault, call: Call, check: Callable[[Ended], None]) -> None:
        self.clear()
        log = self.folder / "disturbed.log"
        log.unlink(missing_ok=True)
        self.met = None
        try:
            done = self.model.run(self.folder, NEW, fault, log)
            assert not done.hung, f"hung: {done.output}"
            # Threads make some calls in one order or the other: it may not be the one of the undisturbed run.
            self.met = next(iter(calls_of(log)[fault.number - 1 :]), call)
            check(done)
        except AssertionError as error:
            what = " ".join(str(error).split())[:300]
            self.failures.append(f"{self.model}: {fault}, {self.met or call}: {what}")

    def assert_kept(self) -> int:
        """The invariant; the number of records that the job knew to be committed."""
        confirmed = confirmed_records(self.folder)
        self.names.assert_old_or_new(self.old)
        assert confirmed == 0 or self.names.is_new() or self.names.partial.exists(), (
            f"{confirmed} records were confirmed, and there is {sorted(self.names.present())}"
        )
        return confirmed

    def recover_then_run(self, _done: Ended | None = None) -> None:
        confirmed = self.assert_kept()
        # Behind a new store that has its name lies what is left of the one that it has replaced.
        is_behind_store = self.names.name.is_dir() and self.names.is_new()
        if self.names.partial.exists() and not is_behind_store:
            self.names.make_free()
            self.names.assert_recovers(self.names.partial, confirmed)
        self.names.assert_runs()
        self.assert_no_more_than(self.names.usual() | self.names.kept_aside())

    def run_then_recover(self, _done: Ended | None = None) -> None:
        confirmed = 0 if self.assert_kept() and self.names.is_new() else confirmed_records(self.folder)
        self.names.assert_runs()
        assert self.names.kept.exists() or confirmed == 0, f"there is {sorted(self.names.present())}"
        if self.names.kept.exists():
            self.names.assert_recovers(self.names.kept, confirmed)
        recovered = self.names.kept.name.removesuffix(".partial")
        self.assert_no_more_than(self.names.usual() | self.names.kept_aside() | {recovered})

    def assert_no_more_than(self, allowed: set[str]) -> None:
        left = self.names.present() - allowed
        assert not left, f"{sorted(left)} is left"


@contextmanager
def sweeping(folder: Path, model: Model, existing: bool) -> Iterator[Sweep]:
    one = Sweep(folder / "sweep", model, existing)
    yield one
    shutil.rmtree(one.folder)
    assert not one.failures, f"{len(one.failures)} of the calls:\n" + "\n".join(one.failures)


def turn(every: list[T], place: int) -> list[T]:
    """All of them, or one, another one each time, and in another run again another one."""
    return every if ALL else [every[(place + TURN // 2) % len(every)]]


def chosen(calls: list[Call], kinds: set[str], few: int, start: int = 0) -> list[tuple[int, Call]]:
    """All calls of these kinds, or those with names, the last of each kind (of syncs: for each name), and a few of the
    others at even distances, in another run (support/turns.py) others; with their numbers."""
    every = [(number, call) for number, call in enumerate(calls, 1) if call.kind in kinds]
    if ALL:
        return every
    naming = [one for one in every if one[1].kind in NAMING and "/c/" not in one[1].path]
    last = {(one[1].kind, one[1].top if one[1].kind == "sync" else ""): one for one in every}
    others = [one for one in every if one not in naming]
    stride = max(1, len(others) // few)
    start += TURN // 2
    return sorted({*naming[-4:], *last.values(), *others[start % stride :: stride]}, key=lambda one: one[0])
