"""What a session does with its fields from step to step."""

from __future__ import annotations

from thalweg import _core, values


class StepsOfFields:
    """A part of `Session`."""

    _handle: _core.Session

    def step(self, end_s: float) -> None:
        """Before the puts of a step: it ends at end_s, in seconds since reference-date, and the next `advance` says the
        same. For steps that are not all as long as time-step: means over them are weighted by their lengths. Local.

        Raises:
            Error: ARGUMENT, STATE.
            TypeError: for what is no number, such as a date.
        """
        values.with_seconds("step", end_s, lambda: _core.step(self._handle, end_s))

    def checkpoint(self) -> None:
        """Keeps what collections have gathered of intervals that have not ended, between two steps, in the next file of
        the collection "checkpoint". In a later run, which says its start by `set_time` and calls `ready` before its
        first put, those with `append: continue` go on from there, on any ranks. Where one cannot, `ready` raises STATE,
        and all others are ready. When this returns the file is complete. Collective over the clients.

        Raises:
            Error: STATE (within a step; ranks have put a field in different steps), and those of `wait`.
        """
        _core.checkpoint(self._handle)
