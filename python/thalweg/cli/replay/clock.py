"""The model time at which each record of a file is closed."""

from __future__ import annotations

from dataclasses import dataclass

import cftime
import numpy as np

from thalweg.cli.guess import CALENDARS, date_text
from thalweg.cli.replay.plan import Plan, text_of
from thalweg.data import Dataset
from thalweg.time_units import plain


@dataclass(frozen=True)
class Clock:
    start_s: float
    times_s: list[float]  # grows
    settings: dict[str, str]  # of the configuration


def clock_of(dataset: Dataset, plan: Plan) -> Clock:
    """The times that the axis says, where they grow; otherwise records are a second apart. The file's own coordinate
    is a variable like others, so that this has no effect on what is written."""
    return dated(dataset, plan) or Clock(0.0, [float(record + 1) for record in range(plan.records)], {})


def dated(dataset: Dataset, plan: Plan) -> Clock | None:
    axis = dataset.variables.get(plan.record) if plan.record else None
    if axis is None or axis.dims != (plan.record,) or axis.dtype.kind not in "iuf" or axis.size == 0:
        return None
    units, calendar = text_of(axis, "units"), (text_of(axis, "calendar") or "standard").lower()
    if " since " not in units or calendar not in CALENDARS:
        return None
    units = plain(units, calendar)
    try:
        reference = date_text(cftime.num2date(0, units, calendar, only_use_cftime_datetimes=True))
        dates = cftime.num2date(axis.read(), units, calendar, only_use_cftime_datetimes=True)
        times = np.asarray(cftime.date2num(dates, f"seconds since {reference}", calendar), "f8")
    except (ValueError, OverflowError, TypeError):
        return None
    if not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        return None
    step = times[1] - times[0] if len(times) > 1 else 1.0
    return Clock(float(times[0] - step), times.tolist(), {"calendar": calendar, "reference-date": reference})
