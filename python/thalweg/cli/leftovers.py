"""What lies beside a file and tells of a run that goes on, or was killed."""

from __future__ import annotations

from pathlib import Path

from thalweg.cli.finding import Finding, note, problem
from thalweg.data import Dataset
from thalweg.data.journal import read_journal

GROWING = ".partial"


def leftovers(dataset: Dataset) -> list[Finding]:
    found = []
    for file in dataset.files:
        found += beside(file)
    return found


def beside(file: Path) -> list[Finding]:
    found = []
    if file.name.endswith(GROWING):
        found.append(
            note(
                "growing",
                f"'{file.name}' grows, or its run was killed",
                f"after a kill: thalweg recover {file}",
            )
        )
    journal = file.with_name(f"{file.name}.journal")
    if journal.is_file():
        found.append(journal_finding(journal))
    rest = file.with_name(f"{file.name}{GROWING}")
    if rest.exists():
        found.append(
            note(
                "growing",
                f"'{rest.name}' lies beside it: a run is writing it again, or was killed",
                "move one of the two away before the other is recovered",
            )
        )
    return found


def journal_finding(path: Path) -> Finding:
    journal = read_journal(path)
    if journal.is_whole:
        text = (
            f"'{path.name}' is whole: transaction {journal.sequence}, after which there are {journal.records} records"
        )
        return note("journal", text, "'thalweg recover' applies it; until then the last record may be half there")
    if journal.is_whole is None:
        return note("journal", f"'{path.name}' is too large to be checked here", "'thalweg recover' checks it")
    text = f"'{path.name}' is not whole: the file has the state before the record that was being committed"
    if path.with_name(path.name.removesuffix(".journal")).exists():
        return note("journal", text, "'thalweg recover' deletes it")
    return problem("journal", text)
