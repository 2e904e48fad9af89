"""xarray's engine "thalweg": sets of files, growing files, series and stores, each as one dataset, read when it
is asked for.

    xarray.open_dataset("ocean.nc", engine="thalweg")

Where the package is not installed but found by PYTHONPATH, engine=thalweg.xarray_backend.ThalwegBackend is the same.
"""

from thalweg.xarray_backend.entry import ThalwegBackend

__all__ = ["ThalwegBackend"]
