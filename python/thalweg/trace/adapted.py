"""What a program does that writes the same by Thalweg's netCDF calls (docs/from-netcdf.md): it closes records in order,
keeps its files open, and puts nothing twice. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path

from thalweg.trace.writes import ELEMENT_BYTES, Box, File, Step, Variable, Writes

MOST_RECORDS = 1 << 20  # of a file, over all its writes; a file of more is written as one record


@dataclass
class Adapted:
    files: list[File]  # with lengths in place of unlimited dimensions that cannot be those of records
    steps: list[list[Step]]
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    staging_bytes: int = 0


def adapted(writes: Writes) -> Adapted:
    made = Adapted([replace(file) for file in writes.files], [[] for _ in writes.steps])
    plans = [FilePlan(writes, number, file) for number, file in enumerate(writes.files)]
    for plan in plans:
        made.files[plan.number].variables = plan.variables()
        made.notes += plan.notes()
        made.staging_bytes += plan.staging_bytes()
    for rank, steps in enumerate(writes.steps):
        made.steps[rank] = RankPlan(plans, rank, steps, made.left_out).steps()
    return made


class FilePlan:
    """Which of a file's unlimited dimensions is that of its records, if they are written one after the other."""

    def __init__(self, writes: Writes, number: int, file: File) -> None:
        self.number, self.file = number, file
        self.own = {
            rank: [step for step in writes.steps[rank] if step.file == number] for rank in file.ranks
        }  # fmt: skip
        firsts = [one.dims[0] for one in file.variables if one.dims and one.lengths[0] == 0]
        self.record_dim = Counter(firsts).most_common(1)[0][0] if firsts else ""
        few = sum(map(self.records_in, (step for steps in self.own.values() for step in steps))) <= MOST_RECORDS
        self.records_of = {rank: list(self.in_order(steps)) for rank, steps in self.own.items()} if few else {}
        all_records = sorted({record for records in self.records_of.values() for record in records})
        self.count = len(all_records)
        self.has_records = bool(firsts) and few and self.follow_each_other(all_records)
        self.is_explicit = self.has_records and self.needs_syncs()

    def has_record(self, variable: Variable) -> bool:
        return bool(variable.dims) and variable.dims[0] == self.record_dim and variable.lengths[0] == 0

    def is_of_record(self, step: Step) -> bool:
        return step.kind == "put" and self.has_record(self.file.variables[step.variable])

    def records_in(self, step: Step) -> int:
        return sum(count[0] for _, count in step.boxes) if self.is_of_record(step) else 0

    def last_record(self, step: Step) -> int | None:
        """None: of a variable without records."""
        if not self.is_of_record(step):
            return None
        return max((start[0] + count[0] - 1 for start, count in step.boxes), default=None)

    def in_order(self, steps: list[Step]) -> Iterator[int]:
        for step in steps:
            if self.is_of_record(step):
                for start, count in step.boxes:
                    yield from range(start[0], start[0] + count[0])

    def follow_each_other(self, records: list[int]) -> bool:
        rest = [
            dim
            for one in self.file.variables
            for dim, length in list(zip(one.dims, one.lengths, strict=True))[self.has_record(one) :]
            if length == 0
        ]
        return (
            self.record_dim not in rest
            and records == list(range(self.count))
            and all(own == sorted(own) for own in self.records_of.values())
        )

    def needs_syncs(self) -> bool:
        """Where each rank puts values of each record, or no rank says when it is complete, the next one closes it."""
        if any(len(set(own)) < self.count for own in self.records_of.values()):
            return True
        return all(self.has_synced(steps) for steps in self.own.values())

    def has_synced(self, steps: list[Step]) -> bool:
        synced, last = set(), None
        for step in steps:
            record = self.last_record(step)
            last = last if record is None else record
            if step.kind in ("sync", "close") and last is not None:
                synced.add(last)
        return len(synced) >= self.count

    def lengths(self) -> dict[str, int]:
        """Of dimensions that are unlimited in the file, and here as long as what was written."""
        found: Counter[str] = Counter()
        for step in (step for steps in self.own.values() for step in steps if step.kind == "put"):
            variable = self.file.variables[step.variable]
            for start, count in step.boxes:
                for dim, length, begin, extent in zip(variable.dims, variable.lengths, start, count, strict=True):
                    if length == 0:
                        found[dim] = max(found[dim], begin + extent)
        if self.has_records:
            found.pop(self.record_dim, None)
        return dict(found)

    def variables(self) -> list[Variable]:
        found = self.lengths()
        return [
            replace(
                one,
                lengths=[
                    length or found.get(dim, 0) for dim, length in zip(one.dims, one.lengths, strict=True)
                ],
            )
            for one in self.file.variables
        ]  # fmt: skip

    def notes(self) -> list[str]:
        name, found = Path(self.file.path).name, []
        if self.record_dim and not self.has_records:
            found.append(
                f"'{name}': its records are not written one after the other; by Thalweg they are written as one, with "
                f"'{self.record_dim}' of the length that it gets, when the file is closed"
            )
        if sum(step.kind in ("create", "open") for steps in self.own.values() for step in steps) > len(self.own):
            found.append(f"'{name}' is closed and opened again; by Thalweg it stays open until its last close")
        return found

    def staging_bytes(self) -> int:
        """Two records, or all where the records are one."""
        total = 0
        for one, given in zip(self.variables(), self.file.variables, strict=True):
            has_record = self.has_records and self.has_record(given)
            cells = prod(one.lengths[has_record:])
            total += (2 if has_record else 1) * cells * (0 if one.reason else ELEMENT_BYTES[one.type])
        return total


class RankPlan:
    """The steps of one rank. Of what is left out the time between stays, and the time within does not."""

    def __init__(self, plans: list[FilePlan], rank: int, steps: list[Step], left_out: Counter[str]) -> None:
        self.plans, self.rank, self.given, self.left_out = plans, rank, steps, left_out
        self.made: list[Step] = []
        self.gap_s = 0.0
        self.put: dict[tuple[int, ...], set[Box]] = {}  # of a file, a variable and a record
        self.closed: Counter[int] = Counter()  # records of each file
        self.last = {(step.file, self.key(step)): place for place, step in enumerate(steps)}

    def key(self, step: Step) -> str:
        """By which the last one of its kind is found: of a record, or of the file."""
        if step.kind != "put":
            return step.kind
        record = self.plans[step.file].last_record(step)
        return "put" if record is None else f"record {record}"

    def steps(self) -> list[Step]:
        opened: set[int] = set()
        for place, step in enumerate(self.given):
            self.gap_s += step.gap_s
            plan = self.plans[step.file]
            if step.kind == "put":
                self.take_put(plan, step, place)
            elif step.kind in ("create", "open") and step.file not in opened:
                opened.add(step.file)
                self.add(replace(step, kind="create"))
            elif step.kind == "close" and place == self.last[step.file, "close"]:
                self.sync_until(plan, plan.count)
                self.add(step)
        return self.made

    def add(self, step: Step) -> None:
        self.made.append(replace(step, gap_s=self.gap_s))
        self.gap_s = 0.0

    def take_put(self, plan: FilePlan, step: Step, place: int) -> None:
        has_record = plan.has_records and plan.has_record(plan.file.variables[step.variable])
        for start, count in step.boxes:
            if has_record:
                for record in range(start[0], start[0] + count[0]):
                    self.sync_until(plan, record)
                    self.put_box(step, ((record, *start[1:]), (1, *count[1:])), record)
            elif prod(count):
                self.put_box(step, (start, count), -1)
        last = plan.last_record(step) if has_record else None
        if last is not None and place == self.last[step.file, self.key(step)]:
            self.sync_until(plan, last + 1)

    def sync_until(self, plan: FilePlan, record: int) -> None:
        while plan.is_explicit and self.closed[plan.number] < record:
            self.closed[plan.number] += 1
            self.add(Step("sync", plan.number, "thalweg_nc_sync", 0.0, 0.0))

    def put_box(self, step: Step, box: Box, record: int) -> None:
        """Cells that are written have their values: these follow from their places."""
        written = self.put.setdefault((step.file, step.variable, record), set())
        size = prod(box[1])
        if box in written or any(prod(other[1]) > size and holds(other, box) for other in written):
            self.left_out[f"{step.function} (the same cells again)"] += 1
            return
        written.add(box)
        self.add(replace(step, boxes=[box]))


def holds(outer: Box, inner: Box) -> bool:
    along = zip(*outer, *inner, strict=True)
    return all(start <= own and own + extent <= start + count for start, count, own, extent in along)
