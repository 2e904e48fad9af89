"""Restarts that Veros reads: HDF5 files with a group for the core and one for each diagnostic.

Thalweg's netCDF-4 files have no groups. So variables are named "core.temp", and when the file is complete rank 0 adds
the groups, in which each variable has a second name (a hard link), "core/temp": no value moves.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import thalweg
from veros import logger, runtime_settings
from veros.io_tools import hdf5
from veros.state import VerosState, VerosVariables
from veros.variables import Variable

from thalweg_veros import cf, settings
from thalweg_veros.grid import Grid

Dimensions = Mapping[str, int]


def parts(state: VerosState) -> Iterator[tuple[str, dict[str, Variable], VerosVariables, Dimensions]]:
    """The groups of a restart: name, variables, their values and all dimensions."""

    def kept(var_meta: dict[str, Variable]) -> dict[str, Variable]:
        return {key: var for key, var in var_meta.items() if var.write_to_restart and var.active}

    yield "core", kept(state.var_meta), state.variables, state.dimensions
    for name, diagnostic in state.diagnostics.items():
        if diagnostic.var_meta:
            dimensions = dict(state.dimensions) | (diagnostic.extra_dimensions or {})
            yield name, kept(diagnostic.var_meta), diagnostic.variables, dimensions


class Restarts:
    """Each restart is a session of its own, so that its file is complete one step later, and not at the end of the run
    or with the next restart."""

    def __init__(self, config: settings.Config) -> None:
        self._config = config
        self._path = ""
        self._groups: list[str] = []
        self.session: thalweg.Session | None = None

    def is_due(self, state: VerosState) -> bool:
        """Veros' own rule."""
        chosen, now = state.settings, state.variables
        if not chosen.restart_frequency:
            return False
        return now.itt > 0 and now.time % chosen.restart_frequency < chosen.dt_tracer

    def write(self, state: VerosState) -> None:
        """Returns when all values are in the memory of Thalweg."""
        if not state.settings.restart_output_filename:
            return
        self.finish()
        words = dict(state.variables.items()) | dict(state.settings.items())
        self._path = state.settings.restart_output_filename.format(**words)
        logger.info(f"Writing restart file {self._path}")
        self.session = thalweg.start(runtime_settings.mpi_comm, settings.for_restart(self._config, self._path))
        self._put_all(state, self.session.collection(settings.RESTART))
        if state.variables.time > 0.0:
            self.session.advance(float(state.variables.time))
        self.session.flush()

    def _put_all(self, state: VerosState, collection: thalweg.Collection) -> None:
        grid = Grid(self.session, state.dimensions, with_ghosts=True)
        sizes: dict[str, int] = {}
        arrays: dict[str, np.ndarray[Any, Any]] = {}
        self._groups = []
        for group, metas, source, dimensions in parts(state):
            self._groups.append(group)
            for key, var in metas.items():
                dims = var.dims or ()
                for dim in dims:
                    if not grid.cuts(dim) and dim not in sizes:
                        sizes[dim] = dimensions[dim]
                        collection.define_dimension(dim, sizes[dim])
                data = np.asarray(source.get(key))
                name = f"{group}.{key}"
                collection.define_variable(name, ",".join(dims), data.dtype, grid.of(dims), **cf.of_variable(key, var))
                arrays[name] = data[grid.slices(dims)[1]]
        for name, data in arrays.items():
            collection.put(name, data)

    def finish(self) -> None:
        """Returns when the file is complete. Collective."""
        if self.session is None:
            return
        self.session.finish()
        self.session = None
        if runtime_settings.mpi_comm.Get_rank() == 0:
            add_groups(self._path, self._groups)


def add_groups(path: str, groups: list[str]) -> None:
    import h5py

    with h5py.File(path, "r+") as file:
        names = [name for name in file if "." in name]
        for group in groups:
            file.require_group(group)
        for name in names:
            group, key = name.split(".", 1)
            file[group][key] = file[name]


class _Ungrouped:
    """A restart without its groups: of a run that was killed, after thalweg.recover."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getitem__(self, group: str) -> _Group:
        prefix = f"{group}."
        return _Group({name.removeprefix(prefix): self._file[name] for name in self._file if name.startswith(prefix)})


class _Group(dict[str, Any]):
    attrs: Mapping[str, Any] = {}


class open_restart:
    """In place of veros.io_tools.hdf5 in veros.restart, whose restarts many processes read only with an HDF5 library
    for MPI: each process opens the file for itself."""

    @staticmethod
    @contextlib.contextmanager
    def threaded_io(path: str, mode: str) -> Iterator[Any]:
        import h5py

        if mode != "r":
            with hdf5.threaded_io(path, mode) as file:
                yield file
            return
        with h5py.File(path, mode) as file:
            yield file if "core" in file else _Ungrouped(file)
