"""tools/check_layers.py finds includes that go up, sideways, or to a library that is not theirs."""

from pathlib import Path

import pytest
from check_layers import check_tree


def texts(root: Path, file: str, *includes: str) -> list[str]:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"#include {name}\n" for name in includes), encoding="utf-8")
    return [violation.text for violation in check_tree(root)]


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("api/session.cpp", '"client/session.hpp"'),
        ("exchange/plan.cpp", '"exchange/plan.hpp"'),
        ("exchange/plan.cpp", '"plan.hpp"'),
        ("base/error.hpp", '"thalweg.h"'),
        ("base/error.hpp", "<fmt/format.h>"),
        ("roles/split.cpp", "<mpi.h>"),
        ("store/cdf_file.cpp", "<pnetcdf.h>"),
        ("store/netcdf4_file.cpp", "<netcdf_par.h>"),
        ("store/hdf5_driver.cpp", "<hdf5.h>"),
    ],
)
def test_include_is_allowed(tmp_path: Path, file: str, include: str) -> None:
    assert texts(tmp_path, file, include) == []


@pytest.mark.parametrize(
    ("file", "include", "part"),
    [
        ("exchange/plan.cpp", '"store/mover.hpp"', "look up to store"),
        ("exchange/plan.cpp", '"staging/block.hpp"', "do not see each other"),
        ("exchange/plan.cpp", "<mpi.h>", "only roles/*"),
        ("writer/engine.cpp", '"mpi.h"', "only roles/*"),
        ("store/mover.cpp", "<pnetcdf.h>", "only store/cdf*.cpp"),
        ("store/cdf_file.cpp", "<netcdf.h>", "only store/netcdf4*.cpp"),
        ("store/cdf_file.cpp", "<hdf5.h>", "store/hdf5_driver.cpp"),
        ("helpers/text.cpp", '"base/error.hpp"', "in no layer"),
    ],
)
def test_include_is_refused(tmp_path: Path, file: str, include: str, part: str) -> None:
    (text,) = texts(tmp_path, file, '"base/error.hpp"', include)
    assert part in text
