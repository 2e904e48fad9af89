"""What Thalweg does for many configurations, written down, so that a change that is to change nothing can be shown to:

    python tests/behaviour/record.py record FACTS.json     of the build THALWEG_TEST_BUILD_DIR
    python tests/behaviour/record.py compare FACTS.json    of another one: what differs (then exit 1)

A fact is the digest of a file; how many messages of a kind a rank sends, and how many bytes; how many calls of a kind
it makes to a file; where a call fails or kills, the exit code and what was said. Some depend on how quick a thread was.
So each configuration is run several times, and what is the same every time is a fact; a comparison also runs several
times, and a fact holds that is met once.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import mpi
from support.cases import SERVER_VALUES, SET_VALUES, VALUES, Case, filled

RUNS = 3
CONFIGURATIONS = 60
Facts = dict[str, str]


@dataclass(frozen=True)
class Fault:
    """What goes wrong in rank 0, in the words of tests/faults/fault_calls.c."""

    kinds: str = ""
    number: int = 0
    action: str = ""

    @property
    def variables(self) -> dict[str, str]:
        if not self.kinds:
            return {}
        said = {"KINDS": f" {self.kinds} ", "NUMBER": self.number, "ACTION": self.action, "LASTS": 1}
        return {f"THALWEG_TEST_CALLS_{name}": str(value) for name, value in said.items()}


NO_FAULT = Fault()
EIO, ENOSPC = "5", "28"
FAULTS = (
    Fault("create", 2, EIO),
    Fault("write", 3, ENOSPC),
    Fault("write", 9, EIO),
    Fault("sync", 2, EIO),
    Fault("rename", 1, EIO),
    Fault("write", 7, "half"),
    Fault("rename", 1, "before"),
)


@dataclass(frozen=True)
class Observed:
    """One run of a case in a folder of its own."""

    folder: Path
    case: Case
    fault: Fault = NO_FAULT

    def run(self) -> Facts:
        job = self.case.job
        words = job.prepare(self.folder)
        watched = {
            "LD_PRELOAD": f"{mpi.BUILD}/lib/libcount_messages.so:{mpi.BUILD}/lib/libfault_calls.so",
            "THALWEG_TEST_MESSAGES": str(self.folder / "messages"),
            "THALWEG_TEST_CALLS_UNDER": str(self.folder),
            "THALWEG_TEST_CALLS_RANK": "0",
            "THALWEG_TEST_CALLS_LOG": str(self.folder.with_suffix(".calls")),
            "THALWEG_RUN_ID": "behaviour",
        } | self.fault.variables
        settings = [word for name, value in watched.items() for word in ("-x", f"{name}={value}")]
        done = mpi.launch([*settings, "-n", job.ranks, mpi.program(job.program), *words], self.folder,
                          environment=dict(job.environment))  # fmt: skip
        facts = self.messages() | self.calls() | self.files()
        if self.fault == NO_FAULT:
            assert done.returncode == 0, f"{self.case}: exit {done.returncode}\n{done.stdout}{done.stderr}"
            return facts
        return facts | {"exit": str(done.returncode)} | self.said(done.stdout + done.stderr)

    def said(self, text: str) -> Facts:
        """Lines of Thalweg's own, without what is different in every run."""
        lines = {re.sub(r"\b\d[\d.:T-]*|0x\w+", "N", line.replace(str(self.folder), "")) for line in text.splitlines()}
        return {f"says {line}": "yes" for line in lines if "thalweg" in line}

    def messages(self) -> Facts:
        facts = {}
        for file in self.folder.glob("messages.*"):
            for line in file.read_text().splitlines():
                call, tag, ranks, count, size = line.split()
                facts[f"rank {file.suffix[1:]} {call} tag {tag} of {ranks} ranks"] = f"{count} with {size} bytes"
            file.unlink()
        return facts

    def calls(self) -> Facts:
        log = self.folder.with_suffix(".calls")
        lines = log.read_text().splitlines() if log.exists() else []
        counts = Counter(line.replace(f"{self.folder}/", "") for line in lines)
        return {f"rank 0 calls {call}": str(count) for call, count in counts.items() if "/c/" not in call}

    def files(self) -> Facts:
        every = [path for path in sorted(self.folder.rglob("*")) if path.is_file() and path.suffix != ".yaml"]
        digests = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in every}
        return {f"file {path.relative_to(self.folder)}": digest for path, digest in digests.items()}


Disturbed = tuple[Case, Fault]


def cases() -> list[Disturbed]:
    """The same in every run; each record is waited for where a case can say so, and what it does does not hang on how
    many records were written at a time."""
    random = Random(61)
    each = CONFIGURATIONS // 3
    chosen = [filled(random, values) for values in (VALUES, SET_VALUES, SERVER_VALUES) for _ in range(each)]
    return [(replace(case, ahead="1"), NO_FAULT) for case in chosen] + [
        (replace(filled(random, SET_VALUES if number % 2 else VALUES, format=name, ranks=4), ahead="1"), fault)
        for number, fault in enumerate(FAULTS)
        for name in ("cdf5", "netcdf4", *(["zarr"] if number % 2 == 0 else []))
    ]


def name_of(case: Disturbed) -> str:
    plain, fault = case
    return str(plain) + ("" if fault == NO_FAULT else f", {fault.action} at {fault.kinds} {fault.number}")


def runs_of(folder: Path, case: Disturbed) -> list[Facts]:
    every = []
    for number in range(RUNS):
        place = folder / f"run{number}"
        every.append(Observed(place, *case).run())
        shutil.rmtree(place)
        place.with_suffix(".calls").unlink(missing_ok=True)
    return every


def record(file: Path, folder: Path) -> int:
    recorded = {}
    for case in cases():
        first, *others = runs_of(folder, case)
        facts = {name: fact for name, fact in first.items() if all(o.get(name) == fact for o in others)}
        recorded[name_of(case)] = facts
        print(f"{len(facts)} of {len(first)} facts: {name_of(case)}", flush=True)
    file.write_text(json.dumps(recorded, indent=1))
    return 0


def compare(file: Path, folder: Path) -> int:
    recorded, different = json.loads(file.read_text()), 0
    for case in cases():
        wanted, found = recorded[name_of(case)], runs_of(folder, case)
        lost = [name for name, fact in wanted.items() if all(facts.get(name) != fact for facts in found)]
        for name in lost:
            print(f"{name_of(case)}\n  {name}: {wanted[name]}, now {found[0].get(name)}", flush=True)
        different += bool(lost)
    print(f"{different} of {len(recorded)} configurations differ")
    return int(different > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("record", "compare"))
    parser.add_argument("facts", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return (record if chosen.action == "record" else compare)(chosen.facts, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
