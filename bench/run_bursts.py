"""Records that come in bursts: what one costs the model in the first burst and in later ones. See README.md."""

import argparse
import json
import sys
from pathlib import Path
from statistics import mean, median
from typing import Any

from driver import machine
from driver.place import data_folder
from driver.python_model import PythonModel
from rich.console import Console
from rich.table import Table

MODEL = Path(__file__).parent / "bursts" / "model.py"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--builds", type=Path, nargs="+", default=[Path("build/release")], help="with python and lib")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of bursts.json")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--record-mib", type=float, default=19)
    parser.add_argument("--records", type=int, default=12, help="of a burst")
    parser.add_argument("--bursts", type=int, default=4)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between bursts")
    parser.add_argument("--runs", type=int, default=5, help="rounds, in which the builds take turns")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--warm-gib", type=float, default=4.0, help="free memory touched before each run")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one run")
    parser.add_argument("--quick", action="store_true", help="two bursts of three records, one run")
    options = parser.parse_args()
    if options.quick:
        options.records, options.bursts, options.runs, options.warm_gib = 3, 2, 1, 0.0
    return options


def show(options: argparse.Namespace, runs: dict[str, list[Any]], console: Console) -> None:
    title = f"ms a record of {options.record_mib:g} MiB, medians (lowest–highest) of {options.runs} runs"
    table = Table(title=title, title_justify="left")
    for column in ("build", "burst", "stall, mean", "stall, longest", "copy, mean"):
        table.add_column(column, justify="right")
    for build, measured in runs.items():
        for burst in range(options.bursts):
            stalls = [[1e3 * s for s in run["stall_s"][burst]] for run in measured]
            means, longest = [mean(s) for s in stalls], [max(s) for s in stalls]
            copies = [1e3 * mean(run["copy_s"][burst]) for run in measured]
            cells = [f"{median(of):.1f} ({min(of):.1f}–{max(of):.1f})" for of in (means, longest, copies)]
            table.add_row(build, str(burst + 1), *cells)
    console.print(table)


def main() -> int:
    options = arguments()
    console = Console(width=150)
    sizes = [str(of) for of in (options.record_mib, options.records, options.bursts, options.pause)]
    model = PythonModel(MODEL, sizes, options.ranks, options.timeout, options.warm_gib)
    runs: dict[str, list[Any]] = {str(build): [] for build in options.builds}
    with data_folder(options.out, options.data) as data:
        measured_on = machine.describe(data)
        for _ in range(options.runs):
            for build in options.builds:
                runs[str(build)].append(model.run(build, data))
    show(options, runs, console)
    result = {"machine": measured_on, "record_mib": options.record_mib, "ranks": options.ranks, "runs": runs}
    (options.out / "bursts.json").write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
