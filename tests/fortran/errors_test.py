# ctest: SHORT TIMEOUT 60
"""What becomes of an error that a model does not take itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import mpi


@pytest.mark.parametrize("program", ["minimal_fortran", "minimal_c", "minimal_cpp"])  # C's and C++'s do it themselves
def test_an_error_of_all_ranks_ends_the_job_and_is_printed_once(tmp_path: Path, program: str) -> None:
    (tmp_path / "wrong.yaml").write_text("writers: thred\n")
    done = mpi.start(program, 4, tmp_path, "wrong.yaml", limit_s=30)
    assert done.returncode not in (0, 124, 137)
    assert done.stderr.count("wrong.yaml:1:10: error: writers: 'thred'") == 1, done.stderr
    assert done.stderr.count("(error ") == (1 if program == "minimal_fortran" else 0)


def test_texts_count_and_list_as_fortran_does(tmp_path: Path) -> None:
    (tmp_path / "thalweg.yaml").write_text(
        "time-step: 1 h\nreport: none\ncollections: {history: {file: a.nc}, listed: {}}\n"
    )
    done = mpi.start("numbers_told", 1, tmp_path, limit_s=30)
    assert done.returncode == 0, done.stderr
    expected = [
        'of shape (4, 3) along dimension "x" (fastest first): starts count from 1, and its last cell is 4 at most',
        "gives global index 13 at position 3, but the dimension has 10 points: indices count from 1 to 10",
        "the dimensions are (x,time,y), fastest first",
        "boxes 1 [1:2, 1:3] and 2 [2:4, 1:3] of rank 0 both hold [2:2, 1:3] of the decomposition of shape (4, 3)",
        "decomposition (x,y): no rank owns these parts of the index space (4, 3) (from 1, to their last index, fastest",
        "  [1:1, 1:3]",
        "if they are intended (land)",
        "the dimensions (lat,lon) must have those of the index list (lon,lat)",
        "dimension 2 of the array (fastest first) has 7 elements, but it must have 3",
        "box 2 of 1; boxes count from 1",
        "put twice in record 1;",
    ]
    texts = done.stdout.splitlines()
    assert len(texts) == len(expected), texts
    for text, part in zip(texts, expected, strict=True):
        assert part in text, text
