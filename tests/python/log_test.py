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
        assert any(f": format {name}, " in line and " bytes a record, written by rank 0" in line for line in said), (
            done.stderr
        )
        file = tmp_path / (f"{name}.zarr" if name == "zarr" else f"{name}.nc")
        if name != "user":
            assert f"thalweg: collection '{name}': '{file}' grows as '{file}.partial'" in said
            assert f"thalweg: collection '{name}': '{file}' is complete" in said


SERVED = """
import numpy as np
import thalweg
from mpi4py import MPI

settings = {
    "report": "none",
    "writers": {"ranks": {"count": 2, "groups": 2}},
    "collections": {"a": {"file": "a.nc"}, "b": {"file": "b.nc"}},
}
rank = MPI.COMM_WORLD.Get_rank()
with thalweg.start(MPI.COMM_WORLD, settings) as io:
    if io.is_client:
        cells = io.decompose("x", (4,), (2 * rank,), (2, ))
        for name in "ab":
            history = io.collection(name)
            history.define_variable("temp", "time,x", np.float32, cells)
            history.put("temp", np.zeros(2))
        io.advance(3600.0)
"""


def test_the_server_that_writes_a_collection_is_told(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SERVED)
    command = ["-n", 4, "-x", "THALWEG_LOG=debug", *python.INTERPRETER, "model.py"]
    done = mpi.launch(command, tmp_path, 30, {"PYTHONPATH": python.PATHS})
    assert done.returncode == 0, done.stderr
    for name, rank, group in (("a", 2, 0), ("b", 3, 1)):
        told = f"thalweg: collection '{name}': format netcdf4, "
        lines = [line for line in done.stderr.splitlines() if line.startswith(told)]
        assert [line.endswith(f", written by rank {rank}, group {group} of servers") for line in lines] == [True], (
            done.stderr
        )


CROWDED = """
import numpy as np
import thalweg
from mpi4py import MPI

rank = MPI.COMM_WORLD.Get_rank()
with thalweg.start(MPI.COMM_WORLD, {"report": "none", "writers": {"per-node": %d}}) as io:
    io.decompose("x", (4,), (2 * rank,), (2, ))
"""


def test_more_writers_than_a_node_has_ranks_are_told_once(tmp_path: Path) -> None:
    for wanted, said in (
        (2, []),
        (9, ["thalweg: writers: per-node: 9, but no node has more than 2 ranks of this run; all of them write"]),
    ):
        (tmp_path / "model.py").write_text(CROWDED % wanted)
        done = mpi.launch(["-n", 2, *python.INTERPRETER, "model.py"], tmp_path, 30, {"PYTHONPATH": python.PATHS})
        assert done.returncode == 0, done.stderr
        assert [line for line in done.stderr.splitlines() if line.startswith("thalweg: writers")] == said
