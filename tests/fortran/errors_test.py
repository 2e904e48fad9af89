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
