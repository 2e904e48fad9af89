"""Says what a call is told, for tests of what is refused."""

from __future__ import annotations

from collections.abc import Callable

import thalweg


def told(call: Callable[..., object], *arguments: object) -> None:
    try:
        call(*arguments)
    except thalweg.Error as error:
        print(f"{error.code.name}: {error}", flush=True)
    else:
        print("nothing", flush=True)
