# ctest: TIMEOUT 60
"""What becomes of an error that a Fortran model does not take by stat and errmsg."""

from __future__ import annotations

from pathlib import Path

from support import mpi


def test_an_error_of_all_ranks_ends_the_job_and_is_printed_once(tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("writers: thred\n")
    done = mpi.start("minimal_fortran", 4, tmp_path, "wrong.yaml", limit_s=30)
    assert done.returncode not in (0, 124, 137)
    assert done.stderr.count("wrong.yaml:1:10: error: writers: 'thred'") == 1, done.stderr
    assert done.stderr.count("(error ") == 1
