"""Writes a file again through Thalweg, as a model on several ranks would."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import thalweg
from thalweg.cli.replay.clock import Clock
from thalweg.cli.replay.fields import Fields
from thalweg.cli.replay.holding import attribute_value
from thalweg.cli.replay.job import COLLECTION
from thalweg.cli.replay.plan import Plan
from thalweg.cli.replay.told import Told
from thalweg.data import Dataset

if TYPE_CHECKING:
    from mpi4py import MPI


@dataclass
class Timing:
    """Of one rank."""

    stalls_s: list[float] = field(default_factory=list)  # what each record kept the model from going on
    ready_s: float = 0.0  # until the first record could begin
    finish_s: float = 0.0  # after the last one
    wall_s: float = 0.0  # of all, from the first record's begin; without reading of records
    reading_s: float = 0.0  # between records


@dataclass(frozen=True)
class How:
    halo: int
    step_s: float
    keeps_all: bool  # all records are in memory before the first is written
    told: Told


def play(comm: MPI.Comm, yaml: str, dataset: Dataset, plan: Plan, clock: Clock, how: How) -> Timing:
    timing = Timing()
    start = time.perf_counter()
    with thalweg.start_text(comm, yaml, "replay", on_exception="raise") as io:
        if not io.is_client:
            return timing
        model = io.model_comm
        fields = Fields(plan, model.Get_size(), model.Get_rank(), how.halo)
        output = define(io, dataset, plan, fields)
        io.set_time(clock.start_s)
        io.ready()
        timing.ready_s = time.perf_counter() - start
        if how.keeps_all:
            fields.keep(range(plan.records))
        fixed = [(planned.name, fields.read(planned, 0)) for planned in fields.held(has_record=False)]
        model.Barrier()
        begin = time.perf_counter()
        for name, values in fixed:
            output.put(name, values)
        if not plan.records:
            timing.stalls_s.append(time.perf_counter() - begin)
        for record, model_time_s in enumerate(clock.times_s):
            one_record(io, output, fields, record, model_time_s, how.step_s, timing)
            how.told.step()
        closing = time.perf_counter()
        io.finish()
        timing.finish_s = time.perf_counter() - closing
    timing.wall_s = time.perf_counter() - begin - timing.reading_s
    return timing


def one_record(
    io: thalweg.Session,
    output: thalweg.Collection,
    fields: Fields,
    record: int,
    model_time_s: float,
    step_s: float,
    timing: Timing,
) -> None:
    began = time.perf_counter()
    pieces = [(planned.name, fields.of(planned, record)) for planned in fields.held(has_record=True)]
    timing.reading_s += time.perf_counter() - began
    if step_s > 0:
        time.sleep(step_s)
    began = time.perf_counter()
    for name, values in pieces:
        output.put(name, values)
    io.advance(model_time_s)
    timing.stalls_s.append(time.perf_counter() - began)


def define(io: thalweg.Session, dataset: Dataset, plan: Plan, fields: Fields) -> thalweg.Collection:
    grids = {}
    for cut, shape in plan.grids.items():
        box = fields.boxes[cut]
        halo = (fields.halo,) * len(cut)
        grids[cut] = io.decompose(",".join(cut), shape, boxes=[] if box is None else [box], halo=halo)
    output = io.collection(COLLECTION)
    for name, dim in plan.dims.items():
        if dim.size > 0 and name != plan.record_name:
            output.define_dimension(name, dim.size)
    for planned in plan.variables:
        output.define_variable(
            planned.name,
            ",".join(((plan.record_name,) if planned.has_record else ()) + planned.dims),
            planned.source.dtype,
            grids.get(planned.cut),
        )
        for name, value in planned.source.attributes.items():
            if f"{planned.name}:{name}" not in plan.left_out:
                output.define_attribute(planned.name, name, attribute_value(planned.source, name, value, dataset.kind))
    for name, value in dataset.attributes.items():
        if f":{name}" not in plan.left_out:
            output.define_attribute(None, name, attribute_value(None, name, value, dataset.kind))
    return output
