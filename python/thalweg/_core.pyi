from collections.abc import Callable, Sequence
import enum
from typing import Any

import numpy.typing


class Code(enum.IntEnum):
    """What kind of error a thalweg.Error is."""

    ARGUMENT = 1
    """An argument that no run could accept."""

    CONFIG = 2
    """The configuration is wrong; the text lists every fault with its place."""

    NAME = 3
    """An unknown or doubly defined name."""

    SHAPE = 4
    """An array, box or type that does not fit what was declared."""

    STATE = 5
    """A call out of order."""

    AGREEMENT = 6
    """Ranks declared different things, overlapping boxes, or holes."""

    MEMORY = 7
    """The staging budget is too small, or memory could not be had."""

    STORAGE = 8
    """A file could not be created, written or published."""

    DEADLINE = 9
    """
    A wait took longer than the deadline; the text says who waits for whom.
    """

    FULL = 10
    """No block was free and when-full is 'fail'."""

    FORMAT = 11
    """The format cannot hold what was asked; the text names one that can."""

    MPI = 12
    """An MPI call failed."""

    PEER = 13
    """Another rank of the node died."""

    INTERNAL = 14
    """A fault of Thalweg itself: please report the text."""

class Type(enum.Enum):
    """Types of elements, named as in NumPy."""

    int8 = 1

    int16 = 2

    int32 = 3

    int64 = 4

    uint8 = 5

    uint16 = 6

    uint32 = 7

    uint64 = 8

    float32 = 9

    float64 = 10

    char = 11
    """One byte of text: dtype S1."""

class Event(enum.Enum):
    """Why a write procedure is called."""

    BEGIN = 1
    """A file begins."""

    BLOCK = 2
    """A block of a variable is complete: write it."""

    RECORD = 3
    """All blocks of the record that this node writes were given."""

    END = 4
    """All of the file that this node writes was given: no more comes."""

class Block:
    """What a write procedure is called with."""

    @property
    def event(self) -> Event:
        """Why it is called; what does not belong to it is None, 0 or ()."""

    @property
    def collection(self) -> str: ...

    @property
    def file(self) -> str:
        """Its name in the configuration, or from Collection.new_file."""

    @property
    def variable(self) -> str | None:
        """BLOCK: its name."""

    @property
    def record(self) -> int | None:
        """
        BLOCK, RECORD: number in the collection; None: of a variable without records.
        """

    @property
    def record_in_file(self) -> int | None:
        """BLOCK, RECORD: number in the file; None: as above."""

    @property
    def time_s(self) -> float:
        """BLOCK, RECORD: model time that closed the record; else 0."""

    @property
    def start(self) -> tuple[int, ...]:
        """BLOCK: where in the variable its first element is."""

    @property
    def count(self) -> tuple[int, ...]:
        """BLOCK: extents of data."""

    @property
    def shape(self) -> tuple[int, ...]:
        """BLOCK: extents of the whole variable."""

    @property
    def checksum(self) -> int:
        """
        BLOCK: wrapping sum of the bits of the elements that were put (not of holes).
        """

    @property
    def data(self) -> numpy.typing.NDArray[Any] | None:
        """
        BLOCK: its elements, read-only and without gaps, in the type of the file and the byte order of the machine; cells that no rank owns hold the fill value. Valid during the call only.
        """

class Session:
    pass

class Decomposition:
    """
    Which part of an index space each rank holds. From Session.decompose or decompose_indices or decompose_points; valid until its session is finished.
    """

def start(comm: int, config: str) -> Session: ...

def start_text(comm: int, yaml: str, origin: str) -> Session: ...

def serve(comm: int, config: str) -> None: ...

def is_open(session: Session) -> bool: ...

def is_client(session: Session) -> bool: ...

def model_comm(session: Session) -> int: ...

def finish(session: Session) -> None: ...

def leave(session: Session) -> None: ...

def decompose(session: Session, dims: str, shape: Sequence[int], boxes: Sequence[tuple[Sequence[int], Sequence[int]]], halo_low: Sequence[int], halo_high: Sequence[int], masked: bool) -> Decomposition: ...

def decompose_indices(session: Session, dim: str, size: int, index: object, masked: bool) -> Decomposition: ...

def decompose_points(session: Session, dims: str, shape: Sequence[int], index: object, masked: bool) -> Decomposition: ...

def ready(session: Session) -> None: ...

def set_time(session: Session, time_s: float) -> None: ...

def set_end_time(session: Session, time_s: float) -> None: ...

def time_units(session: Session) -> tuple[str, str]: ...

def advance(session: Session, time_s: float) -> None: ...

def flush(session: Session) -> None: ...

def wait(session: Session) -> None: ...

def recover(partial: str) -> int: ...

def version() -> str: ...

def mpi_library() -> str: ...

class Collection:
    pass

def open_collection(session: Session, name: str) -> Collection: ...

def open_collection_text(session: Session, name: str, yaml: str) -> Collection: ...

def define_dimension(collection: Collection, name: str, size: int | None) -> None: ...

def define_variable(collection: Collection, name: str, dims: str, type: Type, decomposition: Decomposition | None, memory_dims: str | None) -> None: ...

def define_text(collection: Collection, variable: str | None, name: str, text: str) -> None: ...

def change_text(collection: Collection, variable: str | None, name: str, text: str) -> None: ...

def add_text(collection: Collection, variable: str | None, name: str, text: str) -> None: ...

def define_attribute(collection: Collection, variable: str | None, name: str, type: Type, values: object) -> None: ...

def change_attribute(collection: Collection, variable: str | None, name: str, type: Type, values: object) -> None: ...

def add_attribute(collection: Collection, variable: str | None, name: str, type: Type, values: object) -> None: ...

def set_procedure(collection: Collection, procedure: Callable[[Block], object]) -> None: ...

def register_procedure(collection: str, procedure: Callable[[Block], object]) -> None: ...

def leave_registered() -> None: ...

def put(collection: Collection, variable: str, box: int, type: Type, values: object) -> None: ...

def register_array(collection: Collection, variable: str, box: int, type: Type, array: object) -> None: ...

def put_arrays(collection: Collection) -> None: ...

def restore(collection: Collection, path: str | None, record: int | None) -> float: ...

def is_due(collection: Collection) -> bool: ...

def record(collection: Collection, time_s: float) -> None: ...

def new_file(collection: Collection, file: str) -> None: ...

def close_file(collection: Collection) -> None: ...

def wait_collection(collection: Collection) -> None: ...

class Field:
    pass

def define_field_dimension(session: Session, name: str, size: int) -> None: ...

def define_field(session: Session, name: str, dims: str, type: Type, decomposition: Decomposition | None, memory_dims: str | None, is_static: bool) -> Field: ...

def define_field_text(field: Field, name: str, text: str) -> None: ...

def define_field_attribute(field: Field, name: str, type: Type, values: object) -> None: ...

def put_field(field: Field, box: int, type: Type, values: object) -> None: ...

def put_field_on(field: Field, box: int, weight: float | None, mask_type: Type, mask: object | None, start: Sequence[int] | None, type: Type, values: object) -> None: ...

def step(session: Session, end_s: float) -> None: ...

def checkpoint(session: Session) -> None: ...

def is_wanted(field: Field) -> bool: ...

def is_wanted_now(field: Field) -> bool: ...

class Input:
    pass

def open_input(session: Session, path: str) -> Input: ...

def input_records(input: Input) -> int: ...

def input_variable(input: Input, variable: str) -> tuple[Type, bool, list[int]]: ...

def input_record_at(input: Input, time_s: float) -> int: ...

def declare_input(input: Input, variable: str, dims: str | None, decomposition: Decomposition | None, memory_dims: str | None, periodic: str | None) -> None: ...

def set_missing(input: Input, variable: str, value: float) -> None: ...

def get(input: Input, variable: str, record: int | None, box: int, type: Type, array: object) -> None: ...

def get_at(input: Input, variable: str, time_s: float, box: int, type: Type, array: object) -> None: ...

def input_variables(input: Input) -> list[str]: ...

def input_dimensions(input: Input, variable: str) -> list[str]: ...

def input_packing(input: Input, variable: str) -> tuple[bool, float, float]: ...

def input_attributes(input: Input, variable: str) -> list[tuple[str, Type, bytes]]: ...

def input_times(input: Input) -> list[float]: ...

def select_input(input: Input, variable: str, selection: str | None) -> None: ...

def close_input(input: Input) -> None: ...
