# ctest: LABELS soak TIMEOUT 3600
"""Configurations by chance, for half an hour: nothing hangs, and every value is right."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from conformance.servers_test import check_run
from support.batch import Batch, Job
from support.cases import SERVER_VALUES, SET_VALUES, VALUES, Case, Values, filled

SECONDS = float(os.environ.get("THALWEG_TEST_SOAK_S", "1800"))
SEED = int(os.environ.get("THALWEG_TEST_SEED", str(time.time_ns() % 1_000_000)))
ROUND = 24  # runs that may share a start

# What the covers of the other tests leave at its default: lines of the session and keys of a collection.
SESSION = {
    "drain": ("eager", "on-flush"),
    "when-full": ("wait", "spill"),
    "rate-limit": ("none", "20 MB/s"),
    "writer-threads": ("auto", "1", "3"),
    "staging": ("256 MiB", "24 MiB"),
}
WRITE_BEHIND = ("auto", "0 B", "{below: 1 MiB, records: 3}", "{below: 1 MiB, interval: 1 min}")
PRIORITIES = ("normal", "high")


@dataclass(frozen=True)
class Mixed:
    """A case with settings that the others have no need to vary."""

    case: Case
    session: tuple[tuple[str, str], ...]
    write_behind: str
    priority: str

    @property
    def job(self) -> Job:
        job = self.case.job
        lines = [line for line in job.configuration.splitlines() if line.split(":")[0] not in dict(self.session)]
        keys = f", priority: {self.priority}"
        if self.write_behind != "auto":
            keys += f", write-behind: {self.write_behind}"
        text = "\n".join([*(f"{key}: {value}" for key, value in self.session), *lines, ""])
        text = text.replace(f"{{file: {self.case.file('fields')}", f"{{file: {self.case.file('fields')}{keys}")
        return Job(job.program, job.ranks, text, job.words, job.environment)


def mixed(random: Random, values: Values) -> Mixed:
    case = filled(random, values)
    session = {key: random.choice(choices) for key, choices in SESSION.items()}
    if case.servers == "none" and case.writers == "sync":  # writes before advance returns
        session |= {"drain": "eager", "when-full": "wait"}
    return Mixed(case, tuple(session.items()), random.choice(WRITE_BEHIND), random.choice(PRIORITIES))


@pytest.mark.timeout(SECONDS + 900)
def test_random_configurations_write_what_the_model_held(tmp_path: Path) -> None:
    random = Random(SEED)
    end_s = time.monotonic() + SECONDS
    runs, faults = 0, []
    for number in range(1_000_000):
        values = random.choice((VALUES, SET_VALUES, SERVER_VALUES, SERVER_VALUES))
        cases = [mixed(random, values) for _ in range(ROUND)]
        folder = tmp_path / str(number)
        folder.mkdir()
        batch = Batch(folder, [one.job for one in cases])
        for one in cases:
            try:
                check_run(one.case, batch.made(one.job), batch)
            except (AssertionError, RuntimeError, OSError, ValueError, KeyError) as error:  # a reader's, too
                faults.append(f"{batch.place(one.job)}\n{one}\n{one.job.configuration}\n{error!r}")
        runs += len(cases)
        if not faults:
            shutil.rmtree(folder)
        if time.monotonic() > end_s or faults:
            break
    print(f"seed {SEED}: {runs} runs, {len(faults)} faults")
    assert not faults, f"seed {SEED}, {runs} runs\n" + "\n\n".join(faults)
