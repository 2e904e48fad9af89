"""Prints how many pieces of memory Thalweg takes for some work, with libcount_allocations.so in LD_PRELOAD.

counted_work.py fields NUMBER ATTRIBUTES COLLECTION: so many fields are defined, with an attribute or none, each put
behind its definition. The collection is in JSON, and names all of them unless it says others.

counted_work.py templates NUMBER: so many templates extend one another, and a collection the last of them.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

import numpy as np
import thalweg

taken = ctypes.CDLL(None).taken_pieces_of_memory
taken.restype = ctypes.c_long


def of_fields(number: int, attributes: int, collection: dict[str, Any]) -> int:
    chosen = {"every": "1 h", "fields": [f"f{each}" for each in range(number)]} | collection
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"a": chosen}}) as io:
        io.define_field_dimension("x", 4)
        before = taken()
        for each in range(number):
            field = io.define_field(f"ocean/f{each}", "x", np.float64)
            if attributes:
                field.define_attribute("units", "m")
            field.put(np.arange(4.0))
        work = taken() - before
        io.advance(3600.0)
    return work


def of_templates(number: int) -> int:
    chain = {f"a template of a long chain: {each}": each + 1 for each in range(number)}
    names = [*chain, "last"]
    templates: dict[str, Any] = {name: {"extends": names[behind]} for name, behind in chain.items()}
    templates["last"] = {"format": "cdf5"}
    settings = {"report": "none", "templates": templates, "collections": {"a": {"extends": names[0]}}}
    before = taken()
    thalweg.start(config=settings).finish()
    return taken() - before


if __name__ == "__main__":
    what, count = sys.argv[1], int(sys.argv[2])
    print(of_templates(count) if what == "templates" else of_fields(count, int(sys.argv[3]), json.loads(sys.argv[4])))
