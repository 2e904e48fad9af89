"""What statistics would cost the model if servers made them, beside what they cost where it puts. See README.md."""

import argparse
import json
import sys
from pathlib import Path
from statistics import median

from driver import machine
from driver.place import data_folder
from driver.seconds import seconds_of
from rich.console import Console
from rich.table import Table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of where.json")
    parser.add_argument("--data", type=Path, help="where the files are for a while (default: OUT)")
    parser.add_argument("--program", type=Path, default=Path("build/release/bin/thalweg_bench_where"))
    parser.add_argument("--cells", type=int, nargs="+", default=[20_000, 200_000, 2_000_000], help="of each field")
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--timeout", type=float, default=240.0, help="seconds for one launch")
    options = parser.parse_args()
    table = Table(title="four fields of float32: the least, and medians of ratios", title_justify="left")
    for column in ("server", "cells", "what", "µs", "of a mean", "of mean, min, max"):
        table.add_column(column, justify="right")
    results = []
    for place in ("ranks", "nodes"):
        for cells in options.cells:
            with data_folder(options.out, options.data) as data:
                described = machine.describe(data)
                words = [options.program.resolve(), cells, options.rounds, place]
                seconds = seconds_of(words, 2, options.timeout, data)
            results.append({"place": place, "cells": cells, "seconds": seconds})
            for way, taken in seconds.items():
                ratios = [
                    median(a / b for a, b in zip(taken, seconds[beside], strict=True))
                    for beside in ("mean", "mean, min, max")
                ]
                table.add_row(
                    place, f"{cells:,}", way, f"{1e6 * min(taken):.1f}", *(f"{ratio:.2f}" for ratio in ratios)
                )
    (options.out / "where.json").write_text(json.dumps({"machine": described, "results": results}, indent=1))
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
