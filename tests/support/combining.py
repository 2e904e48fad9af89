"""Calls thalweg-combine."""

from __future__ import annotations

import subprocess

from support import mpi

# netCDF4-python says where the plug-ins are that it brings along; thalweg-combine needs none.
OUTSIDE = {name: value for name, value in mpi.OUTSIDE.items() if name != "HDF5_PLUGIN_PATH"}


def combine(*words: object, **variables: object) -> subprocess.CompletedProcess[str]:
    command = [mpi.ENVIRONMENT, "timeout", "60", mpi.program("thalweg-combine"), *words]
    environment = OUTSIDE | {name: str(value) for name, value in variables.items()}
    return subprocess.run(
        [str(word) for word in command], env=environment, capture_output=True, text=True, timeout=90, check=False
    )
