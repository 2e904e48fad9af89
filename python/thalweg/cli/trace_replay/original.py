"""The way of the traced program: the same calls of the same library, with the same boxes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.trace_replay.values import NAMES_OF_TYPES, memory_type
from thalweg.trace.writes import File, Step, with_format

if TYPE_CHECKING:
    from mpi4py import MPI

NETCDF4 = 0x1000  # NC_NETCDF4


@cache
def library(path: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(path)
    except OSError as fault:
        raise Failure(
            Exit.ENVIRONMENT,
            f"the library that the program wrote by, '{path}', cannot be opened: {fault}; --library names another",
        ) from None


def handle(thing: Any) -> ctypes.c_void_p | ctypes.c_int:
    """A communicator, or an info, as functions of C take it."""
    from mpi4py import MPI

    kind = ctypes.c_void_p if MPI._sizeof(type(thing)) == ctypes.sizeof(ctypes.c_void_p) else ctypes.c_int
    return kind.from_address(MPI._addressof(thing))


def indices(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


class Opened:
    """A file by its number, with what has not been waited for."""

    def __init__(self, file: File, path: str, comm: MPI.Intracomm) -> None:
        self.file, self.path, self.comm = file, path, comm
        self.id = 0
        self.numbers: list[int] = []  # of its variables
        self.requests: list[int] = []
        self.buffers: list[NDArray[Any]] = []
        self.prefix = "nc_" if file.layer == "netcdf" else "ncmpi_"

    def function(self, name: str) -> Any:
        try:
            return getattr(library(self.file.library), name)
        except AttributeError:
            kind = "netCDF-C" if self.prefix == "nc_" else "PnetCDF"
            raise Failure(
                Exit.ENVIRONMENT,
                f"'{self.file.library}' has no function '{name}': it is no library of {kind}, or an older one, or one "
                "without parallel files; --library names another",
            ) from None

    def call(self, name: str, *arguments: Any) -> None:
        code = self.function(name)(*arguments)
        if code != 0:
            text = self.function(f"{self.prefix}strerror")
            text.restype = ctypes.c_char_p
            said = text(code).decode("utf-8", "replace")
            raise Failure(Exit.ENVIRONMENT, f"'{name}' of '{self.file.path}': {said} ({code})")

    def made(self, name: str, *arguments: Any) -> int:
        """What a function gives by its last argument."""
        number = ctypes.c_int()
        self.call(name, *arguments, ctypes.byref(number))
        return number.value

    # ---- definitions

    def create(self, mode: int, is_parallel: bool) -> None:
        self.id = self.opened("create", mode, is_parallel)
        self.define(bool(mode & NETCDF4))

    def open(self, mode: int) -> None:
        """What was there before the traced run is made beforehand."""
        self.id = self.opened("open", mode, self.file.is_parallel)
        self.numbers = [
            self.made(f"{self.prefix}inq_varid", self.id, one.name.encode()) for one in self.file.variables
        ]  # fmt: skip

    def opened(self, what: str, mode: int, is_parallel: bool) -> int:
        path = self.path.encode()
        if self.prefix == "ncmpi_":
            return self.made(f"ncmpi_{what}", handle(self.comm), path, mode, handle(no_info()))
        if is_parallel:
            return self.made(f"nc_{what}_par", path, mode, handle(self.comm), handle(no_info()))
        return self.made(f"nc_{what}", path, mode)

    def define(self, is_netcdf4: bool) -> None:
        """All variables at once, those that the program defined later, too."""
        if self.file.fill is not None:
            self.made(f"{self.prefix}set_fill", self.id, self.file.fill)
        dims: dict[str, int] = {}
        for variable in self.file.variables:
            if variable.reason:
                self.numbers.append(-1)
                continue
            for name, length in zip(variable.dims, variable.lengths, strict=True):
                if name not in dims:
                    size = ctypes.c_int64(length)
                    dims[name] = self.made(f"{self.prefix}def_dim", self.id, name.encode(), size)
            ids = (ctypes.c_int * max(len(variable.dims), 1))(*(dims[name] for name in variable.dims))
            own = variable.name.encode()
            number = self.made(f"{self.prefix}def_var", self.id, own, variable.type, len(variable.dims), ids)
            self.numbers.append(number)
            if is_netcdf4:
                if variable.chunks:
                    self.call("nc_def_var_chunking", self.id, number, 0, indices(variable.chunks))
                if variable.shuffle or variable.level >= 0:
                    has_level = int(variable.level >= 0)
                    level = max(variable.level, 0)
                    self.call("nc_def_var_deflate", self.id, number, int(variable.shuffle), has_level, level)
            if variable.is_unfilled and (is_netcdf4 or self.prefix == "ncmpi_"):
                self.call(f"{self.prefix}def_var_fill", self.id, number, 1, None)
        self.call(f"{self.prefix}enddef", self.id)

    # ---- writing

    def put(self, step: Step, values: NDArray[Any]) -> None:
        name = self.typed(step)
        number = self.numbers[step.variable]
        waits = "iput" in name or "bput" in name
        arguments: list[Any] = [self.id, number]
        if "varn" in name:
            arguments += [len(step.boxes), *(pointers([box[part] for box in step.boxes]) for part in (0, 1))]
        else:
            arguments += [indices(step.boxes[0][0]), indices(step.boxes[0][1])]
        arguments.append(ctypes.c_void_p(values.ctypes.data))
        if not waits:
            return self.call(name, *arguments)
        self.requests.append(self.made(name, *arguments))
        self.buffers.append(values)
        return None

    def typed(self, step: Step) -> str:
        """Of PnetCDF's functions for any type that of the variable."""
        name, variable = step.function, self.file.variables[step.variable]
        own = memory_type(name, variable.type)
        if self.prefix == "nc_" or f"_{own}" in name:
            return name
        is_collective = name.endswith("_all")
        return f"{name.removesuffix('_all')}_{NAMES_OF_TYPES[variable.type]}{'_all' * is_collective}"

    def wait(self, name: str, count: int) -> None:
        if count < 0:
            self.call(name, self.id, count, None, None)
            count = len(self.requests)
        else:
            count = min(count, len(self.requests))
            own = (ctypes.c_int * max(count, 1))(*self.requests[:count])
            self.call(name, self.id, count, own, (ctypes.c_int * max(count, 1))())
        del self.requests[:count]
        del self.buffers[:count]


def pointers(rows: Sequence[Sequence[int]]) -> Any:
    """An array of arrays."""
    arrays = [indices(row) for row in rows]
    return (ctypes.POINTER(ctypes.c_int64) * len(rows))(
        *(ctypes.cast(array, ctypes.POINTER(ctypes.c_int64)) for array in arrays)
    )


def no_info() -> Any:
    from mpi4py import MPI

    return MPI.INFO_NULL


class Original:
    """Files by their numbers in the trace."""

    def __init__(self, files: list[File], paths: list[str], comms: list[Any]) -> None:
        self.files = [Opened(*each) for each in zip(files, paths, comms, strict=True)]
        for opened in self.files:
            if opened.comm is not None:
                require_same_mpi(opened.file)
                if not opened.file.is_made:
                    make_beforehand(opened)

    def step(self, step: Step, values: NDArray[Any] | None) -> None:
        opened = self.files[step.file]
        match step.kind:
            case "create":
                opened.numbers.clear()
                opened.create(step.word, opened.file.is_parallel)
            case "open":
                opened.open(step.word)
            case "put":
                assert values is not None
                opened.put(step, values)
            case "wait":
                opened.wait(step.function, step.word)
            case "access":
                number = opened.file.number_of(step.function)
                if number is not None and opened.numbers[number] >= 0:
                    opened.call("nc_var_par_access", opened.id, opened.numbers[number], step.word)
            case "buffer" if step.function.endswith("attach"):
                opened.call(step.function, opened.id, ctypes.c_int64(step.word))
            case _:
                opened.call(step.function, opened.id)


def require_same_mpi(file: File) -> None:
    from mpi4py import MPI

    if not file.is_parallel:
        return
    theirs = getattr(library(file.library), "MPI_Comm_size", None)
    ours = getattr(ctypes.CDLL(MPI.__file__), "MPI_Comm_size", None)
    if theirs and ours and address(theirs) != address(ours):
        raise Failure(
            Exit.ENVIRONMENT,
            f"'{file.library}', by which the program wrote, is for another MPI library than this Python's mpi4py; "
            "--library names one of the same MPI",
        )


def address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


def make_beforehand(opened: Opened) -> None:
    """A file that the program found, with the variables that it wrote; what else it had is not known."""
    is_first, mode = opened.comm.Get_rank() == 0, with_format(0, opened.file.format)
    if opened.prefix == "ncmpi_":
        opened.create(mode, is_parallel=True)
        opened.call("ncmpi_close", opened.id)
    elif is_first:
        opened.create(mode, is_parallel=False)
        opened.call("nc_close", opened.id)
    opened.comm.Barrier()
