"""What a file of a set says of its place in the whole (docs/formats/file-sets.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

CUT = "domain_decomposition"
COUNT = "NumFilesInSet"
RUN = "thalweg_run"


def run_said_in(attributes: Mapping[str, Any]) -> str:
    """Which run a part says it is of; empty: it does not say. By others it may be of any type."""
    said = attributes.get(RUN, "")
    return said.decode(errors="replace") if isinstance(said, bytes) else str(np.asarray(said).tolist())


SET_OF_TWO_RUNS = (
    f"were written by two runs (attribute '{RUN}'), one of which was killed while it replaced the set of the other; "
    "see which run has all of its files, as NAME.nnnn or NAME.nnnn.partial, and move the other's away"
)


def place_in_whole(numbers: Any, size: int) -> tuple[int, int] | None:
    """The start of a dimension's `size` elements, and the extent of the whole; None for numbers that are not first,
    last, start and end of such a dimension."""
    values = np.atleast_1d(numbers)
    if values.shape != (4,) or values.dtype.kind not in "iu":
        return None
    first, last, start, end = (int(value) for value in values)
    if not first <= start <= end <= last or end - start + 1 != size:
        return None
    return start - first, last - first + 1
