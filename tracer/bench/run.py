"""What an event costs: run.py BUILD_FOLDER [--calls N] [--repeat N]; pairs with and without the tracer."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path


def once(program: Path, calls: int, size: int, folder: Path, preload: Path | None) -> float:
    """ns a call."""
    added = {}
    if preload:
        logs = folder / "logs"
        logs.mkdir(exist_ok=True)
        added = {"LD_PRELOAD": str(preload), "THALWEG_TRACE_DIR": str(logs), "THALWEG_TRACE_EXCLUDE": "/proc/"}
        added["THALWEG_TRACE_EVENTS"] = str(calls + 10000)
    command = [str(program), str(calls), str(size), str(folder / "data")]
    out = subprocess.run(command, env={**os.environ, **added}, check=True, stdout=subprocess.PIPE, text=True).stdout
    for log in folder.glob("logs/*"):
        log.unlink()
    return float(out)


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):8.1f} ({min(values):.1f} … {max(values):.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--bytes", type=int, nargs="+", default=[0, 4096, 65536])
    parser.add_argument("--folder", type=Path, default=None, help="where data and logs are written")
    options = parser.parse_args()
    program, preload = options.build / "bin" / "trace_overhead", options.build / "lib" / "libthalweg_trace.so"
    print(f"{options.calls} calls of pwrite, {options.repeat} pairs; ns a call: median (least … most)")
    print(f"{'bytes':>8}  {'without':>28}  {'with':>28}  {'an event':>28}  {'share':>7}")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for size in options.bytes:
            pairs = []
            for _ in range(options.repeat):
                # Both at once would disturb each other; far apart, the machine's other work would differ.
                without = once(program, options.calls, size, Path(name), None)
                pairs.append((without, once(program, options.calls, size, Path(name), preload.resolve())))
            added = [after - before for before, after in pairs]
            share = statistics.median((after - before) / before for before, after in pairs)
            columns = [[before for before, _ in pairs], [after for _, after in pairs], added]
            print(f"{size:>8}  " + "  ".join(f"{spread(values):>28}" for values in columns) + f"  {share:>6.1%}")


if __name__ == "__main__":
    main()
