"""What the numbers were measured on."""

import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any


def first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except OSError:
        return "unknown"
    return (done.stdout.splitlines() or ["unknown"])[0].strip()


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def describe(data: Path) -> dict[str, Any]:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(pages / 2**30, 1),
        "kernel": platform.release(),
        "file_system": first_line(["findmnt", "-n", "-o", "FSTYPE", "-T", str(data)]),
        "mpi": first_line(["mpiexec", "--version"]),
        "load_average_before": os.getloadavg()[0],
    }
