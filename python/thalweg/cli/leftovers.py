"""What lies beside a file and tells of a run that goes on, or was killed."""

from __future__ import annotations

from pathlib import Path

from thalweg.cli.finding import Finding, note, problem
from thalweg.data import DataError, Dataset
from thalweg.data.core import GROWING, JOURNAL, journal_of, owner_of


def leftovers(dataset: Dataset) -> list[Finding]:
    found = []
    for file in dataset.files:
        found += beside(file)
    return found


def is_growing(dataset: Dataset) -> bool:
    """A run writes it, which lives."""
    return any(file.name.endswith(GROWING) and owner_of(file) for file in dataset.files)


def beside(file: Path) -> list[Finding]:
    if file.name.endswith(GROWING) and (owner := owner_of(file)):
        return [note("growing", f"'{file.name}' grows: a run writes it ({owner})")]
    found = []
    if file.name.endswith(GROWING):
        found.append(
            note("growing", f"the run that wrote '{file.name}' has ended before its time", f"thalweg recover {file}")
        )
    if file.with_name(f"{file.name}{JOURNAL}").is_file():
        found.append(journal_finding(file))
    rest = file.with_name(f"{file.name}{GROWING}")
    if rest.exists() and (owner := owner_of(file)):
        found.append(note("growing", f"'{rest.name}' lies beside it: a run writes it again ({owner})"))
    elif rest.exists():
        found.append(
            note(
                "growing",
                f"'{rest.name}' lies beside it: a run that wrote it again was killed",
                "move one of the two away before the other is recovered",
            )
        )
    return found


def journal_finding(file: Path) -> Finding:
    name = f"{file.name}{JOURNAL}"
    try:
        journal = journal_of(file)
    except DataError as fault:
        return problem("journal", str(fault))
    if journal is None:
        text = f"'{name}' is not whole: the file has the state before the record that was being committed"
        return note("journal", text, "'thalweg recover' deletes it")
    text = f"'{name}' is whole: transaction {journal.sequence}, after which there are {journal.records} records"
    return note("journal", text, "'thalweg recover' applies it; until then the last record may be half there")
