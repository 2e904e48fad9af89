"""One field of a file into boxes of all ranks: Thalweg's ways of reading beside those of models and of PnetCDF. See
README.md."""

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

SHAPE = ("32", "1024", "1024")  # 256 MiB
QUICK = ("4", "64", "64")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of reading.json")
    parser.add_argument("--data", type=Path, help="where the file is for a while (default: OUT)")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--rounds", type=int, default=9, help="in each of which the ways take turns")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one launch")
    parser.add_argument("--quick", action="store_true", help="a small field, one round")
    options = parser.parse_args()
    if options.quick:
        options.rounds = 1
    return options


def measured(options: argparse.Namespace, data: Path, ranks: int, cache: str) -> dict[str, list[float]]:
    """Seconds of each way in each round."""
    shape = QUICK if options.quick else SHAPE
    program = (options.build / "bin" / "thalweg_bench_reading").resolve()
    words = [program, data / "reading.nc", *shape, options.rounds, cache]
    return seconds_of(words, ranks, options.timeout)


def cell_of(seconds: dict[str, list[float]], way: str) -> str:
    """In all, and how long raw reads of as many bytes, and of the same ones, took to it."""
    ratios = [median(a / b for a, b in zip(seconds[raw], seconds[way], strict=True)) for raw in ("raw", "raw rows")]
    return f"{1e3 * median(seconds[way]):.0f} ({ratios[0]:.2f}, {ratios[1]:.2f})"


def main() -> int:
    options = arguments()
    table = Table(
        title=f"ms, and the time of raw reads to it, in one piece and by rows: medians of {options.rounds} rounds",
        title_justify="left",
    )
    results = []
    with data_folder(options.out, options.data) as data:
        described = machine.describe(data)
        for cache in ("warm", "cold"):
            for ranks in options.ranks:
                seconds = measured(options, data, ranks, cache)
                results.append({"cache": cache, "ranks": ranks, "seconds": seconds})
                ways = [way for way in seconds if not way.endswith(": open")]
                if not table.columns:
                    for column in ("page cache", "ranks", *ways):
                        table.add_column(column, justify="right")
                cells = [cell_of(seconds, way) for way in ways]
                table.add_row(cache, str(ranks), *cells)
    (options.out / "reading.json").write_text(json.dumps({"machine": described, "results": results}, indent=1))
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
