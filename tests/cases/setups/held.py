"""The set-up of the example, of which each rank also keeps what it hands over: DIAGNOSTIC.RECORD.RANK.npz."""

import functools
import itertools

import acc
import numpy as np
from veros import runtime_state


def keep(diagnostic, numbers, write, state):
    held = {key: np.asarray(diagnostic.variables.get(key)) for key in diagnostic.output_variables}
    np.savez(f"{diagnostic.name}.{next(numbers)}.{runtime_state.proc_rank}.npz", **held)
    write(state)


class Held(acc.ACC):
    def setup(self):
        super().setup()
        for name in ("energy", "overturning"):
            one = self.state.diagnostics[name]
            one.write_output = functools.partial(keep, one, itertools.count(), one.write_output)
