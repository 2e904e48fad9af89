#!/usr/bin/env python3
"""A small global atmosphere in NumPy: the Rossby-Haurwitz wave in shallow water, written through Thalweg.

mpiexec -n 4 python atmosphere.py --days 2
"""

from __future__ import annotations

import argparse
import json
import math
import time
from contextlib import nullcontext
from pathlib import Path

import restart
import rossby_haurwitz
import thalweg
from band import Band
from mean import Mean
from mpi4py import MPI
from output import Output
from shallow_water import ShallowWater

HERE = Path(__file__).resolve().parent
DAY_S = 86400


def main() -> None:
    arguments = parse_arguments()
    began = time.perf_counter()
    told = None
    with nullcontext() if arguments.no_output else thalweg.start(MPI.COMM_WORLD, arguments.config) as io:
        if io is None or io.is_client:  # not on ranks that the configuration makes servers
            told = run(MPI.COMM_WORLD if io is None else io.model_comm, io, arguments)
    if told and arguments.report:
        arguments.report.write_text(json.dumps(told | {"wall_s": time.perf_counter() - began}))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=float, default=2.0, help="how long to run (default: 2)")
    parser.add_argument("--grid", default="144x72", metavar="LONxLAT", help="cells (default: 144x72, 2.5 degrees)")
    parser.add_argument("--step", type=float, default=240.0, metavar="S", help="time step in seconds (default: 240)")
    parser.add_argument("--config", type=Path, default=HERE / "atmosphere.yaml", help="what Thalweg writes")
    parser.add_argument("--restart", type=Path, help="go on from this file, in place of the wave's beginning")
    parser.add_argument("--no-output", action="store_true", help="compute alone")
    parser.add_argument("--report", type=Path, help="a JSON file for times and what was conserved")
    return parser.parse_args()


def run(comm: MPI.Comm, io: thalweg.Session | None, arguments: argparse.Namespace) -> dict[str, float] | None:
    """The model on the ranks that compute; what the first of them has to tell."""
    nx, ny = (int(cells) for cells in arguments.grid.split("x"))
    model = ShallowWater(Band(comm, ny, nx))
    mean, begin_s = Mean(model.height), 0.0
    if arguments.restart:
        begin_s = restart.read(arguments.restart, model, mean)
    else:
        rossby_haurwitz.start(model)
    if arguments.step > model.longest_step_s():
        raise ValueError(
            f"--step {arguments.step:g} s is too long: on {nx}x{ny} {model.longest_step_s():.0f} s are stable"
        )
    output = Output(io, model, mean, begin_s) if io else None

    says = Sayings(model)
    steps, output_s = round(arguments.days * DAY_S / arguments.step), 0.0
    for step in range(1, steps + 1):
        model.step(arguments.step)
        mean.add(model.height)
        now_s = begin_s + step * arguments.step
        entered = time.perf_counter()
        if output:
            output.step(now_s)
        output_s += time.perf_counter() - entered
        if math.floor(now_s / DAY_S) > math.floor((now_s - arguments.step) / DAY_S) or step == steps:
            says.state(now_s)
    output_s = comm.allreduce(output_s, MPI.MAX)
    return says.last | {"steps": steps, "output_s": output_s} if comm.Get_rank() == 0 else None


class Sayings:
    """What is conserved, by what it was at the beginning of the run."""

    def __init__(self, model: ShallowWater) -> None:
        self.model = model
        self.mass, self.energy = model.mass(), model.energy()
        self.last: dict[str, float] = {}

    def state(self, now_s: float) -> None:
        mass, energy = self.model.mass() / self.mass - 1, self.model.energy() / self.energy - 1
        wind = self.model.band.largest(self.model.u)
        self.last = {"days": now_s / DAY_S, "mass_change": mass, "energy_change": energy, "wind_m_s": wind}
        if self.model.band.comm.Get_rank() == 0:
            day = now_s / DAY_S
            print(f"day {day:6.2f}: mass {mass:+.1e}, energy {energy:+.1e}, wind {wind:.1f} m/s", flush=True)


if __name__ == "__main__":
    main()
