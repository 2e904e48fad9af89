"""What a model waits for a field that is forced on it, by its time, beside a get of each record. See README.md."""

import argparse
import json
import sys
from pathlib import Path
from statistics import median

import netCDF4
import numpy as np
from driver import machine
from driver.place import data_folder
from driver.seconds import seconds_of
from rich.console import Console
from rich.table import Table

SHAPE = (1440, 2880)  # 16 MiB of float32
RECORDS = 14
MODEL = Path(__file__).parent / "forcing" / "model.py"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of forcing.json")
    parser.add_argument("--data", type=Path, help="where the files are for a while (default: OUT)")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--computing", type=float, default=0.15, help="seconds of computing in a step")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one launch")
    return parser.parse_args()


def write(path: Path) -> None:
    """Smooth fields with some noise, as winds are."""
    rng = np.random.default_rng(1)
    y, x = np.meshgrid(np.linspace(0, 3, SHAPE[0]), np.linspace(0, 6, SHAPE[1]), indexing="ij")
    kind = "NETCDF4" if path.suffix == ".nc" else "NETCDF3_64BIT_DATA"
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.createDimension("time", None)
        file.createDimension("y", SHAPE[0])
        file.createDimension("x", SHAPE[1])
        times = file.createVariable("time", "f8", ("time",))
        times.units = "hours since 2000-01-01"
        packed = {"zlib": True, "shuffle": True, "chunksizes": (1, 360, 720)} if kind == "NETCDF4" else {}
        wind = file.createVariable("u", "f4", ("time", "y", "x"), **packed)
        for record in range(RECORDS):
            times[record] = 6.0 * record
            noise = rng.integers(0, 64, SHAPE) / 256
            wind[record] = (10 * np.sin(y + 0.1 * record) * np.cos(x) + noise).astype("f4")


def main() -> int:
    options = arguments()
    table = Table(title="ms a call of the slowest rank, medians", title_justify="left")
    for column in (
        *("file", "ranks", "get", "it waits", "get_at, a record is passed", "it waits"),
        *("of the get's", "get_at, between", "a copy"),
    ):
        table.add_column(column, justify="right")
    results = []
    with data_folder(options.out, options.data) as data:
        described = machine.describe(data)
        for name in ("wind.nc", "wind.cdf5"):
            write(data / name)
            for ranks in options.ranks:
                words = [sys.executable, MODEL, data / name, RECORDS, options.computing]
                seconds = seconds_of(words, ranks, options.timeout)
                results.append({"file": name, "ranks": ranks, "seconds": seconds})
                ms = {way: 1e3 * median(of) for way, of in seconds.items()}
                part = ms["waits of get_at"] / ms["waits of get"]
                ways = ("get", "waits of get", "passes a record", "waits of get_at", "between", "copy")
                shown = [f"{ms[way]:.2f}" for way in ways]
                table.add_row(name, str(ranks), *shown[:4], f"{100 * part:.1f} %", *shown[4:])
    (options.out / "forcing.json").write_text(json.dumps({"machine": described, "results": results}, indent=1))
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
