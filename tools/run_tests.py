#!/usr/bin/env python3
"""Runs the tests of a preset of CMakePresets.json, and prints which entries took longest.

tools/run_tests.py PRESET [OPTIONS of ctest]. The exit code is that of ctest. Tests write to a disk in memory
(memory_disk.py), but the long ones of "soak", which have hours for one that is slow, and more to write."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import xml.etree.ElementTree as xml
from contextlib import nullcontext
from pathlib import Path

from memory_disk import memory_disk

ROOT = Path(__file__).resolve().parents[1]
SLOWEST = 10


def seconds_of(record: Path) -> dict[str, float]:
    """How long each entry took that was run, from what ctest has written down."""
    entries = xml.parse(record).getroot().iter("testcase")
    return {entry.attrib["name"]: float(entry.attrib["time"]) for entry in entries if "time" in entry.attrib}


def slowest(seconds: dict[str, float], many: int = SLOWEST) -> list[str]:
    """The lines about the slowest, and one about all."""
    order = sorted(seconds.items(), key=lambda entry: -entry[1])[:many]
    lines = [f"{taken:8.1f} s  {name}" for name, taken in order]
    return [*lines, f"{sum(seconds.values()):8.1f} s  all {len(seconds)} entries, each by itself"]


def main(preset: str, *options: str) -> int:
    record = ROOT / "build" / f"tests-{preset}.xml"
    record.parent.mkdir(exist_ok=True)
    record.unlink(missing_ok=True)  # so that nothing is told of an earlier run
    command = ["ctest", "--preset", preset, "--output-junit", str(record), *options]
    with nullcontext() if preset == "soak" else memory_disk() as folder:
        variables = {"TMPDIR": str(folder)} if folder else {}
        done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=False)
    if record.is_file():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print("\nThe slowest:", *slowest(seconds_of(record)), sep="\n")
        print(f"{used.ru_utime + used.ru_stime:8.1f} s  of processors")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
