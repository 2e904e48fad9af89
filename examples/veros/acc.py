"""Veros' set-up "acc" (Atlantic and Southern Ocean, 30 x 42 x 15 cells) with output through Thalweg.

mpiexec -n 4 veros run acc.py -n 2 2 -s runlen 432000
"""

import thalweg_veros
from veros import veros_routine
from veros.setups.acc import acc

DAY_S = 86400.0


class ACC(acc.ACCSetup):
    __veros_plugins__ = (thalweg_veros,)  # the only line that Thalweg needs

    @veros_routine
    def set_diagnostics(self, state):
        super().set_diagnostics(state)
        state.diagnostics["snapshot"].output_frequency = DAY_S
        for name in ("averages", "overturning", "energy"):
            state.diagnostics[name].output_frequency = 2 * DAY_S
            state.diagnostics[name].sampling_frequency = state.settings.dt_tracer
