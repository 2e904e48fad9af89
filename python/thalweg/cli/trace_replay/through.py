"""The way through Thalweg: its netCDF calls (thalweg_netcdf.h), as a program makes them that was moved to it."""

from __future__ import annotations

import ctypes
import re
from typing import Any

from numpy.typing import NDArray

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.trace_replay.original import NETCDF4, handle, indices
from thalweg.cli.trace_replay.values import NAMES_OF_TYPES, memory_type
from thalweg.trace.writes import File, Step, with_format

NUMBERS = {name: number for number, name in enumerate(NAMES_OF_TYPES)} | {"long": 10, "ubyte": 7}


class Thalweg:
    """Files by their numbers in the trace; those of the same ranks have a session together."""

    def __init__(self, files: list[File], paths: list[str], comms: list[Any], yaml: str) -> None:
        import thalweg._core as core

        self.library = ctypes.CDLL(core.__file__)  # which has the library of C loaded with it
        self.library.thalweg_error_text.restype = ctypes.c_char_p
        self.files, self.paths, self.comms = files, paths, comms
        self.sessions: dict[tuple[int, ...], ctypes.c_void_p] = {}
        self.ids: dict[int, int] = {}
        self.variables: dict[int, list[int]] = {}
        for file, comm in zip(files, comms, strict=True):
            if comm is not None and tuple(file.ranks) not in self.sessions:
                self.sessions[tuple(file.ranks)] = self.start(comm, yaml)

    def call(self, name: str, *arguments: Any, code: Exit = Exit.FINDING) -> None:
        """What Thalweg refuses of the program's writes is a finding."""
        if getattr(self.library, name)(*arguments) != 0:
            text = self.library.thalweg_error_text().decode("utf-8", "replace")
            # Places in the configuration, which the command has made, tell nothing.
            raise Failure(code, "; ".join(re.findall(r"error: (.*)", text)) or text)

    def start(self, comm: Any, yaml: str) -> ctypes.c_void_p:
        session, clients = ctypes.c_void_p(), ctypes.c_int()
        own = handle(comm)
        arguments = own, yaml.encode(), b"replay-trace", ctypes.byref(session)
        self.call("thalweg_start_text", *arguments, code=Exit.USAGE)
        # A rank that serves is in the start until the others have finished.
        model = type(own)()
        self.call("thalweg_model_comm", session, ctypes.byref(model))
        self.library.MPI_Comm_size(model, ctypes.byref(clients))
        if clients.value != comm.Get_size():
            raise Failure(
                Exit.USAGE, "servers are ranks that the traced program did not have; say 'writers=thread' or 'sync'"
            )
        return session

    def step(self, step: Step, values: NDArray[Any] | None) -> None:
        match step.kind:
            case "create":
                self.create(step)
            case "put":
                assert values is not None
                self.put(step, values)
            case "sync":
                self.call("thalweg_nc_sync", self.ids[step.file])
            case "close":
                self.call("thalweg_nc_close", self.ids[step.file])

    def create(self, step: Step) -> None:
        file = self.files[step.file]
        number = ctypes.c_int()
        mode = with_format(0, file.format)
        session, path = self.sessions[tuple(file.ranks)], self.paths[step.file].encode()
        self.call("thalweg_nc_create", session, path, mode, ctypes.byref(number))
        self.ids[step.file] = own = number.value
        dims: dict[str, int] = {}
        self.variables[step.file] = found = []
        for variable in file.variables:
            if variable.reason:
                found.append(-1)
                continue
            for name, length in zip(variable.dims, variable.lengths, strict=True):
                if name not in dims:
                    self.call("thalweg_nc_def_dim", own, name.encode(), ctypes.c_int64(length), ctypes.byref(number))
                    dims[name] = number.value
            ids = (ctypes.c_int * max(len(variable.dims), 1))(*(dims[name] for name in variable.dims))
            arguments = own, variable.name.encode(), variable.type, len(variable.dims), ids
            self.call("thalweg_nc_def_var", *arguments, ctypes.byref(number))
            found.append(number.value)
            if mode & NETCDF4 and variable.level > 0:
                self.call("thalweg_nc_def_var_deflate", own, number.value, int(variable.shuffle), variable.level)

    def put(self, step: Step, values: NDArray[Any]) -> None:
        """One box; the array has its shape, in which dimensions of one element come and go."""
        start, count = step.boxes[0]
        kind = NUMBERS[memory_type(step.function, self.files[step.file].variables[step.variable].type)]
        rank, variable = len(count), self.variables[step.file][step.variable]
        places = rank, indices(start), rank, indices(count)
        array = ctypes.c_void_p(values.ctypes.data), kind, rank, indices(count), None
        self.call("thalweg_nc_put_vara", self.ids[step.file], variable, *places, *array)

    def finish(self) -> None:
        for session in self.sessions.values():
            self.call("thalweg_finish", ctypes.byref(session))
