"""The files of the diagnostics: one collection of Thalweg each, in one session."""

from __future__ import annotations

import os

import numpy as np
import thalweg
from numpy.typing import NDArray
from veros import runtime_settings, time, variables
from veros.diagnostics.base import VerosDiagnostic
from veros.state import VerosState, VerosVariables
from veros.variables import TIMESTEPS, Variable

from thalweg_veros import cf, settings
from thalweg_veros.grid import Grid

# Diagnostics of Veros that average over samples, and their counters.
SAMPLES = {"averages": "average_nitts", "overturning": "nitts", "energy": "nitts"}


def values(state: VerosState, var: Variable, data: NDArray, dtype: np.dtype) -> NDArray:
    """What Veros writes of a variable: the present time step, scaled, with the fill value on land."""
    dims = var.dims or ()
    data = np.asarray(data)[tuple(int(state.variables.tau) if dim in TIMESTEPS else slice(None) for dim in dims)]
    if data.dtype == bool:
        data = data.astype(np.uint8)
    if var.scale != 1:
        data = (data * var.scale).astype(dtype)
    mask = var.get_mask(state.settings, state.variables)
    if mask is None:
        return data
    mask = np.asarray(mask, bool)
    mask = mask[(...,) + (np.newaxis,) * (data.ndim - mask.ndim)]
    return np.where(mask, data, np.asarray(variables.get_fill_value(data.dtype), data.dtype))


def file_type(var: Variable) -> np.dtype:
    return np.dtype("uint8" if var.dtype == "bool" else var.dtype or runtime_settings.float_type)


def file_dims(var: Variable) -> list[str]:
    """The dimensions in the file, slowest first: the reverse of Veros' arrays, as in its own files."""
    return [dim for dim in var.dims or () if dim not in TIMESTEPS][::-1]


class DiagnosticFile:
    """The file of one diagnostic, or the series of them."""

    def __init__(
        self,
        session: thalweg.Session,
        grid: Grid,
        state: VerosState,
        diagnostic: VerosDiagnostic,
        date: str,
        time_words: dict[str, str],
    ) -> None:
        self._diagnostic = diagnostic
        self.collection = session.collection(diagnostic.name)
        self._grid = grid
        self._samples = SAMPLES.get(diagnostic.name)
        self._fixed: dict[str, NDArray] = {}
        self._changing: dict[str, tuple[Variable, np.dtype]] = {}
        self.was_written = False
        for name, value in cf.of_file(state, date).items():
            self.collection.define_attribute(None, name, value)
        self._define_time(time_words)
        self._define_variables(state)

    def _define_time(self, time_words: dict[str, str]) -> None:
        attributes = cf.of_time(time_words)
        if self._samples:
            attributes["bounds"] = "time_bounds"
            self.collection.define_dimension("bound", 2)
            self.collection.define_variable("time_bounds", "time,bound", np.float64)
        self.collection.define_variable("time", "time", np.float64, **attributes)

    def _define_variables(self, state: VerosState) -> None:
        own = {key: self._diagnostic.var_meta[key] for key in self._diagnostic.output_variables}
        dims = list(dict.fromkeys(dim for var in own.values() for dim in file_dims(var)))
        sizes = dict(state.dimensions) | (self._diagnostic.extra_dimensions or {})
        for dim in dims:
            if not self._grid.cuts(dim):
                self.collection.define_dimension(dim, sizes[dim])
        for dim in dims:
            self._define_coordinate(state, dim, own.pop(dim, None), sizes[dim])
        for key, var in own.items():
            self._define(key, var, cf.of_variable(key, var, self._mean_of(key)), state, self._diagnostic.variables)

    def _define_coordinate(self, state: VerosState, dim: str, own: Variable | None, size: int) -> None:
        var = own or state.var_meta.get(dim)
        if var is not None and var.active:
            source = self._diagnostic.variables if own else state.variables
            self._define(dim, var, cf.of_coordinate(dim, var), state, source, is_coordinate=True)
        else:
            self.collection.define_variable(dim, dim, np.float64, long_name=f"index of {dim}", units="1")
            self._fixed[dim] = np.arange(size, dtype=np.float64)

    def _define(
        self,
        key: str,
        var: Variable,
        attributes: cf.Attributes,
        state: VerosState,
        source: VerosVariables,
        *,
        is_coordinate: bool = False,
    ) -> None:
        dims, dtype = file_dims(var), file_type(var)
        is_fixed = is_coordinate or not var.time_dependent
        if not is_coordinate:
            attributes["_FillValue"] = variables.get_fill_value(dtype)
        if is_fixed:
            self._fixed[key] = values(state, var, source.get(key), dtype).copy()
        else:
            self._changing[key] = (var, dtype)
        self.collection.define_variable(
            key,
            ",".join(dims if is_fixed else ["time", *dims]),
            dtype,
            self._grid.of(dims),
            memory_dims=",".join(dims[::-1]) or None,
            **attributes,
        )

    def _mean_of(self, key: str) -> str | None:
        return "time: mean" if self._samples and key != "zarea" else None

    @property
    def is_missing(self) -> bool:
        return self.collection.is_due and not self.was_written

    def put_fixed(self) -> None:
        """What is written once in each file: as it was when the diagnostic was initialised."""
        for key, data in self._fixed.items():
            self.collection.put(key, data)
        self._fixed.clear()

    def put_record(self, state: VerosState) -> None:
        now = float(time.convert_time(state.variables.time, "seconds", "days"))
        self.collection.put("time", now)
        if self._samples:
            # Each sample stands for the interval before it. Counted from the samples, which restarts keep.
            interval_days = time.convert_time(self._diagnostic.sampling_frequency or 0.0, "seconds", "days")
            samples = float(self._diagnostic.variables.get(self._samples))
            self.collection.put("time_bounds", [now - samples * interval_days, now])
        for key, (var, dtype) in self._changing.items():
            self.collection.put(key, values(state, var, self._diagnostic.variables.get(key), dtype))
        self.was_written = True


class History:
    """All files of diagnostics. The session begins with the first diagnostic that is initialised, when all have been
    configured; definitions end with the first step."""

    def __init__(self, config: settings.Config) -> None:
        self._config = config
        self._files: dict[str, DiagnosticFile] = {}
        self._time_s: float | None = None  # of the last advance
        self.session: thalweg.Session | None = None

    def _start(self, state: VerosState) -> None:
        comm = runtime_settings.mpi_comm
        active = {name: found for name, found in state.diagnostics.items() if settings.writes(found)}
        self.session = thalweg.start(comm, settings.for_history(self._config, state, active))
        self._grid = Grid(self.session, state.dimensions, with_ghosts=False)
        self._date = comm.bcast(cf.date_of_today())

    def define(self, diagnostic: VerosDiagnostic, state: VerosState) -> None:
        """In place of VerosDiagnostic.initialize_output, which diagnostics call again as long as there is no file."""
        if not settings.writes(diagnostic) or diagnostic.name in self._files:
            return
        path = diagnostic.get_output_file_name(state)
        if os.path.isfile(path) and not runtime_settings.force_overwrite:
            raise OSError(
                f"output file {path} of diagnostic '{diagnostic.name}' exists; change its output_path or the "
                "identifier of the set-up, or enable the runtime setting force_overwrite"
            )
        if self.session is None:
            self._start(state)
        self._files[diagnostic.name] = DiagnosticFile(
            self.session, self._grid, state, diagnostic, self._date, settings.time_words(self._config)
        )

    def write(self, diagnostic: VerosDiagnostic, state: VerosState) -> None:
        """In place of VerosDiagnostic.write_output."""
        file = self._files[diagnostic.name]
        if not file.collection.is_due:
            raise RuntimeError(
                f"diagnostic '{diagnostic.name}' writes at {float(state.variables.time)} s, but not by the "
                "output_frequency that it had when it was initialised; this is fixed then"
            )
        file.put_record(state)

    def close_step(self, state: VerosState, *, is_interrupted: bool = False) -> None:
        """After all outputs of a step, and before the first one. A signal may interrupt a step between its outputs:
        that step has no record then."""
        if self.session is None:
            return
        now_s = float(state.variables.time)
        if self._time_s is None:
            self._begin(now_s)
        elif now_s > self._time_s:
            missing = [name for name, file in self._files.items() if file.is_missing]
            if missing and is_interrupted:
                return
            if missing:
                raise RuntimeError(
                    f"nothing was written at {now_s} s by {', '.join(missing)}, whose output_frequency when it was "
                    "initialised asks for a record; this is fixed then"
                )
            self.session.advance(now_s)
        for file in self._files.values():
            file.was_written = False
        self._time_s = now_s

    def _begin(self, time_s: float) -> None:
        self.session.set_time(time_s)
        self.session.ready()
        for file in self._files.values():
            file.put_fixed()

    def finish(self) -> None:
        if self.session is not None:
            self.session.finish()
            self.session = None
