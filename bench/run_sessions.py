"""Two sessions one after the other, on the same ranks: what the first one pays for its memory, and the second one.
See README.md."""

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from driver import machine
from driver.place import data_folder
from driver.python_model import PythonModel
from rich.console import Console
from rich.table import Table

MODEL = Path(__file__).parent / "sessions" / "model.py"
STEPS = ("start_s", "ready_s", "first_record_s", "second_record_s", "finish_s")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--builds", type=Path, nargs="+", default=[Path("build/release")], help="with python and lib")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of sessions.json")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--record-mib", type=int, default=320)
    parser.add_argument("--runs", type=int, default=5, help="rounds, in which the builds take turns")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--warm-gib", type=float, default=4.0, help="free memory touched before each run")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one run")
    parser.add_argument("--quick", action="store_true", help="records of 16 MiB, one run")
    options = parser.parse_args()
    if options.quick:
        options.record_mib, options.runs, options.warm_gib = 16, 1, 0.0
    return options


def show(options: argparse.Namespace, runs: dict[str, list[list[dict[str, float]]]], console: Console) -> None:
    table = Table(title=f"ms, medians (lowest–highest) of {options.runs} runs", title_justify="left")
    for column in ("build", "session", *(step.removesuffix("_s").replace("_", " ") for step in STEPS)):
        table.add_column(column, justify="right")
    for build, measured in runs.items():
        for session in (0, 1):
            values = [[1e3 * run[session][step] for run in measured] for step in STEPS]
            cells = [f"{median(of):.0f} ({min(of):.0f}–{max(of):.0f})" for of in values]
            table.add_row(build, str(session + 1), *cells)
    console.print(table)


def main() -> int:
    options = arguments()
    console = Console(width=150)
    runs: dict[str, list[Any]] = {str(build): [] for build in options.builds}
    model = PythonModel(MODEL, [str(options.record_mib)], options.ranks, options.timeout, options.warm_gib)
    with data_folder(options.out, options.data) as data:
        measured_on = machine.describe(data)
        for _ in range(options.runs):
            for build in options.builds:
                runs[str(build)].append(model.run(build, data))
    show(options, runs, console)
    result = {"machine": measured_on, "record_mib": options.record_mib, "ranks": options.ranks, "runs": runs}
    (options.out / "sessions.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
