# ctest: LABELS mpi TIMEOUT 300
"""Readers that know nothing of Thalweg get the values that the model had."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from support.cases import RECORDS, Case
from support.conformance_page import PAGE, page
from support.readers import ALL, READERS, Reader, Sample

CHECKS = [(reader, name) for reader in READERS for name in reader.formats]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory):
    """Makes the sample of a format and a mode when it is asked for."""

    @cache
    def sample(format_name: str, mode: str) -> Sample:
        folder: Path = tmp_path_factory.mktemp(f"{format_name}-{mode}")
        Case(format=format_name, pattern="2x2", ranks=4, nodes="two", mode=mode).run(folder)
        return Sample(folder / "fields.nc", format_name, mode, tuple(range(1, RECORDS + 1)))

    return sample


@pytest.mark.parametrize("mode", ["block", "mask"])
@pytest.mark.parametrize(("reader", "format_name"), CHECKS, ids=lambda value: getattr(value, "name", value))
def test_reader_gets_the_values(samples, reader: Reader, format_name: str, mode: str) -> None:
    if reader.module:
        pytest.importorskip(reader.module)
    reader.check(samples(format_name, mode))


def test_every_format_has_a_reader_that_is_not_based_on_the_library_that_wrote_it() -> None:
    for format_name in ALL:
        assert sum(format_name in reader.formats for reader in READERS) >= 4


def test_the_page_of_conformance_is_what_is_tested() -> None:
    assert PAGE.read_text() == page(), "run: python tests/support/conformance_page.py"
