"""What an event costs: run.py BUILD_FOLDER [--calls N] [--repeat N]; pairs with and without the tracer."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path


def environment(folder: Path, events: int, preload: Path | None) -> dict[str, str]:
    if preload is None:
        return dict(os.environ)
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    added = {"LD_PRELOAD": str(preload), "THALWEG_TRACE_DIR": str(logs), "THALWEG_TRACE_EXCLUDE": "/proc/"}
    return {**os.environ, **added, "THALWEG_TRACE_EVENTS": str(events)}


def remove_logs(folder: Path) -> None:
    for log in folder.glob("logs/*"):
        log.unlink()


def once(command: list[object], events: int, folder: Path, preload: Path | None) -> float:
    """ns a call, as the program says."""
    variables = environment(folder, events, preload)
    words = [str(word) for word in command]
    out = subprocess.run(words, env=variables, check=True, stdout=subprocess.PIPE, text=True).stdout
    remove_logs(folder)
    return float(out)


def copied(source: Path, folder: Path, calls: int, preload: Path | None) -> float:
    """Seconds of processor time of nccopy, which reads a chunk and writes one, half the calls each."""
    variables = environment(folder, calls * 2, preload)
    process = subprocess.Popen(["nccopy", str(source), str(folder / "copy.nc")], env=variables)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"nccopy ended with code {process.returncode}")
    remove_logs(folder)
    return used.ru_utime + used.ru_stime


def compare_copies(calls: int, repeat: int, folder: Path, preload: Path, chunk: int) -> None:
    """Of a program that nobody here wrote, with chunks of so many bytes."""
    import netCDF4
    import numpy as np

    source, values = folder / "source.nc", chunk // 4
    with netCDF4.Dataset(source, "w") as file:
        file.createDimension("x", values * (calls // 2))
        variable = file.createVariable("v", "f4", ("x",), chunksizes=(values,))
        for first in range(0, calls // 2, 4096):
            end = min(first + 4096, calls // 2)
            variable[values * first : values * end] = np.arange(values * (end - first), dtype="f4")
    # Without, with, with, without: a machine that becomes slower or faster meanwhile does so for both.
    without, share = [], []
    for _ in range(repeat):
        first, *between, last = [copied(source, folder, calls, one) for one in (None, preload, preload, None)]
        without += [1e3 * first, 1e3 * last]
        share.append(100 * (sum(between) / (first + last) - 1))
    print(f"nccopy of {calls // 2} chunks of {chunk} bytes, {repeat} times four runs: {spread(without)} ms of")
    print(f"processor time without, share of the tracer {spread(share)} %")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):8.1f} ({min(values):.1f} … {max(values):.1f})"


Ways = list[tuple[str, list[object]]]


def compare_calls(ways: Ways, calls: int, repeat: int, folder: Path, preload: Path) -> None:
    print(f"{calls} calls, {repeat} pairs; ns a call: median (least … most)")
    print(f"{'':>24}  {'without':>28}  {'with':>28}  {'an event':>28}  {'share':>7}")
    for name, command in ways:
        pairs = []
        for _ in range(repeat):
            # Both at once would disturb each other; far apart, the machine's other work would differ.
            without = once(command, 2 * calls + 10000, folder, None)
            pairs.append((without, once(command, 2 * calls + 10000, folder, preload)))
        added = [after - before for before, after in pairs]
        share = statistics.median((after - before) / before for before, after in pairs)
        columns = [[before for before, _ in pairs], [after for _, after in pairs], added]
        print(f"{name:>24}  " + "  ".join(f"{spread(values):>28}" for values in columns) + f"  {share:>6.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--bytes", type=int, nargs="+", default=[0, 4096, 65536])
    parser.add_argument("--puts", action="store_true", help="netCDF's, with boxes, in a library that does nothing")
    parser.add_argument("--nccopy", action="store_true", help="a whole program instead")
    parser.add_argument("--chunk", type=int, default=4096, help="bytes of a chunk of nccopy's file")
    parser.add_argument("--folder", type=Path, default=None, help="where data and logs are written")
    options = parser.parse_args()
    programs, preload = options.build / "bin", (options.build / "lib" / "libthalweg_trace.so").resolve()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        if options.nccopy:
            compare_copies(options.calls, options.repeat, folder, preload, options.chunk)
            return
        puts = programs / "trace_puts"
        ways: Ways = [
            ("moved along one", [puts, options.calls, 1]),
            ("moved along two", [puts, options.calls, 2]),
        ]
        if not options.puts:
            overhead = programs / "trace_overhead"
            ways = [(f"pwrite of {size}", [overhead, options.calls, size, folder / "data"]) for size in options.bytes]
        compare_calls(ways, options.calls, options.repeat, folder, preload)


if __name__ == "__main__":
    main()
