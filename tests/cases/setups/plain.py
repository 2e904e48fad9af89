"""The set-up of the example without Thalweg."""

import acc


class Plain(acc.ACC):
    __veros_plugins__ = ()
