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


def once(program: Path, calls: int, size: int, folder: Path, preload: Path | None) -> float:
    """ns a call."""
    command = [str(program), str(calls), str(size), str(folder / "data")]
    variables = environment(folder, calls + 10000, preload)
    out = subprocess.run(command, env=variables, check=True, stdout=subprocess.PIPE, text=True).stdout
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


def compare_copies(calls: int, repeat: int, folder: Path, preload: Path) -> None:
    """Of a program that nobody here wrote, with chunks of 4 KiB."""
    import netCDF4
    import numpy as np

    source = folder / "source.nc"
    with netCDF4.Dataset(source, "w") as file:
        file.createDimension("x", 1024 * (calls // 2))
        variable = file.createVariable("v", "f4", ("x",), chunksizes=(1024,))
        variable[:] = np.arange(1024 * (calls // 2), dtype="f4")
    # Without, with, with, without: a machine that becomes slower or faster meanwhile does so for both.
    without, share = [], []
    for _ in range(repeat):
        first, *between, last = [copied(source, folder, calls, one) for one in (None, preload, preload, None)]
        without += [1e3 * first, 1e3 * last]
        share.append(100 * (sum(between) / (first + last) - 1))
    print(f"nccopy of {calls // 2} chunks, {repeat} times four runs: {spread(without)} ms of")
    print(f"processor time without, share of the tracer {spread(share)} %")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):8.1f} ({min(values):.1f} … {max(values):.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--bytes", type=int, nargs="+", default=[0, 4096, 65536])
    parser.add_argument("--nccopy", action="store_true", help="a whole program instead")
    parser.add_argument("--folder", type=Path, default=None, help="where data and logs are written")
    options = parser.parse_args()
    program, preload = options.build / "bin" / "trace_overhead", options.build / "lib" / "libthalweg_trace.so"
    if options.nccopy:
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            compare_copies(options.calls, options.repeat, Path(name), preload.resolve())
        return
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
