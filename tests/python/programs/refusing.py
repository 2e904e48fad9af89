"""What calls raise, by a label of each, for tests of what is refused."""

from __future__ import annotations

from collections.abc import Callable

import thalweg

raised: dict[str, list[str]] = {}


def refuse(label: str, call: Callable[[], object]) -> None:
    try:
        call()
        raised[label] = ["nothing", "", ""]
    except (RuntimeError, TypeError, ValueError) as error:
        code = error.code.name if isinstance(error, thalweg.Error) else ""
        raised[label] = [type(error).__name__, code, str(error)]
