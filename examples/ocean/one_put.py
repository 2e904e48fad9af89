"""The demo's run in which the model puts its fields once a step, and gets three kinds of files by the configuration."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import netCDF4
from demo_case import QUICK
from rich import box
from rich.table import Table

FOLDER = "one_put"
STEPS_OF_DAY = int(86400 // QUICK.dt_s)

NAMELIST = """\
&grid
  mask_file = "{mask_path}", levels = {levels}
/
&physics
  dt_s = {dt_s}, tracer_every = {tracer_every}, steps = {steps}, viscosity = {viscosity}
/
&files
  report_file = "report.json", output = "thalweg"
/
"""

CONFIGURATION = """\
writers: thread
time-step: {dt_s} s
collections:
  history:
    file: history.nc
    every: {days} d
  restart:
    file: restart.nc
    every: {days} d
  snapshots:
    file: snapshots.nc
    every: 1 d
    fields: [ssh, temp]
  daily:
    file: daily.nc
    every: 1 d
    operation: mean
    fields: [ssh, temp, salt]
  monthly:
    file: monthly.nc
    every: 1 month
    operation: max
    fields:
      - ssh
      - temp
      - {{name: ssh_range, from: ssh, expression: "max(this) - min(this)"}}
"""


def write_settings(folder: Path, days: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = vars(QUICK) | {"mask_path": QUICK.mask_path, "days": days, "steps": days * STEPS_OF_DAY}
    (folder / "ocean.nml").write_text(NAMELIST.format(**settings))
    (folder / "ocean.yaml").write_text(CONFIGURATION.format(**settings))


def made_of(variable: netCDF4.Variable) -> str:
    """By which operation; an expression is its own name."""
    methods = getattr(variable, "cell_methods", "")
    return str(methods).removeprefix("time: ").split(" (")[0] if methods else str(variable.long_name)


def one_put_table(folder: Path, days: int, launch: Callable[[Path], None]) -> Table:
    """Runs the ocean at 1°, and says what of each field is in which file."""
    write_settings(folder, days)
    launch(folder)
    shown = Table(
        title=f"One put a step, {days} days at 1°: what {folder.name}/ocean.yaml makes of it",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1),
    )
    for heading in ("file", "records", "MB", "what is in it"):
        shown.add_column(heading, justify="right" if heading in ("records", "MB") else "left")
    for name in ("snapshots.nc", "daily.nc", "monthly.nc"):
        with netCDF4.Dataset(folder / name) as file:
            of_time = [of for of in file.variables.values() if of.dimensions[0] == "time" and "lat" in of.dimensions]
            made = [f"{of.name}: {made_of(of)}" for of in of_time]
            megabytes = (folder / name).stat().st_size / 1e6
            shown.add_row(name, str(len(file.dimensions["time"])), f"{megabytes:.0f}", ", ".join(made))
    return shown
