"""thalweg recover: what a killed run left behind becomes proper files."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg import programs
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import bytes_text, complain, counted, progress, say, say_json
from thalweg.data import DataError
from thalweg.data.core import GROWING, JOURNAL, journal_of, owner_of, part_of, parts_near


@dataclass(frozen=True)
class Recovered:
    partial: Path
    target: Path
    records: int | None  # None: not recovered
    text: str  # what was said, of faults above all


def recover(
    paths: Annotated[
        list[str],
        typer.Argument(help="Files NAME.partial, names NAME, patterns such as 'run/*.partial', or folders with such."),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="In folders also all that lie below, but not in stores.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be recovered.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Recovers what a killed run left.

    NAME.partial becomes NAME, a proper file with every committed record. A file that a run still writes is left to it,
    and who writes it is said. A NAME that exists is never replaced.
    A folder in which nothing was left is all right, so that a job can always begin with it.
    """
    partials = list(dict.fromkeys(partial for path in paths for partial in named(path, every)))
    if dry_run:
        plan(partials, json)
        return
    results = recover_all(partials)
    if json:
        say_json([asdict(result) for result in results])
    else:
        report(results)
    if any(result.records is None for result in results):
        raise typer.Exit(Exit.INPUT)


def named(word: str, every: bool) -> Iterator[Path]:
    """The growing files that a word of the command line stands for."""
    path = Path(word)
    if not path.exists() and any(letter in word for letter in "*?["):
        found = sorted(Path(name) for name in glob.glob(word, recursive=True))
        partials = [one for one in found if one.name.endswith(GROWING)]
        if not partials:
            raise Failure(Exit.INPUT, f"no '{GROWING}' file matches '{word}' ({counted(len(found), 'other file')} do)")
        yield from partials
    elif path.name.endswith(GROWING):
        if not path.exists():
            raise Failure(Exit.INPUT, f"'{path}' does not exist")
        yield from whole_set(path)
    elif path.is_dir() and not (path / "zarr.json").exists():
        yield from below(path) if every else inside(path)
    else:
        yield from growing_as(path)


def inside(folder: Path) -> list[Path]:
    """Its growing files. That it has none is what one hopes for."""
    try:
        found = sorted(path for path in folder.iterdir() if path.name.endswith(GROWING))
    except PermissionError:
        raise Failure(Exit.INPUT, f"'{folder}' cannot be read: Permission denied") from None
    if not found:
        deeper = "; --all looks into its folders too" if any(path.is_dir() for path in folder.iterdir()) else ""
        complain(f"thalweg: the folder '{folder}' has no '{GROWING}' file: nothing was left behind there{deeper}")
    return found


def below(folder: Path) -> list[Path]:
    found = []
    for place, folders, files in os.walk(folder):
        here = [name for name in (*folders, *files) if name.endswith(GROWING)]
        found += [Path(place, name) for name in here]
        folders[:] = [name for name in folders if name not in here and not Path(place, name, "zarr.json").exists()]
    if not found:
        complain(f"thalweg: nothing in or below '{folder}' ends in '{GROWING}': nothing was left behind there")
    return sorted(found)


def whole_set(partial: Path) -> list[Path]:
    """The growing file, or all of those of the set that it is of: parts first, of which a master counts the records."""
    name = set_of(partial) or target_of(partial)
    master = name.with_name(f"{name.name}{GROWING}")
    parts = sorted(near for part, near in parts_near(name) if part.grows)
    return [*parts, *([master] if master.exists() else [])]


def growing_as(path: Path) -> list[Path]:
    """What grows to be the file, store or set of this name."""
    one = path.with_name(f"{path.name}{GROWING}")
    found = whole_set(one)
    if found:
        return found
    if path.exists():
        raise Failure(Exit.INPUT, f"'{path}' is complete: there is no '{one.name}' beside it to recover")
    raise Failure(Exit.INPUT, f"neither '{path}' nor '{one.name}' exists")


def target_of(partial: Path) -> Path:
    return partial.with_name(partial.name.removesuffix(GROWING))


def plan(partials: list[Path], as_json: bool) -> None:
    lines: list[dict[str, Any]] = []
    for partial in partials:
        lines.append(
            {
                "partial": partial,
                "target": target_of(partial),
                "target_exists": target_of(partial).exists(),
                "bytes": None if partial.is_dir() else partial.stat().st_size,
                "journal": state_of_journal(partial),
            }
        )
    if as_json:
        say_json(lines)
        return
    for line in lines:
        size = "store" if line["bytes"] is None else bytes_text(line["bytes"])
        obstacle = "; in the way: it exists already" if line["target_exists"] else ""
        say(f"{line['partial']} ({size}, journal: {line['journal']}) → {line['target']}{obstacle}")


def state_of_journal(partial: Path) -> str:
    if not partial.with_name(f"{partial.name}{JOURNAL}").is_file():
        return "none"
    try:
        return "not whole" if journal_of(partial) is None else "whole"
    except DataError:
        return "of another file"


def set_of(partial: Path) -> Path | None:
    """The name of the set that a growing part belongs to."""
    part = part_of(partial.name)
    return partial.with_name(part.set) if part else None


def mixtures(partials: list[Path]) -> dict[Path, str]:
    """Why parts of sets, and their masters, are not recovered: a part of another run has the name of one of them, and
    with those that have a free name it would be a set of two runs."""
    taken: dict[Path, list[Path]] = {}
    for partial in partials:
        if (name := set_of(partial)) and target_of(partial).exists():
            taken.setdefault(name, []).append(target_of(partial))
    reasons = {name: reason(name, there) for name, there in taken.items()}
    return {one: reasons[name] for one in partials if (name := set_of(one) or target_of(one)) in reasons}


def reason(name: Path, there: list[Path]) -> str:
    if owner := next(filter(None, map(owner_of, there)), ""):
        return f"a run writes the set '{name}' ({owner}); it is left to it"
    return (
        f"'{there[0]}' exists already, and the set '{name}' is recovered as a whole or not at all; move the "
        f"complete files away whose '{GROWING}' is beside them ({', '.join(path.name for path in there)}), "
        "and recover again"
    )


def recover_all(partials: list[Path]) -> list[Recovered]:
    program = programs.required("thalweg-recover")
    refused = mixtures(partials)
    results = []
    with progress("recovering", len(partials)) as advance:
        for partial in partials:
            advance(1)
            if partial in refused:
                results.append(Recovered(partial, target_of(partial), None, f"'{partial}': {refused[partial]}"))
                continue
            done = programs.run([program, partial])
            count = re.search(r": (\d+) records$", done.stdout.strip())
            records = int(count[1]) if done.returncode == 0 and count else None
            lines = programs.said if records is None else programs.remarks
            text = "; ".join(lines(done.stderr, "thalweg-recover"))
            if records is None and not text:
                text = f"'{partial}': thalweg-recover ended with code {done.returncode} and said nothing"
            results.append(Recovered(partial, target_of(partial), records, text))
    return results


def report(results: list[Recovered]) -> None:
    for result in results:
        if result.records is None:
            complain(f"thalweg: {result.text}")
            continue
        say(f"{result.target}: {counted(result.records, 'whole record')}", "green")
        if result.text:
            say(f"    note: {result.text}", "yellow")
    sets = dict.fromkeys(
        result.target.with_name(part.set)
        for result in results
        if result.records is not None and (part := part_of(result.target.name))
    )
    for name in sets:
        say(f"'thalweg combine {name}' makes one file of the set", "dim")
