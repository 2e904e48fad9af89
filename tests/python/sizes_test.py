# ctest: SHORT TIMEOUT 120
"""Index spaces with more cells than files have room for: refused at once, without tables as long as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import python

HUGE = 2**33


@pytest.mark.parametrize(
    ("shape", "file_format", "dtype", "said"),
    [
        ((HUGE, HUGE), "cdf5", "float64", ["(y,x)", "more than 2^63 - 1 cells"]),
        ((HUGE, 2**29), "cdf5", "float64", ["'temp'", "more than 2^63 bytes"]),
        ((HUGE, 2**29), "netcdf4", "float64", ["'temp'", "more than 2^63 bytes"]),
        ((HUGE, 2**29), "zarr", "float64", ["'temp'", "more than 2^63 bytes"]),
        ((HUGE,), "cdf2", "float32", ["'x'", str(HUGE), "2147483647"]),
        ((HUGE,), "fortran", "float32", ["'temp'", str(4 * HUGE), "2147483640"]),
        ((2**40,), "cdf5", "float32", ["staging: 2 GiB", "'temp'", "4 TiB"]),
        ((2**40, 4), "netcdf4", "float32", ["staging: 2 GiB", "'temp'", "16 TiB"]),
        ((2**40, 2**18), "zarr", "float32", ["staging: 2 GiB", "'temp'"]),
    ],
    ids=str,
)
@pytest.mark.timeout(60)
def test_sizes_beyond_what_can_be_written_are_refused_at_once(
    tmp_path: Path, shape: tuple[int, ...], file_format: str, dtype: str, said: list[str]
) -> None:
    done = python.start("sizes.py", 2, tmp_path, None, file_format, dtype, *shape, limit_s=50)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines, done.stdout + done.stderr
    for part in said:
        assert part in lines[0]["error"], lines[0]
    assert lines[0]["kib"] < 150_000, lines[0]
    assert lines[0]["seconds"] < 10, lines[0]
