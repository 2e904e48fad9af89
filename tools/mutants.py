#!/usr/bin/env python3
"""Builds the library with one fault after the other and runs the tests that have to find it.

    tools/mutants.py               all of tests/mutants.toml
    tools/mutants.py WORDS…        those whose name has one of the words
    tools/mutants.py --check       only looks whether the text that each replaces is there once

Exit 1 and a line for each fault that no test finds, whose text is not there, whose tests fail without it, or with which
the library cannot be built. The sources are copied into build/mutants, which is built with ccache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "mutants.toml"
COPY = ROOT / "build" / "mutants"
BUILD = COPY / "build" / "release"
TARGETS = (
    "thalweg", "steady", "steady_fortran", "conform", "recover", "thalweg-combine", "fault_calls", "slow_pwrite",
    "difficult_fs",
)  # fmt: skip
LIMIT_S = 900


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def complaint(self, root: Path) -> str:
        """Why it cannot be applied; '' if it can."""
        path = root / self.file
        found = path.read_text().count(self.old) if path.exists() else 0
        return "" if found == 1 else f"{self.file} has {found} times: {self.old}"

    def apply(self, root: Path) -> str:
        """Returns the text as it was."""
        path = root / self.file
        text = path.read_text()
        path.write_text(text.replace(self.old, self.new))
        return text


def mutants() -> list[Mutant]:
    return [Mutant(**one | {"tests": tuple(one["tests"])}) for one in tomllib.loads(LIST.read_text())["mutant"]]


def call(*words: object, log: Path) -> int:
    """Runs a command of the copy with a time limit; its output is kept."""
    with log.open("w") as output:
        try:
            done = subprocess.run([str(word) for word in words], cwd=COPY, env=variables(), stdout=output,
                                  stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            return 124
    return done.returncode


def variables() -> dict[str, str]:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("THALWEG_")}
    return outside | {"THALWEG_TEST_BUILD_DIR": str(BUILD), "THALWEG_TEST_SOURCE_DIR": str(COPY)}


def copy_sources() -> None:
    """Files that did not change keep their times, so that little is built again."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.splitlines()  # fmt: skip
    for name in listed:
        source, copy = ROOT / name, COPY / name
        if not source.is_file() or (copy.is_file() and copy.read_bytes() == source.read_bytes()):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for path in (path for folder in ("src", "tests") for path in (COPY / folder).rglob("*") if path.is_file()):
        if path.relative_to(COPY).as_posix() not in listed:
            path.unlink()
    if not (COPY / ".venv").exists():
        (COPY / ".venv").symlink_to(ROOT / ".venv")


def build() -> int:
    log = COPY / "build.log"
    if not (BUILD / "build.ninja").exists():
        words = ("cmake", "--preset", "release", "-DTHALWEG_BUILD_PYTHON=OFF", "-DTHALWEG_BUILD_BENCH=OFF",
                 "-DTHALWEG_BUILD_EXAMPLES=OFF")  # fmt: skip
        if call(*words, log=log) != 0:
            return 1
    return call("cmake", "--build", BUILD, "--target", *TARGETS, log=log)


def passes(tests: Sequence[str]) -> bool:
    """Whether the tests pass; no test at all, or none that could be started, is no pass and no failure."""
    python = ROOT / ".venv" / "bin" / "python"
    words = ("tools/mpi_env.sh", python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--rootdir={COPY}")
    log = COPY / "tests.log"
    code = call(*words, *tests, log=log)
    if code not in (0, 1):
        raise RuntimeError(f"{' '.join(tests)}: pytest ends with {code}\n{log.read_text()[-2000:]}")
    return code == 0


def judge(mutant: Mutant, sound: dict[tuple[str, ...], bool]) -> str:
    """What is wrong; '' if its tests find it."""
    if complaint := mutant.complaint(COPY):
        return complaint
    if not sound[mutant.tests]:
        return f"its tests fail without it: {' '.join(mutant.tests)}"
    text = mutant.apply(COPY)
    try:
        if build() != 0:
            return f"it cannot be built:\n{(COPY / 'build.log').read_text()[-2000:]}"
        return f"no test finds it: {' '.join(mutant.tests)}" if passes(mutant.tests) else ""
    finally:
        (COPY / mutant.file).write_text(text)


def run(chosen: Sequence[Mutant]) -> int:
    copy_sources()
    if build() != 0:
        print((COPY / "build.log").read_text()[-4000:])
        return 1
    sound = {tests: passes(tests) for tests in dict.fromkeys(mutant.tests for mutant in chosen)}
    wrong = 0
    for mutant in chosen:
        complaint = judge(mutant, sound)
        wrong += bool(complaint)
        print(f"{mutant.name}: {complaint or 'found'}", flush=True)
    build()
    print(f"mutants: {len(chosen)}, {wrong} not found")
    return 1 if wrong else 0


def check(chosen: Sequence[Mutant]) -> int:
    complaints = [f"{mutant.name}: {complaint}" for mutant in chosen if (complaint := mutant.complaint(ROOT))]
    print("\n".join([*complaints, f"mutants: {len(chosen)}, {len(complaints)} without their text"]))
    return 1 if complaints else 0


def main(words: Sequence[str]) -> int:
    if "--check" in words:
        return check(mutants())
    chosen = [one for one in mutants() if not words or any(word in one.name for word in words)]
    return run(chosen) if chosen else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
