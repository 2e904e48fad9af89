# ctest: SHORT LABELS mpi TIMEOUT 120
"""Files that somebody moves under a job, or between a kill and the recovery: what is not known as the job's own gets no
name, and nothing is written into it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from calls import SHAPE, Model, recover
from killed_job import assert_exact, visible_records
from living import Living
from names import digest
from names_model_test import World

FORMATS = ["cdf5", "netcdf4", "zarr"]


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_file_that_was_moved_away_is_not_replaced_by_what_has_its_place(tmp_path: Path, file_format: str) -> None:
    world = World(tmp_path, Model(file_format), "complete")
    partial, name = world.names.partial, world.names.name
    old = digest(name)
    living = Living(world.folder, world.model)
    moved = partial.with_name("moved")
    partial.rename(moved)
    (shutil.copytree if name.is_dir() else shutil.copy)(name, partial)
    done = living.go_on()
    assert done.code != 0, done.output
    assert digest(name) == old, "the complete file was replaced"
    assert digest(partial) == old, "what was put there was written to"
    assert moved.exists()


@pytest.mark.parametrize("file_format", ["netcdf4", "fortran"])
def test_a_journal_is_applied_to_its_own_file_alone(tmp_path: Path, file_format: str) -> None:
    world = World(tmp_path, Model(file_format), "killed beside complete")
    partial, name = world.names.partial, world.names.name
    assert world.journal.exists()
    partial.unlink()
    shutil.copy(name, partial)
    name.unlink()
    before = digest(partial)
    done = recover(world.folder, partial)
    assert done.code != 0, done.output
    assert "is the journal of another file" in done.output
    assert digest(partial) == before
    world.journal.unlink()


def test_both_moved_elsewhere_are_recovered(tmp_path: Path) -> None:
    world = World(tmp_path, Model("netcdf4"), "killed")
    for way in (shutil.copy, shutil.move):
        folder = tmp_path / way.__name__
        folder.mkdir()
        for file in (world.names.partial, world.journal):
            way(file, folder / file.name)
        done = recover(world.folder, folder / world.names.partial.name)
        assert done.code == 0, done.output
        assert visible_records(folder / world.names.name.name, SHAPE) >= world.confirmed
        assert_exact(folder / world.names.name.name, world.confirmed, SHAPE)
