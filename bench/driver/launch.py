"""One run: warm memory, launch, wait until everything is on disk, collect the numbers, remove the file."""

import json
import mmap
import os
import resource
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .ways import Way, is_idle

PAGE_BYTES = 4096
LISTED_RECORDS = 20  # longer runs keep quantiles of their stalls instead of each one


@dataclass(frozen=True)
class Setup:
    """What all runs have in common."""

    program: Path
    data: Path  # folder on the file system that is measured
    ranks: int
    scale: float
    work: int
    timeout_s: float


class RunError(RuntimeError):
    """A launch that ended with an error or not in time."""


def warm_memory(bytes_wanted: int) -> None:
    """Touches free memory: pages that a virtual machine's host took back cost ten times more at their next touch."""
    size = min(bytes_wanted, int(available_bytes() * 0.6))
    if size < mmap.PAGESIZE:
        return
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)
        touched = np.frombuffer(memory, dtype=np.uint8)
        touched[::PAGE_BYTES] = 1
        del touched  # the mapping can be closed only when nothing looks at it


def available_bytes() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def busy_cpu_s() -> float:
    """Processor time that anything on this machine has used so far, without idling and waiting."""
    fields = [int(text) for text in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    user, nice, system, _, _, irq, softirq = fields[:7]
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def children_cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def start_ranks(
    setup: Setup, ranks: int, arguments: list[str], mpi_options: list[str] | None = None
) -> subprocess.Popen:
    """Unless the options say so, ranks are not bound to cores: a helper thread would be bound with its rank, and other
    cores idle."""
    command = ["mpiexec", *(mpi_options or []), "-n", str(ranks), str(setup.program), *arguments]
    return subprocess.Popen(command, env={"OMPI_MCA_hwloc_base_binding_policy": "none", **os.environ})


def calibrate(setup: Setup, seconds: float) -> int:
    """Multiply-adds a rank that take all ranks together this long."""
    result = setup.data / "calibration.json"
    arguments = ["--way", "calibrate", "--seconds", str(seconds), "--result", str(result)]
    wait_for(start_ranks(setup, setup.ranks, arguments), None, setup.timeout_s)
    work = json.loads(result.read_text())["work"]
    result.unlink()
    return work


def wait_for(main: subprocess.Popen, helper: subprocess.Popen | None, timeout_s: float) -> None:
    """Waits for the launch, and ends it when it takes too long, its independent writer has failed, or on Ctrl-C."""
    try:
        reason = watch(main, helper, timeout_s)
    except BaseException:
        end_process(main, at_once=True)
        end_process(helper, at_once=True)
        raise
    failed = bool(reason) or main.returncode != 0
    end_process(main, at_once=failed)
    end_process(helper, at_once=failed)
    if failed:
        raise RunError(reason or f"ended with code {main.returncode}")


def watch(main: subprocess.Popen, helper: subprocess.Popen | None, timeout_s: float) -> str:
    """Returns when the launch has ended, or with the reason why it must be ended."""
    end = time.monotonic() + timeout_s
    while main.poll() is None:
        if helper and helper.poll() not in (None, 0):
            return "the independent writer failed"
        if time.monotonic() > end:
            return f"not done after {timeout_s:.0f} s"
        time.sleep(0.005)
    return ""


def end_process(process: subprocess.Popen | None, at_once: bool) -> None:
    if process is None:
        return
    try:
        if at_once:
            process.terminate()
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_once(setup: Setup, case: str, way: Way, records: int, warm_bytes: int) -> tuple[dict[str, Any], Path]:
    """One measurement, and the folder with its file, which the caller removes; a failed run leaves none."""
    folder = setup.data / f"{case}-{way.name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    warm_memory(warm_bytes)
    busy_s, children_s = busy_cpu_s(), children_cpu_s()
    try:
        launch(setup, case, way, records, folder)
    except RunError:
        shutil.rmtree(folder)
        raise
    sync_files(folder / way.file)
    on_disk_at_s = time.monotonic()
    other_s = busy_cpu_s() - busy_s - (children_cpu_s() - children_s)
    run = collect(folder, way)
    run["on_disk_s"] = on_disk_at_s - run.pop("start_s")
    run["throughput_bytes_per_s"] = run["bytes"] / run["on_disk_s"] if way.writes else None
    if way.codec != "none" and not way.writes:
        run["throughput_bytes_per_s"] = handled_times(way) * run["bytes"] / run["wall_s"]
    run["other_cpu_s"] = round(max(0.0, other_s), 2)
    return run, folder


def core_count() -> int:
    return len(os.sched_getaffinity(0))


def ranks_of(setup: Setup, way: Way) -> int:
    return core_count() if way.rank_on_each_core else (1 if way.one_rank else setup.ranks) + way.servers


def launch(setup: Setup, case: str, way: Way, records: int, folder: Path) -> None:
    same_model = "large" if case == "servers" else case
    common = ["--case", same_model, "--scale", str(setup.scale), "--records", str(records)]
    common += ["--file", str(folder / way.file), "--fifo", str(folder / "fifo")]
    if way.settings:
        common += ["--settings", way.settings, "--profile", str(folder / "profile.json")]
    if way.servers:
        common += ["--servers", str(way.servers), "--writers", way.writers]
    if way.servers_apart:
        common += ["--nodes", f"[{setup.ranks}, {way.servers}]"]
    work = setup.work if case in ("large", "servers") else 0
    helper = None
    if way.name == "floor":
        os.mkfifo(folder / "fifo.records")
        os.mkfifo(folder / "fifo.written")
        helper_command = [str(setup.program), "--way", "writer", "--result", str(folder / "writer.json"), *common]
        helper = subprocess.Popen(helper_command)
    arguments = [
        "--way",
        way.program_way or way.name,
        "--work",
        str(work),
        "--result",
        str(folder / "result.json"),
        *common,
    ]
    bound = ["--bind-to", "core"] if way.one_rank else []
    wait_for(start_ranks(setup, ranks_of(setup, way), arguments, bound), helper, setup.timeout_s)


def files_of(output: Path) -> list[Path]:
    """The file, or the files of a store."""
    return [path for path in output.parent.rglob("*") if path.is_file() and str(path).startswith(str(output))]


def sync_files(output: Path) -> None:
    for path in files_of(output):
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


def collect(folder: Path, way: Way) -> dict[str, Any]:
    """The program's numbers, with the independent writer's processor time in them, and what follows from them."""
    run = json.loads((folder / "result.json").read_text())
    writer = folder / "writer.json"
    if writer.exists():
        run["cpu_s"] += json.loads(writer.read_text())["cpu_s"]
    if is_idle(way.name):
        run["bytes"] = 0
    run["cpu_output_s"] = run["cpu_s"] - run["cpu_model_s"]
    run["file_bytes"] = sum(path.stat().st_size for path in files_of(folder / way.file))
    run["compression"] = run["bytes"] / run["file_bytes"] if run["file_bytes"] else None
    if run["bytes"]:
        run["cpu_output_s_per_gb"] = run["cpu_output_s"] / (1e-9 * run["bytes"] * handled_times(way))
    run.update(stall_summary(run["stall_s"]))
    if len(run["stall_s"]) > LISTED_RECORDS:
        del run["stall_s"]
    return run


def handled_times(way: Way) -> int:
    """How often all values are handled."""
    return core_count() if way.rank_on_each_core else 1


def stall_summary(stalls: list[float]) -> dict[str, float]:
    return {
        "stall_s_per_record": float(np.mean(stalls)),
        "stall_first_s": stalls[0],
        "stall_median_s": float(np.median(stalls)),
        "stall_p99_s": float(np.quantile(stalls, 0.99)),
        "stall_max_s": max(stalls),
    }
