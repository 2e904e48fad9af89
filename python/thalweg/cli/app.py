"""The frame of all commands: names, help, version, and what becomes of errors."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from thalweg.cli import check, combine, init, recover, verify
from thalweg.cli.demo.command import demo
from thalweg.cli.doctor.command import doctor
from thalweg.cli.exit import EPILOG, Exit, Failure
from thalweg.cli.output import ReaderGone, complain, say_json
from thalweg.cli.replay.command import replay
from thalweg.cli.replay.convert import convert
from thalweg.cli.report.command import report
from thalweg.cli.trace.command import trace
from thalweg.cli.trace_replay.command import replay_trace
from thalweg.cli.watch.command import watch
from thalweg.data import DataError
from thalweg.programs import MissingProgram

HELP = "Looks at, joins, recovers and checks what Thalweg writes, and helps to configure it."

app = typer.Typer(
    name="thalweg",
    help=HELP,
    epilog=EPILOG,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
)
FILES = (verify.verify, check.check, recover.recover, combine.combine, init.init)
for command in (*FILES, doctor, replay, convert, report, watch, trace, replay_trace, demo):
    app.command(epilog=EPILOG)(command)


def version() -> str:
    """Of the installed package, or of the sources that this file lies in."""
    try:
        return metadata.version("thalweg")
    except metadata.PackageNotFoundError:
        pass
    try:
        text = (Path(__file__).parents[3] / "CMakeLists.txt").read_text(encoding="utf-8")
        return text.split("project(thalweg VERSION ", 1)[1].split()[0]
    except (OSError, IndexError):
        return "of unknown version"


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"thalweg {version()}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and end.", callback=show_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where a fault of the command itself arose.")] = False,
) -> None:
    context.obj = debug


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code. No input, however bad, ends in a traceback."""
    words = behind_the_command(list(sys.argv[1:] if arguments is None else arguments))
    code: int = Exit.UNREAD
    try:
        code = run(words)
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGone):
        forget_output()
    return code


def behind_the_command(words: list[str]) -> list[str]:
    """`thalweg --json verify x` is what `thalweg verify --json x` is."""
    return [words[1], "--json", *words[2:]] if len(words) > 1 and words[0] == "--json" else words


def forget_output() -> None:
    """What is still to be written must not be an error when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(words: list[str]) -> int:
    try:
        app(words, prog_name="thalweg")
        return Exit.OK
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else Exit.OK
        # Of the exception that typer has shown: its class is that of click, or of typer's own copy.
        text = getattr(end.__context__, "format_message", None)
        if text is not None and "--json" in words:
            say_json({"error": text(), "exit_code": int(code)})
        return code
    except ReaderGone:
        raise
    except Exception as fault:
        code, text = told(fault)
        if code == Exit.INTERNAL and "--debug" in words:
            raise
        complain(f"thalweg: {text}")
        if "--json" in words:
            say_json({"error": text, "exit_code": code.value})
        return code


def told(fault: Exception) -> tuple[Exit, str]:
    """What an exception that ends a command means to who called it."""
    match fault:
        case MissingProgram():
            return Exit.ENVIRONMENT, str(fault)
        case Failure():
            return fault.code, str(fault)
        case DataError():
            return Exit.INPUT, str(fault)
        case ModuleNotFoundError():
            return Exit.ENVIRONMENT, f"the Python package '{fault.name}' is missing; pip install {fault.name}"
        case MemoryError():
            return Exit.ENVIRONMENT, "the memory is not enough; --memory takes less, where the command has it"
        case OSError():
            # Of a path that a command did not expect to fail; the text names it.
            where = f"'{fault.filename}': " if fault.filename else ""
            lacking = fault.errno in (errno.ENOSPC, errno.EMFILE, errno.ENOMEM)
            return Exit.ENVIRONMENT if lacking else Exit.INPUT, f"{where}{fault.strerror or fault}"
        case _:
            where = "'thalweg --debug …' shows where it arose"
            return Exit.INTERNAL, f"a fault of the command itself: {type(fault).__name__}: {fault}; {where}"
