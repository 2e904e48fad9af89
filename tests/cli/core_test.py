# ctest: SHORT TIMEOUT 60
"""What the tools ask the core: an answer is that of its question, whatever came between."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import netCDF4
import pytest
from support.command import use_programs
from thalweg.data import DataError, core

pytestmark = pytest.mark.usefixtures("use_programs")
__all__ = ["use_programs"]


def running() -> int:
    core.part_of("a.nc.0001")
    process = core.CORE._process
    assert process is not None
    return process.pid


def test_a_question_that_was_interrupted_leaves_no_answer_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(process: object, question: bytes) -> bytes:
        exchange(process, question[:0])  # an answer is on its way
        raise KeyboardInterrupt

    exchange = core.Core._exchange
    before = running()
    with monkeypatch.context() as patch:
        patch.setattr(core.Core, "_exchange", staticmethod(interrupted))
        with pytest.raises(KeyboardInterrupt):
            core.part_of("b.nc.0002")
    assert core.part_of("c.nc.0003") == core.PartName("c.nc", 3, False)
    assert running() != before


def test_relative_names_are_meant_from_the_folder_where_they_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, cells in (("a", 3), ("b", 5)):
        (tmp_path / folder).mkdir()
        with netCDF4.Dataset(tmp_path / folder / "f.nc", "w", format="NETCDF3_64BIT_DATA") as file:
            file.createDimension("x", cells)
            file.createVariable("v", "f8", ("x",))[:] = 1.0
    lengths = []
    for folder in ("a", "b"):
        monkeypatch.chdir(tmp_path / folder)
        lengths.append(core.length_of(Path("f.nc")).bytes)
        assert lengths[-1] == core.length_of(tmp_path / folder / "f.nc").bytes
    assert lengths[1] - lengths[0] == 2 * 8


def test_a_program_that_is_killed_is_an_error_once() -> None:
    os.kill(running(), signal.SIGKILL)
    with pytest.raises(DataError, match="ended without an answer on 'a.nc.0001'"):
        core.part_of("a.nc.0001")
    assert core.part_of("a.nc.0001") == core.PartName("a.nc", 1, False)
