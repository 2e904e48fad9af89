# ctest: TIMEOUT 200 ALL 1200
"""What becomes of the names of a job's file, as a table: what is there, and what comes next.

The long tests look at every cell of it in every format, the others at each cell in two of them."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from calls import OUT, Ended, Fault, Model, recover
from living import Living
from names import NEW, NEXT, OLD, assert_complete, confirmed_records, digest, told
from support.ways import ALL
from sweep import Sweep

MODELS = [
    Model("cdf5"),
    Model("netcdf4"),
    Model("zarr"),
    Model("fortran"),
    Model("netcdf4", "encoded"),
    Model("cdf5", pattern="per-domain"),
]
JOURNALED = ("netcdf4", "fortran")
# What is there: what comes next: what is to be true then.
TABLE: dict[str, dict[str, tuple[str, ...]]] = {
    "nothing": {"run": ("new",), "recover": ("refused", "unchanged")},
    "complete": {"run": ("new",), "recover": ("refused", "unchanged"), "empty run": ("complete",)},
    "killed": {"run": ("new", "kept"), "recover": ("recovered",), "empty run": ("kept",)},
    "killed beside complete": {
        "run": ("new", "kept"),
        "recover": ("refused", "unchanged"),
        "empty run": ("complete", "kept"),
    },
    "killed, journal lost": {"run": ("new",), "recover": ("nothing invented",)},
    "journal alone": {"run": ("new",), "killed run": ("nothing invented",)},
    "living": {"run": ("refused", "owner named", "unchanged"), "recover": ("refused", "owner named", "unchanged")},
    "living beside complete": {"run": ("refused", "owner named", "unchanged"), "recover": ("refused", "unchanged")},
    "killed owner of a moment ago": {"run": ("new", "kept"), "recover": ("recovered",)},
    "foreign folder": {"run": ("refused", "unchanged"), "recover": ("refused", "unchanged")},
    "foreign folder as partial": {"run": ("new", "foreign kept"), "recover": ("refused", "unchanged")},
    "foreign file as partial": {"run": ("new", "foreign kept"), "recover": ("refused", "unchanged")},
    "foreign neighbours": {"run": ("new", "foreign kept")},
    "replaced beside complete": {"run": ("new",)},
    "wider set": {"run": ("new", "no other part"), "run killed at its end": ("unchanged but for partial",)},
}  # fmt: skip


def fitting(there: str) -> list[Model]:
    """The formats that know such a thing."""
    if "journal" in there:
        return [model for model in MODELS if model.file_format in JOURNALED]
    if there in ("wider set", "foreign neighbours"):
        return [model for model in MODELS if model.pattern == "per-domain"]
    return MODELS


CELLS = [(there, follows) for there, row in TABLE.items() for follows in row]
CASES = [
    (models[number % len(models)], there, follows)
    for place, (there, follows) in enumerate(CELLS)
    for models in [fitting(there)]
    for number in (range(len(models)) if ALL else range(place, place + min(2, len(models))))
]
# Names that are near ours: a date behind the name of a set is no number of a part.
NEIGHBOURS = ("history.nc.20261122", "history.nc.bak", "history.zarr.partial2", ".history.nc.swp")
PRECIOUS = "precious"


class World:
    """The folder of a job, put into one of the states."""

    def __init__(self, folder: Path, model: Model, there: str) -> None:
        self.model, self.sweep = model, Sweep(folder / "sweep", model, "complete" in there)
        self.folder, self.names = self.sweep.folder, self.sweep.names
        self.living: Living | None = None
        self.undisturbed = self.sweep.calls() if "killed" in there or "journal" in there else []
        self.confirmed = 0
        self.sweep.clear()
        STATES.get(there.removesuffix(" beside complete"), lambda _: None)(self)
        self.before = self.snapshot()

    def seen(self) -> tuple[dict[str, str], dict[str, str]]:
        """Before, and now."""
        return self.before, self.snapshot()

    def snapshot(self) -> dict[str, str]:
        """Without locks, which mean nothing when nobody holds them."""
        return {path.name: digest(path) for path in (self.folder / OUT).iterdir() if path.suffix != ".lock"}

    def be_killed(self) -> None:
        late = Fault(int(0.75 * len(self.undisturbed)), "before")
        assert self.model.run(self.folder, NEW, late).killed
        self.confirmed = confirmed_records(self.folder)
        assert self.confirmed > 0, "the state is not what it is called"

    def lose_journal(self) -> None:
        self.be_killed()
        self.journal.unlink()

    @property
    def journal(self) -> Path:
        return self.names.partial.with_name(f"{self.names.partial.name}.journal")

    def leave_journal_alone(self) -> None:
        self.be_killed()
        assert self.journal.exists(), "the state is not what it is called"
        self.names.partial.unlink()
        self.confirmed = 0

    def live(self) -> None:
        self.living = Living(self.folder, self.model)

    def die(self) -> None:
        self.live()
        assert self.living is not None
        self.confirmed = self.living.die()
        self.living = None

    def put_folder(self, path: Path) -> None:
        path.mkdir()
        (path / "thesis.txt").write_text(PRECIOUS)

    def put_partial(self) -> None:
        self.names.partial.write_text(PRECIOUS)

    def put_neighbours(self) -> None:
        for name in NEIGHBOURS:
            (self.folder / OUT / name).write_text(f"{PRECIOUS} {name}")

    def put_wider_set(self) -> None:
        """The set of a job on two nodes, where one is next."""
        assert replace(self.model, ranks=2).run(self.folder, OLD).code == 0
        parts = [name for name in self.snapshot() if not name.endswith(".checksums")]
        assert len(parts) == 2, "the state is not what it is called"

    def put_replaced(self) -> None:
        replaced = self.names.name.with_name(f"{self.names.name.name}.replaced")
        (shutil.copytree if self.names.name.is_dir() else shutil.copy)(self.names.name, replaced)


STATES: dict[str, Callable[[World], None]] = {
    "killed": World.be_killed,
    "killed, journal lost": World.lose_journal,
    "journal alone": World.leave_journal_alone,
    "living": World.live,
    "killed owner of a moment ago": World.die,
    "foreign folder": lambda world: world.put_folder(world.names.name),
    "foreign folder as partial": lambda world: world.put_folder(world.names.partial),
    "foreign file as partial": World.put_partial,
    "foreign neighbours": World.put_neighbours,
    "replaced": World.put_replaced,
    "wider set": World.put_wider_set,
}
FOLLOWS: dict[str, Callable[[World], Ended]] = {
    "run": lambda world: world.model.run(world.folder, NEXT),
    "recover": lambda world: recover(world.folder, world.names.partial),
    "empty run": lambda world: world.model.run(world.folder, -1),
    "killed run": lambda world: killed_before_its_journal(world),
    "run killed at its end": lambda world: world.model.run(world.folder, NEXT, Fault(1, "before", kinds=("rename",))),
}


def killed_before_its_journal(world: World) -> Ended:
    """A run that has no journal of its own yet; then the recovery of its file."""
    calls = world.undisturbed
    first = next(
        number
        for number, call in enumerate(calls, 1)
        if call.kind == "create" and call.path.endswith(".partial.journal")
    )
    done = world.model.run(world.folder, NEW, Fault(first, "before"))
    assert done.killed, done.output
    world.before = world.snapshot()
    return recover(world.folder, world.names.partial)


# ---- what is to be true


def is_new(world: World, done: Ended) -> None:
    assert done.code == 0, f"the run fails: {told(world.folder) or done.output}"
    assert_complete(world.names.name, NEXT)


def is_kept(world: World, _done: Ended) -> None:
    assert world.names.kept.exists(), f"what was left is gone; there is {sorted(world.names.present())}"
    assert world.names.assert_recovers(world.names.kept, world.confirmed) >= world.confirmed


def is_recovered(world: World, done: Ended) -> None:
    assert done.code == 0, done.output
    assert int(done.output.splitlines()[-1]) >= world.confirmed
    assert_complete(world.names.name, int(done.output.splitlines()[-1]))


def is_refused(_world: World, done: Ended) -> None:
    assert done.code > 0, "it is not refused"


def is_unchanged(world: World, _done: Ended) -> None:
    after = world.snapshot()
    assert after == world.before, f"there was {sorted(world.before)}, there is {sorted(after)}"


def is_passing(name: str) -> bool:
    """Checksums of a file that is about to be replaced go first."""
    return ".partial" in name or ".checksums" in name


def is_unchanged_but_for_partial(world: World, done: Ended) -> None:
    assert done.killed, done.output
    before, after = ({name: seen for name, seen in names.items() if not is_passing(name)} for names in world.seen())
    assert after == before, f"there was {sorted(before)}, there is {sorted(after)}"


def has_no_other_part(world: World, _done: Ended) -> None:
    assert world.names.present() - {f"{world.names.name.name}.checksums"} == {world.names.name.name}


def is_complete(world: World, _done: Ended) -> None:
    assert digest(world.names.name) == world.sweep.old, "a run without a record takes the place of a complete file"


def names_owner(world: World, done: Ended) -> None:
    assert world.living is not None
    text = told(world.folder) or done.output
    for word in (str(world.living.process), socket.gethostname()):
        assert word in text, f"'{word}' is missing: {text}"


def is_not_invented(world: World, done: Ended) -> None:
    """Recovery leaves the file as it is, or finds records that were put into it."""
    if done.code == 0:
        assert_complete(world.names.name, int(done.output.splitlines()[-1]))
        return
    assert world.names.partial.exists(), "what was refused is gone"
    as_it_was = digest(world.names.partial) == world.before[world.names.partial.name]
    assert as_it_was, f"what was refused is changed: {done.output}"


def keeps_foreign(world: World, _done: Ended) -> None:
    """Under its name, or aside."""
    foreign = {digest_of for name, digest_of in world.before.items() if digest_of != world.sweep.old}
    lost = foreign - set(world.snapshot().values())
    assert not lost, f"there was {sorted(world.before)}, there is {sorted(world.names.present())}"


TRUTHS: dict[str, Callable[[World, Ended], None]] = {
    "new": is_new,
    "kept": is_kept,
    "recovered": is_recovered,
    "refused": is_refused,
    "unchanged": is_unchanged,
    "unchanged but for partial": is_unchanged_but_for_partial,
    "no other part": has_no_other_part,
    "complete": is_complete,
    "owner named": names_owner,
    "nothing invented": is_not_invented,
    "foreign kept": keeps_foreign,
}


@pytest.mark.parametrize(("model", "there", "follows"), CASES, ids=lambda value: str(value).replace(" ", "_"))
def test_names_become_what_the_table_says(tmp_path: Path, model: Model, there: str, follows: str) -> None:
    world = World(tmp_path, model, there)
    try:
        done = FOLLOWS[follows](world)
        assert not done.hung, "hung"
        for truth in TABLE[there][follows]:
            TRUTHS[truth](world, done)
    finally:
        if world.living is not None:
            ended = world.living.go_on()
    if world.living is not None:
        assert ended.code == 0, f"the first job: {told(world.folder) or ended.output}"
        assert_complete(world.names.name, NEW)
    shutil.rmtree(tmp_path)


def test_every_state_and_every_truth_is_used() -> None:
    states = {there.removesuffix(" beside complete") for there in TABLE} - {"nothing", "complete"}
    assert states == set(STATES)
    assert {truth for row in TABLE.values() for truths in row.values() for truth in truths} == set(TRUTHS)
    assert OLD < NEW < NEXT
