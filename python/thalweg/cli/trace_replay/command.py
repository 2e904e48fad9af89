"""The command: takes the logs of a trace, has ranks write what it has in both ways, in turns, and compares."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalweg.cli.arguments import make_folder, require_finite
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import complain, say_json
from thalweg.data.replacing import require_replaceable

if TYPE_CHECKING:
    from thalweg.trace.adapted import Adapted
    from thalweg.trace.writes import Writes

PLAYER = "thalweg.cli.trace_replay.play"
WAYS = ("original", "thalweg")


def replay_trace(
    logs: Annotated[Path, typer.Argument(metavar="LOGS", help="The folder of 'thalweg trace --keep'.")],
    turns: Annotated[int, typer.Option(help="How many times each way is played, in turns.", min=1)] = 3,
    pace: Annotated[
        float, typer.Option(help="Times between writes: 1 as in the trace, 0.5 half of them, 0 none.", min=0.0)
    ] = 1.0,
    busy: Annotated[bool, typer.Option("--busy", help="Compute in the times between, instead of sleeping.")] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any key of Thalweg's configuration.")
    ] = None,
    library: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The original library, if not that of the trace.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write there, and keep the last files.")] = None,
    limit: Annotated[float, typer.Option(help="Seconds that a turn may take.", min=1.0)] = 600.0,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Shows how long a traced program would wait for its output with Thalweg, without the program.

    Takes the writes of a trace (variable, box, order, times between), and has as many ranks as the trace has make them
    again: by the library that the program called, netCDF or PnetCDF, and by Thalweg. Values are made up. What cannot be
    played is counted and named.
    """
    from thalweg.cli.trace_replay.text import show

    require_finite("--pace", pace)
    writes = writes_in(logs)
    if library is not None:
        for file in writes.files:
            file.library = str(library.resolve())
    require_libraries(writes, library)
    if keep is not None:
        make_folder(keep, "--keep")
    with tempfile.TemporaryDirectory(prefix="thalweg-replay-", dir=keep) as folder:
        run = Run(logs, writes, Path(folder), turns, pace, busy, yaml_of(settings or []), limit)
        made = run.all()
        if keep is not None:
            made["output"] = run.kept(keep)
    if json:
        say_json(made)
    else:
        show(made)
    raise typer.Exit(Exit.OK if made["proof"] and not made["proof"]["differences"] else Exit.FINDING)


def writes_in(folder: Path) -> Writes:
    from thalweg.trace.table import read_folder
    from thalweg.trace.writes import NothingToReplay, writes_of

    if not folder.is_dir():
        why = "no folder" if folder.exists() else "there is no such folder"
        raise Failure(Exit.INPUT, f"'{folder}': {why}; 'thalweg trace --keep FOLDER -- PROGRAM' makes one")
    logs, losses = read_folder(folder)
    if not logs and not losses:
        raise Failure(
            Exit.INPUT, f"'{folder}' has no logs (*.trace); 'thalweg trace --keep FOLDER -- PROGRAM' makes them"
        )
    try:
        found = writes_of(logs)
    except NothingToReplay as fault:
        raise Failure(Exit.INPUT, f"'{folder}': {fault}") from None
    found.notes += [*losses, *(f"{log.path.name}: {loss}" for log in logs for loss in log.losses)]
    return found


def require_libraries(writes: Writes, given: Path | None) -> None:
    from thalweg.cli.trace_replay.trusted import objection

    for path in sorted({file.library for file in writes.files}):
        if not Path(path).is_file():
            raise Failure(
                Exit.ENVIRONMENT,
                f"the library '{path}', by which the program wrote, is not on this machine; --library names another",
            )
        if given is None and (why := objection(path)):
            raise Failure(
                Exit.ENVIRONMENT,
                f"the library '{path}', which the logs name, is not loaded: {why}; "
                f"if you trust it, say --library '{path}'",
            )


def yaml_of(settings: list[str]) -> str:
    from thalweg.cli.replay.job import flow, put
    from thalweg.cli.replay.options import settings_of

    tree: dict[str, Any] = {"report": "none"}
    for key, value in settings_of(settings, "").items():
        put(tree, key, value)
    return flow(tree)


@dataclass
class Run:
    logs: Path
    writes: Writes
    folder: Path
    turns: int
    pace: float
    is_busy: bool
    yaml: str
    limit_s: float
    measured: dict[str, list[list[dict[str, Any]]]] = field(default_factory=lambda: {way: [] for way in WAYS})
    paths: dict[str, list[str]] = field(default_factory=dict)  # of the last turn
    refused: str = ""

    def all(self) -> dict[str, Any]:
        from thalweg.trace.adapted import adapted

        made = adapted(self.writes)
        if made.staging_bytes * 5 // 4 > 2 << 30 and "staging" not in self.yaml:
            self.yaml = f'{{"staging": {made.staging_bytes * 5 // 4 >> 20} MiB, {self.yaml[1:]}'
        for turn in range(self.turns):
            for way in WAYS:
                if way == "original" or not self.refused:
                    self.one(way, turn, made)
        return self.told(made)

    def one(self, way: str, turn: int, made: Adapted) -> None:
        """What another way has left to be written is on the storage before this one begins."""
        from thalweg.cli.replay.launch import launch
        from thalweg.cli.trace_replay.job import TraceJob

        shutil.rmtree(self.folder / way, ignore_errors=True)
        os.sync()
        folder = self.folder / way
        self.paths[way] = paths_in(folder, [file.path for file in self.writes.files])
        ranks = self.writes.ranks
        job = TraceJob(
            str(self.logs), str(folder), way, ranks, self.paths[way], self.yaml, self.pace, self.is_busy
        )  # fmt: skip
        is_thalweg = way == "thalweg"
        job.give(made.files if is_thalweg else self.writes.files, made.steps if is_thalweg else self.writes.steps)
        try:
            self.measured[way].append(launch(job, ranks, self.limit_s, PLAYER)["measured"])
        except Failure as fault:
            if fault.code != Exit.FINDING:
                raise
            self.refused = str(fault)
            if turn:
                complain(f"thalweg: turn {turn + 1}: {fault}")

    def told(self, made: Adapted) -> dict[str, Any]:
        from thalweg.cli.trace_replay import figures
        from thalweg.cli.trace_replay.proof import proved
        from thalweg.trace.writes import as_json

        original, thalweg = (self.measured[way] for way in WAYS)
        proof = None if self.refused else proved(self.writes, made, self.paths["original"], self.paths["thalweg"])
        return {
            "thalweg_trace_replay": 1,
            "trace": str(self.logs),
            "ranks": self.writes.ranks,
            "writes": self.writes.puts,
            "bytes": self.writes.bytes,
            "files": as_json(self.writes),
            "libraries": sorted({file.library for file in self.writes.files}),
            "turns": self.turns,
            "pace": self.pace,
            "busy": self.is_busy,
            "notes": [*self.writes.notes, *made.notes],
            "left_out": dict(self.writes.left_out),
            "left_out_of_thalweg": dict(made.left_out),
            "traced_s": figures.traced_s(self.writes),
            "original": asdict(figures.way_of(original)),
            "thalweg": None if self.refused else asdict(figures.way_of(thalweg)),
            "refused": self.refused,
            "ratio": None if self.refused else asdict(figures.ratios(original, thalweg)),
            "proof": asdict(proof) if proof else None,
            "output": None,
        }

    def kept(self, keep: Path) -> str:
        """The files of the last turn, under the name of their way."""
        for way, paths in self.paths.items():
            made = [path for path in map(Path, paths) if path.exists()]
            if way == "thalweg":
                made += (self.folder / way).rglob("*.checksums")
            for path in made:
                target = keep / path.relative_to(self.folder)
                require_replaceable(target)
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, target)
        return str(keep)


def paths_in(folder: Path, given: list[str]) -> list[str]:
    """The same tree below the folder, which no path of a log leads out of; one that the program made anew has a number
    at its second file."""
    paths = [Path(os.path.normpath("/" + path.lstrip("/"))) for path in given]
    common = Path(os.path.commonpath([str(path.parent) for path in paths]))
    found: list[str] = []
    for path in paths:
        own = folder / "files" / (path.relative_to(common) if path.name else "unnamed")
        own.parent.mkdir(parents=True, exist_ok=True)
        times = 1
        target = own
        while str(target) in found:
            times += 1
            target = own.with_name(f"{own.stem}-again{times}{own.suffix}")
        found.append(str(target))
    return found
