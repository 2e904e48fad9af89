"""Fields of a session, of which the configuration chooses what collections have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from thalweg import _core, values
from thalweg.values import Attribute

if TYPE_CHECKING:
    from thalweg.session import Session

OF_VALUES = ("_FillValue", "missing_value", "valid_min", "valid_max", "valid_range")
"""Attributes of the type of the values."""


class Field:
    """What the program has and puts in every step. From `Session.define_field`; valid until its session is finished.
    Which collections have what of it is said by the configuration, below `fields` of a collection.

    >>> import numpy as np
    >>> import thalweg
    >>> daily = {"file": "daily.nc", "every": "1 d", "operation": "mean", "fields": ["ssh"]}
    >>> settings = {"report": "none", "time-step": "12 h", "collections": {"daily": daily}}
    >>> with thalweg.start(config=settings) as io:
    ...     cells = io.decompose("x", shape=(2,), start=(0,), count=(2,))
    ...     ssh = io.define_field("ocean/ssh", "x", np.float32, cells, units="m")
    ...     for step in range(1, 5):
    ...         ssh.put([step, 10 * step])
    ...         io.advance(step * 43200.0)
    >>> with thalweg.start(config={"report": "none"}) as io, io.open_input("daily.nc") as daily:
    ...     print(daily.get("ssh", record=1), daily.times)
    [ 3.5 35. ] [ 43200. 129600.]
    """

    def __init__(self, session: Session, handle: _core.Field, name: str) -> None:
        self.session = session
        """The session that it belongs to, which is not forgotten as long as this is used."""
        self.name = name
        self._handle = handle

    def __repr__(self) -> str:
        return f"<thalweg.Field '{self.name}'>"

    def define_attribute(self, name: str, value: Attribute, dtype: DTypeLike | None = None) -> None:
        """Gives an attribute to the variables that are written of it: a text, a number, several, or none. missing_value
        and _FillValue are those of cells without a value, which operations over an interval leave out. Local; every
        client defines the same.

        Raises:
            Error: STATE once the field was put, or a collection that has it has ended its definitions.
            TypeError: for values that no file has.
        """
        if isinstance(value, str):
            _core.define_field_text(self._handle, name, value)
            return
        what = f"attribute '{name}'"
        array = values.attribute_numbers(value, what, dtype)
        _core.define_field_attribute(self._handle, name, values.element_type(array.dtype, what), array)

    def put(
        self,
        field: ArrayLike,
        *,
        box: int = 0,
        weight: float | None = None,
        mask: ArrayLike | None = None,
        start: Sequence[int] | None = None,
    ) -> None:
        """Puts this rank's piece for the step that the coming advance closes, for every collection that has chosen the
        field: what `Collection.put` takes, and numbers of any type where all that is written is gathered over
        intervals. The array may be changed on return. One that no collection has costs next to nothing. Local.

        Args:
            weight: of these values in means, and what is made like them; None: the length of the step.
            mask: of the shape of the field: cells have a value where it is True, not zero, or a real of at least 0.5.
                Others are left out of what is gathered, and filled where the values themselves are written.
            start: the field is a part of the box without halo, whose first cell this is, in the order of the array's
                dimensions. Parts that do not meet are one sample; what is in none of them has no value.

        Raises:
            Error: SHAPE, ARGUMENT, STATE (put twice in one step), and those of `Collection.put`.
        """
        array = values.as_array(field, self.name)
        element = values.TYPES.get(array.dtype) or values.element_type(array.dtype, f"put of '{self.name}'")
        if weight is None and mask is None and start is None:
            _core.put_field(self._handle, box, element, array)
            return
        holds = None if mask is None else np.asarray(mask)
        if holds is not None and holds.dtype == np.bool_:
            holds = holds.view(np.int8)
        if holds is not None and holds.shape != array.shape:
            raise ValueError(f"put of '{self.name}': the mask is {holds.shape}, the array {array.shape}")
        mask_type = element if holds is None else values.element_type(holds.dtype, f"mask of '{self.name}'")
        if start is not None and len(start) != array.ndim:
            raise ValueError(f"put of '{self.name}': a start of {len(start)} dimensions, the array has {array.ndim}")
        _core.put_field_on(self._handle, box, weight, mask_type, holds, start, element, array)

    @property
    def is_wanted(self) -> bool:
        """Whether any collection has chosen it. Local."""
        return _core.is_wanted(self._handle)

    @property
    def is_wanted_now(self) -> bool:
        """Whether its values of this step go anywhere. Local."""
        return _core.is_wanted_now(self._handle)
