# ctest: LABELS mpi TIMEOUT 300
"""Real files of others are read, variable by variable, to the values that netCDF itself gives."""

from __future__ import annotations

from functools import cache

import netCDF4
import pytest
from support import real_files
from support.batch import Batch, Job
from support.foreign.said import dimension_of_records
from support.reading import TYPES, Get, along_longest

RANKS = 3
NAMES = [*real_files.FILES, *real_files.KINDS]


@cache
def gets_of(name: str) -> list[Get]:
    """The last record of each variable, cut along its longest dimension."""
    gets = []
    with netCDF4.Dataset(real_files.path(name)) as dataset:
        dataset.set_auto_maskandscale(False)
        along = dimension_of_records(dataset)
        for variable in dataset.variables.values():
            records = bool(variable.dimensions) and variable.dimensions[0] == along
            others = variable.dimensions[records:]
            whole = variable[:]
            if getattr(whole, "dtype", str) == str or whole.dtype.name not in TYPES:
                continue
            if any(dataset.dimensions[dim].isunlimited() for dim in others) or (records and not len(whole)):
                continue
            if records:
                whole = whole[-1]
            native = whole.astype(whole.dtype.newbyteorder("="))
            held = along_longest(others, native.shape, RANKS)
            record = len(variable) - 1 if records else None
            gets.append(Get(real_files.path(name), variable.name, native, others, held, record))
    return gets


def job(get: Get) -> Job:
    return Job("reads", RANKS, "report: none\nreading: domain\n", tuple(get.words(RANKS)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    return Batch(tmp_path_factory.mktemp("batch"), [job(get) for name in NAMES for get in gets_of(name)])


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_that_netcdf_gives(made: Batch, name: str) -> None:
    assert gets_of(name)
    for get in gets_of(name):
        get.check(made.made(job(get)), RANKS)
