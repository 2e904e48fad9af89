"""thalweg init: a configuration that writes files such as an example, or as another system's settings have it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg.cli import fms
from thalweg.cli.check import refusals
from thalweg.cli.compression import compression_of, unknown_filters
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.guess import Series, TimeAxis, percent, seconds_text, series, time_axis, with_series
from thalweg.cli.output import complain, say, say_json
from thalweg.cli.quoting import quoted
from thalweg.cli.translate.kinds import translated
from thalweg.cli.translate.writing import report, summary, text_of
from thalweg.data import Dataset, Variable, open_any
from thalweg.data.ordinary import require_writable

SMALL_BYTES = 4096  # of a record: such variables share a chunk among records and are not compressed
METHODS = {"mean": "mean", "maximum": "max", "minimum": "min", "sum": "sum", "standard_deviation": "std",
           "root_mean_square": "rms"}  # fmt: skip
"""Operations over an interval, by the words of cell_methods (CF conventions, appendix E)."""


def init(
    file: Annotated[
        Path | None, typer.Argument(help="An example: a file, a store or a set, as the model should write.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Instead of an example: another system's settings: FMS's input.nml, diag_table or diag_table.yaml, "
            "MAPL's HISTORY.rc, XIOS's iodef.xml or file_def.xml.",
            metavar="FILE",
        ),
    ] = None,
    more: Annotated[
        list[Path] | None,
        typer.Option("--with", help="With --from: a file that belongs to it, such as field_def.xml.", metavar="FILE"),
    ] = None,
    namelist: Annotated[
        str, typer.Option(help="With --from: whose io_layout counts, where several components have one.")
    ] = "",
    grid: Annotated[
        str, typer.Option(help="With --from: the cells of x and y, for chunk_layout: xt_ocean=1440,yt_ocean=1080.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, not to the screen.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")] = False,
    collection: Annotated[str, typer.Option(help="Name of the collection in the model.  [from the file's name]")] = "",
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Writes a configuration after a file.

    It is for a model whose output looks like this example. Interval, series of files, format and compression are
    taken from the file; what is guessed is said. With --from it is after another system's settings, whose kind is
    seen from what is in them: who writes how many files, from FMS's namelists; which fields are in which files, from
    a diag_table, a HISTORY.rc or XIOS's files. What became of each key or line is said.
    """
    if (file is None) == (source is None):
        raise Failure(Exit.USAGE, "give either an example, or --from with another system's settings")
    if source is None and (namelist or grid or more):
        raise Failure(Exit.USAGE, "--namelist, --grid and --with are for --from")
    if source is not None and collection:
        raise Failure(Exit.USAGE, "--collection is for an example: what --from says holds for all collections")
    if output is not None and output.exists() and not force:
        raise Failure(Exit.INPUT, f"'{output}' exists; choose another name, or --force to replace it")
    if output is not None:
        require_writable(output)
    made = made_of(file, source, more or [], collection, namelist, grid)
    if output is not None:
        output.write_text(made.text, encoding="utf-8")
    if json:
        say_json({"output": output, "configuration": made.text, **made.said})
    elif output is None:
        say(made.text.removesuffix("\n"))
    for line in made.summary:
        complain(line)
    if output is not None:
        complain(f"'{output}' is written; look at {made.look_at}, then: thalweg check {output}")


@dataclass
class Made:
    text: str
    look_at: str  # what of it is to be looked at
    said: dict[str, Any] = field(default_factory=dict)  # for a program
    summary: list[str] = field(default_factory=list)


def made_of(
    file: Path | None, source: Path | None, more: list[Path], collection: str, namelist: str, grid: str
) -> Made:
    if file is not None:
        with open_any(file) as dataset:
            return Made(configuration(dataset, collection), "what is marked GUESSED")
    assert source is not None
    translation = translated(source, more)
    if translation is None and not more:
        return Made(fms.configuration(source, namelist, grid), "what became of each key")
    if translation is None:
        raise Failure(Exit.USAGE, f"--with is for tables of fields, and '{source}' is none")
    if namelist or grid:
        raise Failure(Exit.USAGE, f"--namelist and --grid are for FMS's namelists, and '{source}' has none")
    text = text_of(translation)
    refused = refusals(text)
    told = [f"refused by 'thalweg check', mend it there or in the original: {fault}" for fault in refused]
    said = report(translation) | {"refused": refused}
    return Made(text, "what is to be filled in, and what differs", said, [*summary(translation), *told])


def configuration(dataset: Dataset, collection: str) -> str:
    axis = time_axis(dataset)
    names = series(dataset.path, axis)
    axis = with_series(axis, names)
    lines = [
        f"# After the example {dataset.path.name}. All keys: thalweg check --keys",
        "",
        "writers: thread            # a helper thread of each node writes while the model computes",
        *time_lines(axis, names),
        "",
        "collections:",
        f"  {quoted(collection or names.collection)}:",
        *(f"    {line}" for line in collection_lines(dataset, axis, names)),
        "",
        *variable_lines(dataset, axis),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def time_lines(axis: TimeAxis | None, names: Series) -> Iterator[str]:
    if axis is None:
        return
    if axis.reference:
        yield f"calendar: {axis.calendar}"
        yield f'reference-date: "{axis.reference}"    # model time 0; the file counts its time from it'
    if axis.step_s or "%" in names.template:
        step = seconds_text(axis.step_s or 3600)
        yield f"time-step: {step}          # GUESSED: say the step that the model advances by"


def collection_lines(dataset: Dataset, axis: TimeAxis | None, names: Series) -> Iterator[str]:
    is_series = names.template != percent(dataset.path.name.removesuffix(".partial"))
    guessed = "    # GUESSED from the name" * is_series + ", but for the end of its period" * names.names_a_period
    yield f"file: {quoted(names.template)}{guessed}"
    if axis is None:
        yield "# every: 1 d             # the example has no records"
    else:
        yield f"every: {axis.every}    # {'GUESSED: ' if axis.is_guessed else ''}{axis.why}"
        if axis.dimension != "time":
            yield f"record-dimension: {quoted(axis.dimension)}"
    if names.new_file:
        yield f"new-file: {names.new_file}    # GUESSED from the name"
    yield from gathered_lines(dataset, axis)
    yield f"format: {dataset.kind}"
    if len(dataset.files) > 1:
        yield f"pattern: per-domain    # the example is a set of {len(dataset.files)} files; or per-rank"
    yield from compression_lines(dataset)
    yield from chunk_lines(dataset)


def operations(dataset: Dataset, axis: TimeAxis | None) -> dict[str, str]:
    """Of each variable with records, where all of them are gathered over the time of a record; else nothing."""
    if axis is None:
        return {}
    found = {}
    for name, variable in dataset.variables.items():
        if axis.dimension not in variable.dims or name in times(dataset, axis):
            continue
        method = re.search(rf"\b{re.escape(axis.dimension)}: (\w+)", str(variable.attributes.get("cell_methods", "")))
        if method is None or method[1] not in METHODS:
            return {}
        found[name] = METHODS[method[1]]
    return found


def times(dataset: Dataset, axis: TimeAxis) -> set[str]:
    """The time coordinate and its bounds, which a collection of fields has by itself."""
    time = dataset.variables.get(axis.dimension)
    return {axis.dimension, str(time.attributes.get("bounds", ""))} if time is not None else {axis.dimension}


def gathered_lines(dataset: Dataset, axis: TimeAxis | None) -> Iterator[str]:
    found = operations(dataset, axis)
    if not found:
        return
    most, _ = Counter(found.values()).most_common(1)[0]
    yield f"operation: {most}    # as cell_methods say"
    yield "fields:"
    for name, operation in found.items():
        yield f"  - {quoted(name)}" if operation == most else f"  - {{from: {quoted(name)}, operation: {operation}}}"


def fields(dataset: Dataset) -> dict[str, Variable]:
    """Variables large enough to be compressed, or all if there are none."""
    large = {
        name: variable
        for name, variable in dataset.variables.items()
        if variable.dtype.kind in "iuf" and variable.size * variable.dtype.itemsize >= SMALL_BYTES
    }
    return large or {n: v for n, v in dataset.variables.items() if v.dtype.kind in "iuf"}


def compression_lines(dataset: Dataset) -> Iterator[str]:
    if dataset.kind.startswith("cdf"):
        return
    large = fields(dataset)
    found = {name: compression_of(variable) for name, variable in large.items()}
    if not found:
        return
    most, _ = Counter(found.values()).most_common(1)[0]
    yield f"compression: {most.text}"
    for other in sorted({", ".join(unknown_filters(variable)) for variable in large.values()} - {""}):
        yield f"# The example also uses {other}, which Thalweg does not write."
    different = {name: compression for name, compression in found.items() if compression != most}
    if different:
        yield "variables:"
        for name, compression in different.items():
            yield f"  {quoted(name)}: {{compression: {compression.text}}}"


def chunk_lines(dataset: Dataset) -> Iterator[str]:
    """As a remark: chunks that suit Thalweg's writers follow from the I/O domains."""
    chunked = [variable for variable in fields(dataset).values() if variable.chunks and len(variable.dims) > 1]
    if not chunked or dataset.kind.startswith("cdf"):
        return
    largest = max(chunked, key=lambda variable: variable.size)
    extents = ", ".join(f"{quoted(d)}: {c}" for d, c in zip(largest.dims, largest.chunks or (), strict=True))
    yield f"# chunks: {{{extents}}}    # as '{largest.name}' has them; without, Thalweg chooses"


def variable_lines(dataset: Dataset, axis: TimeAxis | None) -> Iterator[str]:
    gathered = operations(dataset, axis)
    if gathered:
        yield "# The example has these variables, which the model defines and puts as fields; those without records"
        yield "# come into a file by themselves, where a field has their dimensions or names them:"
    else:
        yield "# The example has these variables, which the model defines and puts by their names. To leave one out:"
        yield "#   variables: {NAME: {enabled: false}}    # in the collection"
    for variable in dataset.variables.values():
        if gathered and axis is not None and variable.name in times(dataset, axis):
            continue
        said = [str(variable.attributes[key]) for key in ("units", "long_name") if key in variable.attributes]
        kind = {"O": "string", "S": "char"}.get(variable.dtype.kind, variable.dtype.name)
        remark = " ".join(", ".join([kind, *said]).split())
        yield f"#   {variable.name} ({', '.join(variable.dims)}): {remark}"
