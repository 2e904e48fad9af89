# ctest: SHORT TIMEOUT 30
"""The faults of tests/mutants.toml can be put into the sources as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutants import ROOT, Mutant, mutants


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_the_text_that_a_mutant_replaces_is_there_once(mutant: Mutant) -> None:
    assert mutant.complaint(ROOT) == ""
    assert mutant.old != mutant.new
    assert (ROOT / mutant.tests[0]).is_file()


def test_a_text_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("sync(); sync();")
    assert "2 times" in Mutant("twice", "a.cpp", "sync();", "", ()).complaint(tmp_path)
    assert "0 times" in Mutant("gone", "b.cpp", "sync();", "", ()).complaint(tmp_path)
    assert Mutant("once", "a.cpp", "sync(); s", "s", ()).complaint(tmp_path) == ""
