"""The configurations in which the demo runs the ocean."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

BEFORE = "before"  # the run whose restart the others start from


@dataclass(frozen=True)
class Case:
    """A configuration of the model. The last steps carry the restart, apart from the records of the history."""

    mask: str
    levels: int
    dt_s: float
    viscosity: float
    tracer_every: int
    output_every: int
    records: int

    @property
    def steps(self) -> int:
        return self.records * self.output_every + self.tracer_every

    @property
    def before_steps(self) -> int:
        """Those of the run that leaves the restart from which all others start."""
        return self.tracer_every

    @property
    def mask_path(self) -> Path:
        return Path(__file__).resolve().parent / self.mask

    @property
    def ends_s(self) -> float:
        return (self.before_steps + self.steps) * self.dt_s


DEMO = Case("mask_025deg.nc", levels=6, dt_s=800, viscosity=500, tracer_every=4, output_every=4, records=8)
QUICK = Case("mask_1deg.nc", levels=3, dt_s=1800, viscosity=4000, tracer_every=2, output_every=4, records=3)

NAMELIST = """\
&grid
  mask_file = "{mask_path}", levels = {levels}
/
&physics
  dt_s = {dt_s}, tracer_every = {tracer_every}, steps = {steps}, viscosity = {viscosity}
  wind = "{wind}"
/
&files
  restart_from = "{restart_from}", report_file = "report.json"
  output = "{output}", format = "{format}", output_every = {output_every}
/
"""

CONFIGURATION = """\
writers: {writers}
time-step: {dt_s} s
forcing:
  wind:
    file: ../wind.nc
collections:
  history:
    file: history.nc
    every: {output_every} steps
    format: {format}
  restart:
    file: restart.nc
    every: {steps} steps
    format: {format}
    priority: high
"""


def write_settings(folder: Path, case: Case, format: str, way: str, steps: int, restart_from: str) -> None:
    """In a new folder. Through Thalweg the wind has its name in the configuration."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    is_by_hand = way not in ("sync", "thread")
    settings: dict[str, Any] = asdict(case) | {
        "steps": steps,
        "mask_path": case.mask_path,
        "wind": "../wind.nc" if is_by_hand else "wind",
        "restart_from": restart_from,
        "output": way if is_by_hand else "thalweg",
        "format": format,
        "writers": way,
    }
    (folder / "ocean.nml").write_text(NAMELIST.format(**settings))
    (folder / "ocean.yaml").write_text(CONFIGURATION.format(**settings))
