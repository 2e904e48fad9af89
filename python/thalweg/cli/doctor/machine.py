"""Memory, processors and limits of this machine."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

from thalweg.cli.finding import Finding, note, ok
from thalweg.cli.output import bytes_text, counted

STAGING_BYTES = 2 << 30  # unless the configuration says another number
SHM = Path("/dev/shm")
LEFT_BEHIND = {
    "vader_segment.*": "memory of Open MPI jobs that were aborted",
    "sem.OMPIO_*": "semaphores of Open MPI's MPI-IO, for which a job may wait for ever",
}
LARGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/shmem_enabled")
UNLIMITED_BYTES = 1 << 60


def look() -> Iterator[Finding]:
    yield processors()
    yield memory()
    if LARGE_PAGES.is_file():
        yield large_pages()
    yield locked_memory()
    yield open_files()
    if SHM.is_dir():
        yield shared_memory()
        yield from left_behind()


def processors() -> Finding:
    usable, present = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    nodes = len(list(Path("/sys/devices/system/node").glob("node[0-9]*"))) or 1
    of = f" of {present}" if usable != present else ""
    text = f"{counted(usable, 'processor')}{of}, {counted(nodes, 'NUMA node')}"
    if usable == 1 and present > 1:
        return note("processors", text, "this process is bound to one: so will be the helper thread of its ranks")
    return ok("processors", text)


def available_bytes() -> int:
    """Of the machine, or of the container."""
    for line in Path("/proc/meminfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("MemAvailable:"):
            available = int(line.split()[1]) << 10
            return min(available, container_limit())
    return container_limit()


def container_limit() -> int:
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text(encoding="utf-8").strip()
    except OSError:
        return UNLIMITED_BYTES
    return int(text) if text.isdigit() else UNLIMITED_BYTES


def memory() -> Finding:
    available = available_bytes()
    if available < 2 * STAGING_BYTES:
        return note("memory", f"{bytes_text(available)} available; Thalweg takes 2 GiB a node unless told otherwise",
                    "set 'staging' to what the model leaves")  # fmt: skip
    return ok("memory", f"{bytes_text(available)} available; 'staging' takes 2 GiB a node unless told otherwise")


def large_pages() -> Finding:
    """Thalweg asks for them for its staging memory, which Linux calls shared."""
    choice = LARGE_PAGES.read_text(encoding="utf-8").partition("[")[2].partition("]")[0]
    if choice in ("never", "deny"):
        text = f"none for shared memory ({LARGE_PAGES}: {choice}): the first use of staging memory is slow"
        return note("large pages", text, f"as root, on each node: echo advise > {LARGE_PAGES}")
    return ok("large pages", f"for shared memory that asks for them ({choice}), as staging memory does")


def limit_text(limit: int) -> str:
    return "unlimited" if limit == resource.RLIM_INFINITY else bytes_text(limit)


def locked_memory() -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if soft != resource.RLIM_INFINITY and soft < 64 << 20 and Path("/dev/infiniband").exists():
        return note("memlock", f"{limit_text(soft)} may be locked; InfiniBand needs it for messages",
                    "ask for 'memlock unlimited' in /etc/security/limits.conf")  # fmt: skip
    return ok("memlock", f"{limit_text(soft)} may be locked (at most {limit_text(hard)}); Thalweg locks none")


def open_files() -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4096:
        return note("open files", f"{hard} at most", "sets of more files cannot be combined; raise 'ulimit -n'")
    return ok("open files", f"{soft}, which programs may raise to {hard}")


def shared_memory() -> Finding:
    usage = shutil.disk_usage(SHM)
    text = f"{SHM}: {bytes_text(usage.free)} free of {bytes_text(usage.total)}"
    if usage.free < 64 << 20:
        return note("shared", text, "MPI may fail in it: give the container '--shm-size=1g'; Thalweg itself needs none")
    return ok("shared", f"{text}; Thalweg itself needs none")


def bytes_of_file(path: Path) -> int | None:
    """Nothing of what a job has removed meanwhile, and of what is no file."""
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None


def left_behind() -> Iterator[Finding]:
    for pattern, what in LEFT_BEHIND.items():
        sizes = [size for path in SHM.glob(pattern) if (size := bytes_of_file(path)) is not None]
        if sizes:
            files = f"{counted(len(sizes), 'file')} {SHM / pattern} ({bytes_text(sum(sizes))})"
            yield note("shared", f"{files}: {what}, or of one that runs", "when no job of yours runs, remove them")
