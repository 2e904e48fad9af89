"""thalweg combine: a set of files becomes one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg import programs
from thalweg.cli.arguments import MemorySize
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import bytes_text, complain, counted, say, say_json
from thalweg.data import kinds
from thalweg.data.core import GROWING, formats, part_of

RESULT = re.compile(
    r"(?P<output>.+): (?P<kind>virtual master|copy) of (?P<files>\d+) files, (?P<records>\d+) records, verified, .*"
)


def combine(
    name: Annotated[str, typer.Argument(metavar="SET", help="NAME.nc, of which NAME.nc.0000, NAME.nc.0001, … are.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The result, in place of NAME.nc.")] = None,
    copy: Annotated[bool, typer.Option("--copy", help="netCDF-4: copy values; no virtual master.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the files of the set afterwards.")] = False,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory for values.")] = "64 MiB",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what the set is and what would be made.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Joins a set of files into one.

    Of netCDF-4 files it makes a virtual master, which shows them as one, or with --copy a file. The result is read
    back and compared with the set before it gets its name.
    """
    MemorySize.parse(memory)
    whole = set_of(name)
    target = output or whole
    require_free(target)
    if dry_run:
        plan(whole, target, copy, json)
        return
    words: list[object] = [programs.required("thalweg-combine"), "-o", target, "--memory", memory]
    words += ["--copy"] * copy + ["--remove"] * remove
    done = programs.run([*words, whole])
    if done.returncode != 0:
        said = programs.said(done.stderr, "thalweg-combine")
        raise Failure(Exit.INPUT, "; ".join(said) or f"thalweg-combine ended with code {done.returncode}")
    notes = programs.remarks(done.stderr, "thalweg-combine")
    match = RESULT.fullmatch(done.stdout.strip())
    if json:
        found: dict[str, Any] = match.groupdict() if match else {}
        numbers = {key: int(found[key]) for key in ("files", "records") if key in found}
        say_json({"output": target, "kind": found.get("kind"), **numbers, "notes": notes})
        return
    for line in notes:
        complain(f"thalweg: {line}")
    say(done.stdout.strip(), "green")


def set_of(name: str) -> Path:
    """The name of the set, also where one of its files, or a pattern of all, is named."""
    path = Path(name)
    part, pattern = part_of(path.name), re.fullmatch(r"(?P<set>.+)\.[*?\[\]0-9-]+", path.name)
    named = part.set if part else pattern["set"] if pattern else ""
    if named and not kinds.parts_of(path):
        path = path.with_name(named)
    parts = kinds.parts_of(path)
    growing = [part.name for part in parts if part.name.endswith(GROWING)]
    if growing:
        raise Failure(
            Exit.INPUT,
            f"{counted(len(growing), 'file')} of the set '{path}' still grow or were left by a killed run, such as "
            f"'{growing[0]}'; after a kill: thalweg recover {path}",
        )
    if not parts:
        raise Failure(
            Exit.INPUT, f"'{path}' is no set: there is no '{path.name}.0000', nor any other number, beside it"
        )
    return path


def require_free(target: Path) -> None:
    if target.exists():
        raise Failure(
            Exit.INPUT,
            f"'{target}' exists already; move it away, or name another file with -o. If it is the master of a set, it "
            "shows the set as one file; --copy -o OTHER.nc makes one that has the values itself",
        )


def plan(whole: Path, target: Path, copies: bool, as_json: bool) -> None:
    from thalweg.data.file_set import open_set

    parts = kinds.parts_of(whole)
    with open_set(whole, parts) as dataset:
        is_virtual = formats()[dataset.kind].has_virtual and not copies
        found: dict[str, Any] = {
            "set": whole,
            "output": target,
            "kind": "virtual master" if is_virtual else "copy",
            "format": dataset.kind,
            "files": len(parts),
            "bytes": sum(part.stat().st_size for part in parts),
            "dimensions": {name: dim.size for name, dim in dataset.dims.items()},
            "notes": list(dataset.notes),
        }
    if as_json:
        say_json(found)
        return
    sizes = ", ".join(f"{name} {size}" for name, size in found["dimensions"].items())
    files = f"{counted(found['files'], 'file')} of {found['format']}, {bytes_text(found['bytes'])}"
    say(f"{whole}: {files}, together {sizes}")
    for text in found["notes"]:
        say(f"    note: {text}", "yellow")
    say(f"would become: {target}, a {found['kind']}")
