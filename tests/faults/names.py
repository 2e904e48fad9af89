"""What may be under a name, and beside it, whatever happened to the jobs that wrote it."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from calls import OUT, SHAPE, Ended, Model, recover
from killed_job import assert_exact, assert_nothing_else, visible_records
from launch import FORMAT, STORAGE, read_outcomes

OLD, NEW, NEXT = 2, 3, 4  # records, by which the files of three runs are told from each other


MASTER = {"history.nc", "history.nc.partial", "history.nc.lock", "history.old.nc.partial"}


def digest(path: Path) -> str:
    """Of a file, or of all names and files of a folder."""
    every = [path, *sorted(path.rglob("*"))] if path.is_dir() else [path]
    total = hashlib.sha256()
    for one in every:
        total.update(str(one.relative_to(path)).encode() + b"\0")
        total.update(one.read_bytes() if one.is_file() else b"folder")
    return total.hexdigest()


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def confirmed_records(folder: Path) -> int:
    log = folder / "committed.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return int(lines[-1]) if lines else 0


def told(folder: Path) -> str:
    """What rank 0 was first told of the storage."""
    outcomes = read_outcomes(folder).get(0, [])
    return next((f"{one.label}: {one.text}" for one in outcomes if one.code == STORAGE), "")


def assert_complete(path: Path, records: int, shape: tuple[int, int, int] = SHAPE) -> None:
    """A file that a job has finished."""
    assert path.exists(), f"there is no {path.name}"
    found = visible_records(path, shape)
    assert found == records, f"{path.name} has {found} records, not {records}"
    assert_exact(path, records, shape)
    assert_nothing_else(path)


@dataclass(frozen=True)
class Names:
    """The files of a job in its folder."""

    folder: Path
    model: Model

    @property
    def name(self) -> Path:
        return self.folder / OUT / self.model.name

    @property
    def partial(self) -> Path:
        return self.name.with_name(f"{self.name.name}.partial")

    @property
    def kept(self) -> Path:
        """the partial file of a killed run, when another has followed"""
        return self.name.with_name(f"{self.name.stem}.old{self.name.suffix}.partial")

    def kept_aside(self) -> set[str]:
        """What recovery refuses stays, with its journal."""
        return {self.kept.name, f"{self.kept.name}.journal"} if self.kept.exists() else set()

    def usual(self) -> set[str]:
        """What may be there after a complete run: the file with its checksums; of a set its virtual master, or what was
        left of one."""
        has_master = self.model.pattern == "per-domain" and self.model.file_format.startswith("netcdf4")
        names = {self.name.name, f"{self.name.name}.checksums"}
        return names | (MASTER if has_master else set())

    def present(self) -> set[str]:
        return {path.name for path in (self.folder / OUT).iterdir()}

    def is_new(self) -> bool:
        return self.name.exists() and visible_records(self.name, self.model.shape) == NEW

    def assert_old_or_new(self, old: str) -> None:
        """The complete old file, of which there is a digest if there was one, or the complete new one."""
        if not self.name.exists():
            assert not old, f"nothing is under {self.name.name}: there is {sorted(self.present())}"
            return
        if old and digest(self.name) == old:
            return
        assert_complete(self.name, NEW, self.model.shape)

    def make_free(self) -> None:
        """Takes away what is under the name, as a user does who wants to recover the partial file."""
        remove(self.name)

    def assert_has(self, records: int) -> None:
        assert_complete(self.name, records, self.model.shape)

    def assert_recovers(self, partial: Path, confirmed: int) -> int:
        """Recovery of what was left, after the name was made free; the number of records, -1: it was refused."""
        done = recover(self.folder, partial)
        target = partial.with_name(partial.name.removesuffix(".partial"))
        if done.code != 0:
            assert confirmed == 0, f"{confirmed} confirmed records, but {partial.name} is refused: {done.output}"
            assert done.code == FORMAT, done.output
            assert partial.exists(), "what was refused is gone"
            return -1
        records = int(done.output.splitlines()[-1])
        assert records >= confirmed, f"{confirmed} confirmed, but {records} recovered"
        assert visible_records(target, self.model.shape) == records
        # What a format library writes may be half of one record more (docs/guide.md, "Engines").
        assert_exact(target, records if self.model.engine == "direct" else confirmed, self.model.shape, is_whole=False)
        assert_nothing_else(target)
        return records

    def assert_runs(self, records: int = NEXT) -> Ended:
        done = self.model.run(self.folder, records)
        assert done.code == 0, f"the next run fails: {told(self.folder) or done.output}"
        assert_complete(self.name, records, self.model.shape)
        return done
