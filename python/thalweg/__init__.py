"""Thalweg: output of Earth-system models, in parallel and beside the computation.

    from mpi4py import MPI
    import numpy as np
    import thalweg

    with thalweg.start(MPI.COMM_WORLD, "ocean.yaml") as io:
        if io.is_client:
            cells = io.decompose("y,x", shape=(ny, nx), start=(j0, i0), count=(nj, ni), halo=(1, 1))
            history = io.collection("history")
            history.define_variable("ssh", "time,y,x", np.float32, cells, units="m")
            for step in range(steps):
                history.put("ssh", ssh)  # any NumPy array: strides, orders, types, without a copy
                io.advance(time_s)

Dimensions are listed slowest first ("time,z,y,x"), as ncdump prints them. All indices count from 0. Times are in
seconds. Errors are raised as `thalweg.Error`. The functions and their words are those of thalweg.h.
"""

from thalweg import _core
from thalweg._core import Block, Code, Decomposition, Event
from thalweg.collection import Collection
from thalweg.dataset import Dataset, DatasetVariable
from thalweg.decomposing import Cells, Share, decompose_like, share_of
from thalweg.errors import Error
from thalweg.field import Field
from thalweg.input import Input, InputVariable
from thalweg.input_contents import ContentsVariable, Packing
from thalweg.opening import open
from thalweg.session import Session
from thalweg.starting import recover, register_procedure, serve, start, start_text

__version__ = _core.version()

__all__ = [
    "Block",
    "Cells",
    "Code",
    "Collection",
    "ContentsVariable",
    "Dataset",
    "DatasetVariable",
    "Decomposition",
    "Error",
    "Event",
    "Field",
    "Input",
    "InputVariable",
    "Packing",
    "Session",
    "Share",
    "decompose_like",
    "open",
    "recover",
    "register_procedure",
    "serve",
    "share_of",
    "start",
    "start_text",
]
