# ctest: TIMEOUT 200 ALL 1200
"""A job that writes a restart with FMS's checksums is killed at one call after the other: what is left has checksums
that are right, or none, which FMS takes as nothing to compare; never others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from calls import OUT, Call, Ended, Fault, calls_of, ended, preloaded, recover, singleton
from launch import BIN, file_of
from names import remove
from support.ways import ALL
from sweep import CHANGING, turn

LAST = 16
"""calls at the end of the job, among which are all of those that close the file"""
FIELDS = {"area", "temp", "ssh", "mean"}


@dataclass(frozen=True)
class Restart:
    folder: Path
    file_format: str
    durability: str

    @property
    def name(self) -> Path:
        return self.folder / OUT / file_of(self.file_format)

    @property
    def partial(self) -> Path:
        return self.name.with_name(f"{self.name.name}.partial")

    def run(self, fault: Fault, log: Path | None = None) -> Ended:
        (self.folder / OUT).mkdir(exist_ok=True)
        for left in (self.folder / OUT).iterdir():
            remove(left)
        settings = {"file": f"{OUT}/{self.name.name}", "format": self.file_format, "durability": self.durability}
        lines = "".join(f"    {key}: {value}\n" for key, value in settings.items())
        (self.folder / "thalweg.yaml").write_text(
            f"report: none\ncollections:\n  restart:\n    checksum-attributes: true\n{lines}"
        )
        return ended([BIN / "restart"], self.folder, preloaded(fault, log) | singleton(self.folder))

    def calls(self) -> list[tuple[int, Call]]:
        """The last ones that change something, with their numbers."""
        log = self.folder / "calls.log"
        done = self.run(Fault(0, "before"), log)
        assert done.code == 0, done.output
        assert self.assert_right(self.name) == FIELDS
        every = [(number, call) for number, call in enumerate(calls_of(log), 1) if call.kind in CHANGING]
        assert every, "no calls were seen"
        return every[-LAST:]

    def assert_right(self, path: Path) -> set[str]:
        """The variables that have the attribute."""
        if path.is_dir():
            arrays = dict(zarr.open_group(path, mode="r").arrays())
            texts = {name: str(of.attrs["checksum"]) for name, of in arrays.items() if "checksum" in of.attrs}
            for name, of in arrays.items():
                assert dict(zarr.open_array(path / name, mode="r").attrs) == dict(of.attrs), "the root says another"
            values = {name: np.asarray(of[...]) for name, of in arrays.items()}
        else:
            with netCDF4.Dataset(path) as file:
                file.set_auto_maskandscale(False)
                found = file.variables.items()
                texts = {name: of.getncattr("checksum") for name, of in found if "checksum" in of.ncattrs()}
                values = {name: of[...].astype("=f8") for name, of in found}
        for name, text in texts.items():
            assert text == f"{int(values[name].reshape(-1).view('u8').sum(dtype=np.uint64)):16X}", name
        return set(texts)

    def assert_left_right(self, done: Ended) -> set[str]:
        """The variables that have the attribute."""
        assert done.killed, f"exit {done.code}"
        committed = len(re.findall("^committed", done.output, re.MULTILINE))
        if not self.name.exists():
            assert self.partial.exists() or not committed, "what was committed is gone"
            if not self.partial.exists():
                return set()
            recovery = recover(self.folder, self.partial)
            assert recovery.code == 0, recovery.output
            assert int(recovery.output.splitlines()[-1]) >= committed, "a committed record is gone"
        found = self.assert_right(self.name)
        assert found in (set(), FIELDS), "some have one"
        return found


@pytest.mark.parametrize("durability", ["close", "record"])
@pytest.mark.parametrize("file_format", ["cdf2", "cdf5", "netcdf4", "zarr"])
def test_a_kill_at_any_closing_call_leaves_right_checksums_or_none(
    tmp_path: Path, file_format: str, durability: str
) -> None:
    restart = Restart(tmp_path, file_format, durability)
    failures: list[str] = []
    found: set[int] = set()
    for place, (number, call) in enumerate(restart.calls()):
        moments = ["before", "half", "after"] if call.kind == "write" else ["before", "after"]
        for moment in moments if ALL or call.kind == "write" else turn(moments, place):
            try:
                found.add(len(restart.assert_left_right(restart.run(Fault(number, moment)))))
            except AssertionError as error:
                failures.append(f"{moment} {call}: {str(error).splitlines()[0]}")
    assert not failures, "\n".join(failures)
    assert found == {0, len(FIELDS)}, "kills before and behind the moment were meant"
