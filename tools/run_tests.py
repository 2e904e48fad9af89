#!/usr/bin/env python3
"""Runs the tests of a preset of CMakePresets.json, and prints which entries took longest and which most of the
processors.

tools/run_tests.py PRESET [OPTIONS of ctest]: the exit code is that of ctest. Tests write to a disk in memory
(memory_disk.py), but the long ones of "soak", which have hours for one that is slow, and more to write.

tools/run_tests.py sanitizer: prints the one whose turn it is. The tests of "release" run with it alone, since the build
of one takes minutes; entries that are named by -R run whatever the turn."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from memory_disk import memory_disk

ROOT = Path(__file__).resolve().parents[1]
LISTED = 10
SANITIZERS = {"asan": r"^sanitizer\.(address_undefined|jobs\.asan)$", "tsan": r"^sanitizer\.(thread|jobs\.tsan)$"}
TURN = "THALWEG_TEST_TURN"
"""says which cases have their turn (tests/support/turns.py)"""


def seconds_of(record: Path) -> dict[str, float]:
    """How long each entry took that was run, from what ctest has written down."""
    entries = xml.parse(record).getroot().iter("testcase")
    return {entry.attrib["name"]: float(entry.attrib["time"]) for entry in entries if "time" in entry.attrib}


def processor_seconds_of(times: Path) -> dict[str, float]:
    """What each entry took of the processors, from what bash said of its children (test_entry.sh)."""
    return {file.name: children_seconds(file.read_text()) for file in times.iterdir()}


def children_seconds(times: str) -> float:
    """The second line has the seconds in the program and those in the system."""
    both = re.findall(r"(\d+)m([\d.]+)s", times.split("\n")[1])
    return sum(60 * float(minutes) + float(rest) for minutes, rest in both)


def turn() -> str:
    """By the commit, so that another one has other cases; 0 for sources without one."""
    if TURN in os.environ:
        return os.environ[TURN]
    words = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return str(int(done.stdout[:6], 16) % 10000) if done.returncode == 0 else "0"


def sanitizer_in_turn() -> str:
    return list(SANITIZERS)[int(turn()) % len(SANITIZERS)]


def not_in_turn(options: Sequence[str]) -> list[str]:
    """Options of ctest that leave the other sanitizer out, unless entries are named."""
    if any(option in ("-R", "-E") for option in options):
        return []
    others = [entries for sanitizer, entries in SANITIZERS.items() if sanitizer != sanitizer_in_turn()]
    return ["-E", "|".join(others)]


def most(seconds: dict[str, float], many: int = LISTED) -> list[str]:
    """The lines about those with most, and one about all."""
    order = sorted(seconds.items(), key=lambda entry: -entry[1])[:many]
    lines = [f"{taken:8.1f} s  {name}" for name, taken in order]
    return [*lines, f"{sum(seconds.values()):8.1f} s  all {len(seconds)} entries"]


def main(preset: str, *options: str) -> int:
    record = ROOT / "build" / f"tests-{preset}.xml"
    record.parent.mkdir(exist_ok=True)
    record.unlink(missing_ok=True)  # so that nothing is told of an earlier run
    number = turn()
    print(f"What is run by turns, cases and a sanitizer: {TURN}={number} has the same", flush=True)
    if preset == "release":
        options = (*options, *not_in_turn(options))
    command = ["ctest", "--preset", preset, "--output-junit", str(record), *options]
    times = record.with_name(f"times-{preset}")
    shutil.rmtree(times, ignore_errors=True)
    times.mkdir()
    with nullcontext() if preset == "soak" else memory_disk() as folder:
        variables = {"THALWEG_TEST_TIMES": str(times), TURN: number} | ({"TMPDIR": str(folder)} if folder else {})
        done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=False)
    if record.is_file():
        print("\nThe slowest, each by itself:", *most(seconds_of(record)), sep="\n")
        print("\nMost of the processors:", *most(processor_seconds_of(times)), sep="\n")
    return done.returncode


if __name__ == "__main__":
    if sys.argv[1:] == ["sanitizer"]:
        print(sanitizer_in_turn())
        sys.exit()
    sys.exit(main(*sys.argv[1:]))
