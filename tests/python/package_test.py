# ctest: SHORT TIMEOUT 120
"""The package as its users and their tools see it: stub, docstrings, types, the example, all of thalweg.h."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python

PACKAGE = mpi.SOURCE / "python" / "thalweg"
STUB = (PACKAGE / "_core.pyi").read_text()
# In _core it has another name, or none because it is told otherwise.
OTHERWISE = {"put_box": "put", "decompose_boxes": "decompose", "error_text": "Code"}


def test_stub_is_what_nanobind_makes_of_the_module(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "thalweg._core", "-o", made],
        env=os.environ | {"PYTHONPATH": python.PATHS},
        check=True,
        timeout=60,
    )
    assert made.read_text() == STUB, f"run nanobind.stubgen as this test does, with -o {PACKAGE / '_core.pyi'}"


def test_every_function_of_the_header_has_one_in_python() -> None:
    header = (mpi.SOURCE / "include" / "thalweg.h").read_text()
    functions = re.findall(r"^THALWEG_API [^;(]*?thalweg_(\w+)\(", header, re.MULTILINE)
    assert len(functions) > 20
    names = set(re.findall(r"^(?:def|class) (\w+)", STUB, re.MULTILINE))
    assert [name for name in functions if OTHERWISE.get(name, name) not in names] == []


def test_every_code_and_type_of_the_header_has_its_number_in_python() -> None:
    header = (mpi.SOURCE / "include" / "thalweg_values.h").read_text()
    constants = re.findall(r"^  THALWEG_(?:ERROR_|EVENT_)?(\w+) = ([1-9]\d*)", header, re.MULTILINE)
    assert len(constants) > 25
    for name, value in constants:
        own = name if f"    {name} = " in STUB else name.lower()
        assert f"    {own} = {value}\n" in STUB


def test_examples_in_docstrings_do_what_they_say(tmp_path: Path) -> None:
    assert int(python.run("docstrings.py", 1, tmp_path)) >= 10
    with netCDF4.Dataset(tmp_path / "heights.nc") as file:
        assert np.asarray(file["height"][:, 0, 0]).tolist() == [10.0, 20.0]


@pytest.mark.parametrize("ranks", [1, 4])
def test_the_example_writes_what_those_in_other_languages_do(tmp_path: Path, ranks: int) -> None:
    python.run(mpi.SOURCE / "examples" / "python" / "minimal.py", ranks, tmp_path)
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert (file["height"].dtype, file["height"].units) == (np.float32, "m")
        wanted = [(1000.0 * record + np.arange(96)).reshape(12, 8) for record in (1, 2, 3)]
        assert np.asarray(file["height"][...]).tobytes() == np.array(wanted, np.float32).tobytes()
