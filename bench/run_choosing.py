"""How long it takes from the reading of the configuration until all is ready, where collections choose fields, and
where the program defines their variables. See README.md."""

import json
import os
import sys
from pathlib import Path
from statistics import median

from driver import machine
from driver.builds import parser_for
from driver.place import data_folder
from driver.python_model import PythonModel
from rich.console import Console
from rich.table import Table

MODEL = Path(__file__).parent / "choosing" / "model.py"
WAYS = ("fields", "variables")
STEPS = ("start", "declare", "ready")


def main() -> int:
    parser = parser_for("choosing", __doc__)
    parser.set_defaults(ranks=20, warm_gib=0.0)
    options = parser.parse_args()
    os.environ["THALWEG_LOG"] = "error"  # nothing is put, which is said of each variable
    build = options.builds[0]
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    with data_folder(options.out, options.data) as data:
        measured_on = machine.describe(data)
        for turn in range(options.runs):
            for way in WAYS if turn % 2 == 0 else WAYS[::-1]:
                run = PythonModel(MODEL, [way], options.ranks, options.timeout, options.warm_gib).run(build, data)
                runs[way].append(run)
    (options.out / "choosing.json").write_text(
        json.dumps({"machine": measured_on, "ranks": options.ranks, "runs": runs}, indent=1)
    )
    show(runs, options.ranks)
    return 0


def show(runs: dict[str, list[dict[str, float]]], ranks: int) -> None:
    table = Table(title=f"{ranks} ranks, ms: medians (lowest–highest)", title_justify="left")
    for column in ("", *STEPS, "all"):
        table.add_column(column, justify="right")
    rows = {way: [[1e3 * run[step] for step in STEPS] for run in of_way] for way, of_way in runs.items()}
    # Round by round, so that what else the machine does is in both.
    rows["difference"] = [
        [a - b for a, b in zip(*pair, strict=True)] for pair in zip(rows["fields"], rows["variables"], strict=True)
    ]
    for name, of_runs in rows.items():
        columns = [list(of_step) for of_step in zip(*of_runs, strict=True)]
        columns.append([sum(of_run) for of_run in of_runs])
        table.add_row(name, *(f"{median(of):.0f} ({min(of):.0f}–{max(of):.0f})" for of in columns))
    Console(width=150).print(table)


if __name__ == "__main__":
    sys.exit(main())
