# ctest: WAITS TIMEOUT 300 ALL 7200
"""One of two groups of servers whose server fails or is killed at its k-th call to the storage: the collections of the
other one are complete, and of its own what was said to be committed is there, under NAME an old or a complete file."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path

import pytest
from calls import OUT, Call, Fault, calls_of, preloaded
from launch import DEADLINE, PEER, STORAGE, Run, begin, recover
from names import digest
from server_loss_test import DIVIDED, LIMIT_S, PLACES, RANKS, SURVIVING, Place, check_survivors, check_values, grouped
from support.ways import ALL, of
from sweep import CHANGING, chosen

pytestmark = pytest.mark.timeout(of(120, 7200))
RECORDS, BEFORE = 12, 4


class Group:
    """The same job again and again, of which one call of a server is disturbed."""

    def __init__(self, folder: Path, place: Place, victim: int) -> None:
        self.folder, self.place, self.victim = folder, place, victim
        before = self.run("before", records=BEFORE)
        assert before.returncode == 0, before.output
        self.old = before.folder / OUT / "c0.nc"
        self.failures: list[str] = []

    def run(
        self, name: str, fault: Fault | None = None, log: Path | None = None, records: int = RECORDS, **launcher: object
    ) -> Run:
        folder = self.folder / name
        (folder / OUT).mkdir(parents=True)
        if name != "before":
            shutil.copy(self.old, folder / OUT)
        program = grouped(wait_every=3, records=records)
        variables = {**preloaded(fault, log), **launcher}
        # Who is killed is found out at once; a machine that is busy may have its storage stand for some seconds.
        yaml = self.place.configuration(folder_of_first=f"{OUT}/", deadline_s=15.0)
        return begin(folder, yaml, [(self.place.ranks, program, variables)], launcher).end(LIMIT_S)

    def calls(self) -> list[Call]:
        log = self.folder / "calls.log"
        whole = self.run("whole", Fault(0, "before", self.victim), log)
        assert whole.returncode == 0, whole.output
        return calls_of(log)

    def disturb(self, fault: Fault, call: Call, **launcher: object) -> None:
        name = f"{fault.number}-{fault.action}"
        try:
            self.check(self.run(name, fault, **launcher))
        except AssertionError as error:
            self.failures.append(f"{self.place}: {fault}, {call}: {' '.join(str(error).split())[:600]}")
        else:
            shutil.rmtree(self.folder / name)

    def check(self, done: Run) -> None:
        client = self.place.clients[0]
        if not done.failures(client):
            assert check_values(done.folder / OUT / "c0.nc", 0, RECORDS) == RECORDS
            assert check_values(done.folder / "c1.nc", 1, RECORDS) == RECORDS
            return
        if done.first_failure(client).label == "ready":
            self.check_not_begun(done)
            return
        finish = done.of(client, "finish")
        known = re.search(r"'c0'(?: \(last file '[^']+'\))?, of which (\d+) record", finish.text)
        assert known, finish
        check_survivors(done, self.place, {STORAGE, PEER, DEADLINE}, records=RECORDS)
        self.check_lost(done.folder / OUT / "c0.nc", int(known[1]))

    def check_not_begun(self, done: Run) -> None:
        """Definitions end with the error of a loss (docs/decisions/0020): all are told, and no name has changed."""
        for rank in self.place.clients:
            first = done.first_failure(rank)
            assert first.label == "ready" and first.code in (STORAGE, PEER, DEADLINE) and first.text, first
        assert digest(done.folder / OUT / "c0.nc") == digest(self.old)
        assert not (done.folder / "c1.nc").exists()

    def check_lost(self, name: Path, known: int) -> None:
        if digest(name) != digest(self.old):
            assert check_values(name, 0, RECORDS) == RECORDS
            return
        partial = name.with_name("c0.nc.partial")
        assert partial.exists() or known == 0, f"{known} records are said to be committed"
        if partial.exists():
            name.unlink()
            done = recover(partial)
            assert done.returncode == 0 or known == 0, f"{known} records, but {done.stderr}"
            assert done.returncode != 0 or check_values(name, 0, known) >= known


def some(calls: list[tuple[int, Call]], few: int) -> list[tuple[int, Call]]:
    """Without the long tests a few of them, the last one included, which gives the file its name."""
    stride = -(-len(calls) // few)
    return calls if ALL else calls[::-1][::stride][::-1]


VICTIMS = [(place, place.servers[0]) for place in PLACES] + [(DIVIDED, rank) for rank in DIVIDED.first_group]


@pytest.mark.parametrize(("place", "victim"), of([(RANKS, 2)], VICTIMS), ids=str)
def test_a_server_that_is_killed_at_any_call_costs_its_group_only(tmp_path: Path, place: Place, victim: int) -> None:
    group = Group(tmp_path, place, victim)
    for number, call in some(chosen(group.calls(), CHANGING, 6), 4):
        for moment in of(("before",), ("before", "after")):
            group.disturb(Fault(number, moment, victim), call, **SURVIVING)
    assert not group.failures, f"{len(group.failures)} of the calls:\n" + "\n".join(group.failures)


@pytest.mark.parametrize(("place", "victim"), of([(PLACES[1], 1), (PLACES[2], 2)], VICTIMS), ids=str)
@pytest.mark.parametrize("error", of([errno.EIO], [errno.EIO, errno.ENOSPC]))
def test_a_call_of_a_server_that_fails_costs_its_group_only(
    tmp_path: Path, place: Place, victim: int, error: int
) -> None:
    group = Group(tmp_path, place, victim)
    for number, call in some(chosen(group.calls(), of({"write", "rename"}, CHANGING), 6), 3):
        group.disturb(Fault(number, str(error), victim), call, THALWEG_TEST_FINALIZE=1)
    assert not group.failures, f"{len(group.failures)} of the calls:\n" + "\n".join(group.failures)
