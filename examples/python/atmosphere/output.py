"""All that the model has to do with Thalweg. Files, formats and intervals: atmosphere.yaml. Fields: fields.py."""

from __future__ import annotations

import numpy as np
import thalweg
from fields import AXES, FILE, FILES, PLACES
from grid import Axes
from mean import Mean
from shallow_water import ShallowWater


class Output:
    def __init__(self, io: thalweg.Session, model: ShallowWater, mean: Mean, time_s: float) -> None:
        self.io, self.model, self.mean = io, model, mean
        band, axes = model.band, vars(Axes(model.band.ny, model.band.nx))
        at = {dims: io.decompose(dims, *band.box(dims)) for dims in PLACES}
        self.files = {name: io.collection(name) for name in FILES}
        self.files["history"].define_dimension("bnds", 2)
        self.files["history"].define_attribute("time", "bounds", "time_bnds")
        for name, file in self.files.items():
            for attribute, text in FILE.items():
                file.define_attribute(None, attribute, text)
            for axis, attributes in AXES.items():
                file.define_dimension(axis, len(axes[axis]))
                file.define_variable(axis, axis, np.float64, None, **attributes)
            for variable, field in FILES[name].items():
                file.define_variable(variable, field.dims, field.dtype, at.get(field.place), **field.attributes)
        io.set_time(time_s)
        io.ready()
        for file in self.files.values():
            for axis in AXES:
                file.put(axis, axes[axis])

    def step(self, time_s: float) -> None:
        """The model time is now time_s. What is due is put, and written while the model goes on."""
        for name, file in self.files.items():
            if file.is_due:
                for variable, field in FILES[name].items():
                    file.put(variable, field.values(self.model, self.mean, time_s))
                if name == "history":
                    self.mean.begin_anew(time_s)
        self.io.advance(time_s)
