# ctest: LABELS mpi TIMEOUT 300 ALL 300
"""Readers that know nothing of Thalweg get the values that the model had."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.batch import Batch
from support.cases import RECORDS, Case
from support.conformance_page import PAGE, page
from support.readers import ALL, MASTERS, NEEDS_PLUGIN, PLUGINS, READERS, SAMPLES, STORES, Reader, Sample
from support.ways import of

# Land is in all of them; plain formats are read without as well, in the long tests all of them.
WITHOUT_LAND = of(("cdf5", "netcdf4", "zarr", "fortran"), tuple(name for name in SAMPLES if SAMPLES[name].is_plain))
CHECKS = [
    (reader, name, mode)
    for reader in READERS
    for name in reader.samples
    for mode in (("block", "mask") if name in WITHOUT_LAND else ("mask",))
]


def case_of(name: str, mode: str) -> Case:
    pattern = SAMPLES[name].pattern if name in MASTERS else "2x2"
    return replace(SAMPLES[name], pattern=pattern, ranks=4, nodes="two", mode=mode)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Sample]:
    """All are made at once when the first is asked for, by its name and mode."""
    batch = Batch(tmp_path_factory.mktemp("samples"), [case_of(name, mode).job for _, name, mode in CHECKS])

    def sample(name: str, mode: str) -> Sample:
        case = case_of(name, mode)
        return Sample(
            batch.made(case.job) / case.file("fields"),
            case.format,
            mode,
            tuple(range(1, RECORDS + 1)),
            name in NEEDS_PLUGIN,
            name in MASTERS,
        )

    return sample


@pytest.mark.parametrize(("reader", "name", "mode"), CHECKS, ids=lambda value: getattr(value, "name", value))
def test_reader_gets_the_values(samples: Callable[[str, str], Sample], reader: Reader, name: str, mode: str) -> None:
    if name in NEEDS_PLUGIN and reader.needs == "hdf5plugin":
        pytest.importorskip(reader.needs)
    reader.check(samples(name, mode))


def fails(*words: object) -> str:
    """The program ends with an error when no folder of plug-ins is named."""
    done = subprocess.run(
        [str(word) for word in words],
        env={name: value for name, value in os.environ.items() if name != PLUGINS},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0, done.stdout
    return done.stdout + done.stderr


def test_readers_without_a_plugin_for_zstd_fail_rather_than_give_wrong_values(
    samples: Callable[[str, str], Sample], tmp_path: Path
) -> None:
    path, copy = samples("netcdf4, zstd", "mask").path, tmp_path / "copy.nc"
    assert "undefined filter" in fails("ncdump", "-v", "temp", path)
    assert "undefined filter" in fails("cdo", "-s", "copy", "-selname,temp", path, copy)
    fails("ncks", "-O", "--fl_fmt=64bit_data", path, copy)
    fails(sys.executable, "-c", f"import h5py; h5py.File({str(path)!r})['temp'][()]")


def test_every_sample_has_readers_that_are_not_based_on_the_library_that_wrote_it() -> None:
    for name in ALL + STORES:
        assert sum(name in reader.samples for reader in READERS) >= 4


def test_the_page_of_conformance_is_what_is_tested() -> None:
    assert PAGE.read_text() == page(), "run: python tests/support/conformance_page.py"
