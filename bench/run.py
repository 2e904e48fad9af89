"""The output benchmark: runs all ways in turn, several times, checks their files, and compares. See README.md."""

import argparse
import json
import shutil
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from driver import chart, machine, show, targets, verify
from driver.launch import RunError, Setup, calibrate, run_once
from driver.place import data_folder
from driver.summary import summarize
from driver.ways import CASES, WAYS, Way, chosen, runs_of
from rich.console import Console

GIB = 2**30
COMPUTE_S = 0.5  # between two records of the large case, at full scale
QUICK_RECORDS = {"large": 2, "servers": 2, "drain": 2, "small": 100, "compressed": 3}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=Path("build/bin/thalweg_bench_output"))
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of output.json and output.png")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--quick", action="store_true", help="a minute: small grid, few records, one run of each way")
    parser.add_argument("--scale", type=Fraction, default=Fraction(1), help="shrinks the grid's area, for example 1/16")
    parser.add_argument("--runs", type=int, default=5, help="rounds; the slow ways take part in at most three")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--records", type=int, default=0, help="of each run, in place of the case's own number")
    parser.add_argument("--cases", type=lambda text: text.split(","), default=list(CASES))
    parser.add_argument("--ways", type=lambda text: text.split(","), help="only these, separated by commas")
    parser.add_argument("--warm-gib", type=float, default=8.0, help="free memory touched before each run")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one run")
    options = parser.parse_args()
    unknown = [name for name in options.ways or [] if name not in WAYS]
    unknown += [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; ways: {', '.join(WAYS)}; cases: {', '.join(CASES)}")
    return options


def make_quick(options: argparse.Namespace) -> None:
    options.scale, options.runs, options.warm_gib, options.timeout = Fraction(1, 16), 1, 0.0, 60.0


class Bench:
    """The runs of one benchmark, with their progress on the terminal."""

    def __init__(self, options: argparse.Namespace, data: Path, console: Console) -> None:
        self.options, self.console = options, console
        self.setup = Setup(options.program.absolute(), data, options.ranks, float(options.scale), 0, options.timeout)

    def prepare(self) -> None:
        seconds = COMPUTE_S * float(self.options.scale)
        self.setup = replace(self.setup, work=calibrate(self.setup, seconds))
        self.console.print(f"computing between records: {self.setup.work:,} multiply-adds a rank, {seconds:.3f} s")

    def all_cases(self) -> dict[str, Any]:
        self.prepare()
        return {case: self.case(case) if case in self.options.cases else [] for case in CASES}

    def case(self, case: str) -> list[dict[str, Any]]:
        ways = chosen(case, self.options.ways)
        runs: dict[str, list[dict[str, Any]]] = {way.name: [] for way in ways}
        errors: dict[str, list[str]] = {way.name: [] for way in ways}
        for number in range(self.options.runs):
            for way in ways:
                if number < runs_of(way, self.options.runs) and not errors[way.name]:
                    self.one(case, way, number, runs[way.name], errors[way.name])
        return [summarize(way, runs[way.name], errors[way.name]) for way in ways]

    def one(self, case: str, way: Way, number: int, runs: list[dict[str, Any]], errors: list[str]) -> None:
        records = QUICK_RECORDS[case] if self.options.quick else self.options.records
        warm_bytes = int(self.options.warm_gib * GIB * (0.25 if case == "small" else 1.0))
        label = f"{case} {number + 1}/{self.options.runs} {way.name:24}"
        try:
            run, folder = run_once(self.setup, case, way, records, warm_bytes)
        except RunError as failure:
            errors.append(str(failure))
            self.console.print(f"{label} [red]failed: {failure}[/]")
            return
        run["round"] = number
        run["values_equal"] = self.check(folder / way.file, run) if way.checked and number == 0 else None
        shutil.rmtree(folder)
        runs.append(run)
        stall = f"stall {1e3 * run['stall_s_per_record']:9.3f} ms  wall {run['wall_s']:6.2f} s"
        self.console.print(
            f"{label} {stall}  others' CPU {run['other_cpu_s']:5.2f} s  {note(run)}", highlight=False, soft_wrap=True
        )

    def check(self, file: Path, run: dict[str, Any]) -> bool:
        try:
            return verify.values_equal(file, run)
        except verify.READ_ERRORS as error:
            self.console.print(f"[red]{file}: {error}[/]")
            return False


def note(run: dict[str, Any]) -> str:
    return show.check_mark(run["values_equal"]) if run["values_equal"] is not None else ""


def main() -> int:
    options = arguments()
    if options.quick:
        make_quick(options)
    console = Console(width=None if sys.stdout.isatty() else 170)
    begin_s = time.monotonic()
    with data_folder(options.out, options.data) as data:
        bench = Bench(options, data, console)
        about = machine.describe(data)
        try:
            report = bench.all_cases()
        except RunError as failure:
            console.print(f"[red]calibration failed: {failure}[/]")
            return 1
    report["targets"] = targets.evaluate(report)
    report["machine"] = about | {"ranks": options.ranks, "scale": float(options.scale), "work": bench.setup.work}
    (options.out / "output.json").write_text(json.dumps(report, indent=1) + "\n")
    chart.draw(report, options.out / "output.png")
    show.show(console, report)
    console.print(f"{options.out}/output.json, {options.out}/output.png; {time.monotonic() - begin_s:.0f} s")
    summaries = [one for case in CASES for one in report[case]]
    return 1 if any(one["errors"] or one["values_equal"] is False for one in summaries) else 0


if __name__ == "__main__":
    sys.exit(main())
