"""The checksums that lie beside a file (docs/formats/checksums.md): is what is read what was written?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from thalweg.cli.finding import Finding, Level, note, ok, problem
from thalweg.cli.output import counted
from thalweg.cli.verify_attributes import AttributeCheck
from thalweg.cli.verify_reading import Read, read_all
from thalweg.data import DataError, Dataset, Variable, open_any
from thalweg.data.checksums import Companion, StoredSums, Summing, companion_of, path_of
from thalweg.data.fortran import open_fortran

SUBJECT = "written"
SHOWN = 20  # lines about wrong sums; more tell nothing new
ADVICE = "take it from a copy: it does not hold the values that were written"


def open_checked(path: Path) -> Dataset:
    """As open_any, and of files that say nothing of themselves those whose companion does."""
    try:
        companion = companion_of(path) if path.is_file() else None
    except DataError:
        companion = None  # a format that says what it is needs none
    if companion is not None and companion.format == "fortran":
        return open_fortran(path, companion)
    return open_any(path)


@dataclass
class Check:
    """Sums up the variables of a file while they are read, and compares with what its companion says."""

    dataset: Dataset
    companion: Companion
    names: Sequence[str]
    summing: dict[str, Summing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.names:
            stored = self.companion.variables.get(name)
            if stored is not None and not form_fault(self.dataset.variables[name], stored, self.companion):
                self.summing[name] = Summing(stored.has_record)

    def findings(self, reads: Sequence[Read]) -> list[Finding]:
        """What is wrong; nothing, if all sums are right."""
        unread = [read.variable for read in reads if read.fault]
        wrong = [problem(SUBJECT, f"'{self.dataset.path.name}', {text}", ADVICE) for text in self.faults(unread)]
        more = [problem(SUBJECT, f"and {len(wrong) - SHOWN} more of this kind")] if len(wrong) > SHOWN else []
        return [*self.size(bool(wrong)), *wrong[:SHOWN], *more]

    def faults(self, unread: Sequence[str]) -> Iterator[str]:
        whole = set(self.names) == set(self.dataset.variables)
        for name in self.companion.variables if whole else ():
            if name not in self.dataset.variables:
                yield f"variable '{name}', which was written, is not there"
        for name in self.names:
            stored = self.companion.variables.get(name)
            if stored is None or name in unread:
                continue
            if fault := form_fault(self.dataset.variables[name], stored, self.companion):
                yield f"variable '{name}' {fault}"
            else:
                yield from self.wrong_sums(name, stored)

    def wrong_sums(self, name: str, stored: StoredSums) -> Iterator[str]:
        found = self.summing[name].sums
        there = self.dataset.variables[name].shape[0] if stored.has_record else 1
        if there < len(stored.sums):
            yield f"variable '{name}' has {there} of the {len(stored.sums)} records that were written"
        if there > len(stored.sums):
            yield f"variable '{name}' has {there} records, of which {len(stored.sums)} were written by Thalweg"
        for record, wanted in enumerate(stored.sums[:there]):
            if (sum_read := found.get(record, 0)) != wanted:
                where = f"variable '{name}', record {record}" if stored.has_record else f"variable '{name}'"
                yield f"{where}: the checksum of what was written is {wanted:016x}, of what is read {sum_read:016x}"

    def size(self, is_wrong: bool) -> list[Finding]:
        wanted, path = self.companion.file_bytes, self.dataset.path
        if wanted is None or path.is_dir() or path.stat().st_size == wanted:
            return []
        text = f"'{path.name}' has {path.stat().st_size} bytes, {wanted} when it was written: it was changed since"
        advice = "or it is another file, which the companion is not of" if is_wrong else "its values were not"
        return [note(SUBJECT, text, advice)]


def form_fault(variable: Variable, stored: StoredSums, companion: Companion) -> str:
    """Why the sums of a variable cannot be compared; "" if they can."""
    type_name = "char" if variable.dtype.kind == "S" else variable.dtype.name
    if type_name != stored.type:
        return f"is of type {type_name}, {stored.type} was written"
    has_record = bool(variable.dims) and variable.dims[0] == companion.record_dimension
    if has_record != stored.has_record:
        return f"has {'a' if has_record else 'no'} record dimension, unlike what was written"
    elements = prod(variable.shape[1:] if has_record else variable.shape)
    if elements != stored.elements:
        return f"has {elements} elements{' a record' if has_record else ''}, {stored.elements} were written"
    return ""


def check_of(dataset: Dataset, names: Sequence[str]) -> Check | None:
    """None: the file has no companion. Raises DataError for one that cannot be understood."""
    companion = companion_of(dataset.path)
    return None if companion is None else Check(dataset, companion, names)


@dataclass
class Checked:
    """What came of the companions of one file or several."""

    files: int = 0
    absent: int = 0
    variables: set[str] = field(default_factory=set)  # of which there are sums
    found: list[Finding] = field(default_factory=list)

    def findings(self) -> list[Finding]:
        if not self.variables or any(finding.level is Level.PROBLEM for finding in self.found):
            return self.found
        where = "the file beside it" if self.files == 1 else f"{counted(self.files, 'file')} beside the set's"
        text = f"{counted(len(self.variables), 'variable')} as written, by the checksums in {where}"
        if self.absent:
            return [note(SUBJECT, f"{text}, as far as files are there"), *self.found]
        return [ok(SUBJECT, text), *self.found]


def read_checked(dataset: Dataset, names: Sequence[str], slab_bytes: int, checked: Checked) -> list[Read]:
    """Reads every value and compares with the file's companion, if it has one."""
    try:
        check = check_of(dataset, names)
    except DataError as fault:
        checked.found.append(problem(SUBJECT, str(fault), "delete it if nobody needs it"))
        check = None
    attributes = AttributeCheck(dataset, names)
    summing = attributes.summing | (check.summing if check else {})
    reads = read_all(dataset, names, slab_bytes, summing)
    checked.found += attributes.findings(summing, [read.variable for read in reads if read.fault])
    if check is not None:
        checked.files += 1
        checked.variables |= check.summing.keys()
        checked.found += check.findings(reads)
    return reads


def check_files(files: Sequence[Path], names: Sequence[str], slab_bytes: int) -> Checked:
    """Files of a set, or those that a virtual master shows. What has no companion is not read once more."""
    checked = Checked(absent=sum(not file.exists() for file in files))
    for file in files:
        if path_of(file).exists() and file.exists():
            with open_any(file) as part:
                read_checked(part, [name for name in names if name in part.variables], slab_bytes, checked)
    return checked
