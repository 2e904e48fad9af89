# ctest: SHORT TIMEOUT 60
"""What THALWEG_LOG=debug says of a collection, whatever its format."""

from __future__ import annotations

from pathlib import Path

from support import mpi, python

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr", "fortran", "user")

MODEL = """
import numpy as np
import thalweg
from mpi4py import MPI

rank = MPI.COMM_WORLD.Get_rank()
collections = {name: {"format": name} for name in %s}
with thalweg.start(MPI.COMM_WORLD, {"report": "none", "collections": collections}) as io:
    cells = io.decompose("y,x", (4, 6), (2 * rank, 0), (2, 6))
    for name in collections:
        history = io.collection(name)
        if name == "user":
            history.set_procedure(lambda block: None)
        history.define_variable("temp", "time,y,x", np.float32, cells)
        history.put("temp", np.zeros((2, 6)))
    io.advance(3600.0)
"""


def test_each_format_says_how_its_records_are_written_and_to_which_file(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL % (FORMATS,))
    command = ["-n", 2, "-x", "THALWEG_LOG=debug", *python.INTERPRETER, "model.py"]
    done = mpi.launch(command, tmp_path, 30, {"PYTHONPATH": python.PATHS})
    assert done.returncode == 0, done.stderr
    for name in FORMATS:
        said = [line for line in done.stderr.splitlines() if line.startswith(f"thalweg: collection '{name}': ")]
        assert any(f": format {name}, " in line and " bytes a record" in line for line in said), done.stderr
        file = tmp_path / (f"{name}.zarr" if name == "zarr" else f"{name}.nc")
        if name != "user":
            assert f"thalweg: collection '{name}': '{file}' grows as '{file}.partial'" in said
            assert f"thalweg: collection '{name}': '{file}' is complete" in said
