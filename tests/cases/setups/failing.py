"""The set-up of the example, in which the last rank fails in the fifth step."""

import acc
from veros import runtime_state, veros_routine


class Failing(acc.ACC):
    @veros_routine
    def after_timestep(self, state):
        if state.variables.itt == 5 and runtime_state.proc_rank == runtime_state.proc_num - 1:
            raise ArithmeticError("the model has failed")
