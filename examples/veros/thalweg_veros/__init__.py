"""Output of Veros through Thalweg: a plug-in of Veros, which is not changed.

    import thalweg_veros

    class MySetup(VerosSetup):
        __veros_plugins__ = (thalweg_veros,)

All diagnostics that write files, Veros' own and others, then write them through Thalweg, and so do restarts, on any
number of processes. The setting "thalweg_config" names the configuration (thalweg.yaml).

Veros calls the entry points of a plug-in after the diagnostics are made and before they are initialised, and in each
step after the computation. Diagnostics write by two methods of their own, initialize_output and write_output, which are
replaced in the objects of this run. Restarts have no such place: the functions of veros.restart are replaced, and go on
to do what they did for runs without this plug-in.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable

from veros import restart, runtime_settings
from veros.diagnostics.base import VerosDiagnostic
from veros.settings import Setting
from veros.signals import do_not_disturb
from veros.state import VerosState

from thalweg_veros import settings
from thalweg_veros.history import History
from thalweg_veros.restarts import Restarts, open_restart

_outputs: weakref.WeakKeyDictionary[VerosState, _Output] = weakref.WeakKeyDictionary()
_veros_write_restart = restart.write_restart


class _Output:
    """What a run writes: its diagnostics in one session, each restart in one of its own."""

    def __init__(self, state: VerosState) -> None:
        config = settings.read(state)
        self.history = History(config)
        self.restarts = Restarts(config)

    def take_over(self, state: VerosState) -> None:
        for diagnostic in state.diagnostics.values():
            for name, ours in (("initialize_output", self.history.define), ("write_output", self.history.write)):
                setattr(diagnostic, name, do_not_disturb(functools.partial(_with_state, ours, diagnostic)))

    def end(self, state: VerosState) -> None:
        self.restarts.write(state)
        self.restarts.finish()
        self.history.finish()

    def leave(self, error: BaseException) -> None:
        """After an error other ranks may not come to any call, so that nothing can be finished."""
        for part in (self.restarts, self.history):
            if part.session is not None:
                part.session.__exit__(type(error), error, error.__traceback__)


def _with_state(
    ours: Callable[[VerosDiagnostic, VerosState], None], diagnostic: VerosDiagnostic, state: VerosState
) -> None:
    ours(diagnostic, state)


def _setup(state: VerosState) -> None:
    if runtime_settings.diskless_mode:
        return
    _outputs[state] = _Output(state)
    _outputs[state].take_over(state)


def _run(state: VerosState) -> None:
    """In each step, after the computation: what was written beside it is there by now."""
    if state in _outputs:
        _outputs[state].restarts.finish()


@do_not_disturb
def _write_restart(state: VerosState, force: bool = False) -> None:
    """Veros calls it at the begin of each step, when all outputs of the step before are made, and with force at the end
    of the run, also of one that ends by an exception."""
    output = _outputs.get(state)
    if output is None:
        _veros_write_restart(state, force)
        return
    error = sys.exception()
    if force and error is not None and not isinstance(error, (SystemExit, KeyboardInterrupt)):
        output.leave(error)
        return
    output.history.close_step(state, is_interrupted=error is not None)
    if force:
        output.end(state)
    elif output.restarts.is_due(state):
        output.restarts.write(state)


restart.write_restart = _write_restart
restart.h5tools = open_restart

__VEROS_INTERFACE__ = {
    "name": "thalweg",
    "setup_entrypoint": _setup,
    "run_entrypoint": _run,
    "settings": {"thalweg_config": Setting("thalweg.yaml", str, "Configuration of Thalweg; empty: none")},
}
