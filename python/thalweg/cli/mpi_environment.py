"""In which environment the command starts programs of MPI. What the user has set stays."""

from __future__ import annotations

import os

# More ranks than processors are right here: they then give way to each other. Nor is it a test of whether root may
# start programs.
_OVERSUBSCRIBED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}
# A program without mpiexec would start a daemon for processes that it might spawn.
_ALONE = {"OMPI_MCA_ess_singleton_isolated": "1"}

OVERSUBSCRIBED = {name: os.environ.get(name, value) for name, value in _OVERSUBSCRIBED.items()}
ALONE = {name: os.environ.get(name, value) for name, value in _ALONE.items()}
