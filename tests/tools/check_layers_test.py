# ctest: SHORT TIMEOUT 30
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
        ("api/session.cpp", '"session/session.hpp"'),
        ("geometry/plan.cpp", '"geometry/plan.hpp"'),
        ("geometry/plan.cpp", '"plan.hpp"'),
        ("base/error.hpp", '"thalweg_values.h"'),
        ("base/error.hpp", "<fmt/format.h>"),
        ("roles/split.cpp", "<mpi.h>"),
        ("mpiio/pnetcdf_library.hpp", "<pnetcdf.h>"),
        ("formats/netcdf4/library.hpp", "<netcdf_par.h>"),
        ("formats/netcdf4/hdf5_library.hpp", "<hdf5.h>"),
        ("formats/registry.cpp", '"formats/cdf/format.hpp"'),
        ("mpiio/pnetcdf_file.cpp", '"formats/cdf/encode_header.hpp"'),
    ],
)
def test_include_is_allowed(tmp_path: Path, file: str, include: str) -> None:
    assert texts(tmp_path, file, include) == []


@pytest.mark.parametrize(
    ("file", "include", "part"),
    [
        ("geometry/plan.cpp", '"storage/mover.hpp"', "look up to storage"),
        ("geometry/plan.cpp", '"staging/block.hpp"', "do not see each other"),
        ("geometry/plan.cpp", "<mpi.h>", "only roles/*"),
        ("writer/engine.cpp", '"mpi.h"', "only roles/*"),
        ("formats/cdf/file.cpp", "<pnetcdf.h>", "only mpiio/pnetcdf_library.hpp"),
        ("formats/cdf/file.cpp", "<netcdf.h>", "only formats/netcdf4/library.hpp"),
        ("formats/cdf/file.cpp", "<hdf5.h>", "only formats/netcdf4/hdf5_library.hpp"),
        ("formats/cdf/file.cpp", '"formats/zarr/file.hpp"', "only formats/registry.cpp"),
        ("formats/limits.cpp", '"formats/zarr/file.hpp"', "only formats/registry.cpp"),
        ("planning/pattern.cpp", '"formats/zarr/file.hpp"', "only formats/registry.cpp"),
        ("helpers/text.cpp", '"base/error.hpp"', "in no layer"),
    ],
)
def test_include_is_refused(tmp_path: Path, file: str, include: str, part: str) -> None:
    (text,) = texts(tmp_path, file, '"base/error.hpp"', include)
    assert part in text


def test_a_header_that_brings_mpi_is_refused_where_mpi_is_not_seen(tmp_path: Path) -> None:
    texts(tmp_path / "src", "roles/roles.hpp", "<mpi.h>")
    texts(tmp_path / "src", "roles/words.hpp", '"roles/roles.hpp"')
    (text,) = texts(tmp_path / "src", "writer/engine.hpp", '"roles/words.hpp"')
    assert "sees <mpi.h>" in text


def test_names_of_mpi_are_refused_in_code_alone(tmp_path: Path) -> None:
    path = tmp_path / "storage" / "mover.hpp"
    path.parent.mkdir()
    path.write_text('// MPI_Comm\nconst char* text = "MPI_Init";\nMPI_Comm comm;\n', encoding="utf-8")
    (violation,) = check_tree(tmp_path)
    assert violation.place == "storage/mover.hpp:3"
    assert "may use MPI_Comm" in violation.text


def test_calls_of_mpi_that_are_not_counted_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "transport" / "plan.cpp"
    path.parent.mkdir()
    lines = [
        "MPI_Isend(a);",
        "MPI_Comm_idup(a);",
        "roles::send_counted(MPI_Issend, a);",
        "MPI_Test(a);",
        "MPI_Ibcast(a);",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert [violation.place[-1] for violation in check_tree(tmp_path)] == ["1", "2", "5"]
