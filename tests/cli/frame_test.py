# ctest: SHORT LABELS cli TIMEOUT 60
"""What all commands have in common: help, version, exit codes, plain text, and no traceback."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import mpi
from support.command import COMMAND, thalweg, use_programs, without_root
from thalweg import cli, data
from thalweg.cli import app
from thalweg.cli.exit import MEANING

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

COMMANDS = (
    "verify",
    "check",
    "recover",
    "combine",
    "doctor",
    "init",
    "replay",
    "convert",
    "report",
    "watch",
    "trace",
    "demo",
)


def by_itself(*words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, from the sources."""
    command = [sys.executable, str(COMMAND), *(str(word) for word in words)]
    environment = mpi.OUTSIDE | variables
    return subprocess.run(command, env=environment, text=True, capture_output=True, timeout=60, check=False)


def test_it_runs_from_the_sources() -> None:
    done = by_itself("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"thalweg {app.version()}\n"


@pytest.mark.parametrize(("package", "command"), [("typer", "--version"), ("netCDF4", "verify")])
def test_a_python_package_that_is_missing_is_named(tmp_path: Path, package: str, command: str) -> None:
    (tmp_path / "a.nc").write_bytes(b"\x89HDF\r\n\x1a\n")
    (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError('none', name='{package}')\n")
    done = by_itself(command, tmp_path / "a.nc", PYTHONPATH=str(tmp_path))
    assert done.returncode == 4
    assert done.stderr == f"thalweg: the Python package '{package}' is missing; pip install {package}\n"


@pytest.mark.parametrize("command", ["verify", "recover", "combine"])
def test_an_error_is_said_to_a_program_as_well(tmp_path: Path, command: str) -> None:
    done = thalweg(command, "--json", tmp_path / "missing")
    said = json.loads(done.out)
    assert done.code == said["exit_code"] == 3
    assert done.err == f"thalweg: {said['error']}\n"
    assert str(tmp_path / "missing") in said["error"]
    assert thalweg("--json", command, tmp_path / "missing").out == done.out


@pytest.mark.parametrize("words", [("verify",), ("verify", "a.nc", "--rtol", "-1"), ("check", "a.yaml", "--nonsense")])
def test_a_wrong_call_is_said_to_a_program_as_well(words: tuple[str, ...]) -> None:
    done = thalweg(*words, "--json")
    said = json.loads(done.out)
    assert done.code == said["exit_code"] == 2
    assert said["error"]


def test_help_names_all_commands_and_exit_codes() -> None:
    done = thalweg("--help")
    assert done.code == 0
    words = " ".join(done.out.split())
    for command in COMMANDS:
        assert f" {command} " in words
    for code, text in MEANING.items():
        assert f"{code.value} {text}" in words


def test_the_page_has_the_same_exit_codes_and_all_commands() -> None:
    page = (mpi.SOURCE / "docs" / "command.md").read_text(encoding="utf-8")
    for code, text in MEANING.items():
        assert f"| {code.value} | {text}" in page
    for command in COMMANDS:
        assert f"\n## {command}" in page


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_exit_codes(command: str) -> None:
    done = thalweg(command, "--help")
    assert done.code == 0
    assert "Exit codes: 0 all right;" in " ".join(done.out.split())
    assert "--json" in done.out


def test_output_that_is_no_terminal_has_no_escape_sequences() -> None:
    for words in (["--help"], ["verify", "--help"], ["check", str(mpi.SOURCE / "examples" / "ocean" / "ocean.yaml")]):
        done = by_itself(*words)
        assert "\x1b" not in done.stdout + done.stderr
        assert "│" not in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_is_there_for_shells(shell: str) -> None:
    asked = {"COMP_WORDS": "thalweg ver", "COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "thalweg ver"}
    done = by_itself(**asked, _THALWEG_COMPLETE=f"complete_{shell}")
    assert "verify" in done.stdout


OCEAN = mpi.SOURCE / "examples" / "ocean" / "ocean.yaml"


@pytest.mark.parametrize(
    ("words", "reader", "codes"),
    [
        (f"check --all {OCEAN}", "head -n 1", (0, 141)),  # it may have written all before its reader went
        (f"check --json {OCEAN}", "true", (141,)),
        ("init --json", "true", (141,)),
    ],
)
def test_a_reader_that_has_enough_is_no_error(words: str, reader: str, codes: tuple[int, ...]) -> None:
    script = f'{{ sleep 0.5; {sys.executable} {COMMAND} {words}; }} 2>&3 | {reader}; exit "${{PIPESTATUS[0]}}"'
    environment = {**mpi.OUTSIDE, "PATH": f"{mpi.BUILD / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"exec 3>&2; {script}"], env=environment, text=True, capture_output=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in codes


@pytest.mark.parametrize(
    "words", [("verify",), ("init",), ("check",), ("recover",), ("combine", "--dry-run"), ("doctor", "--ranks", "0")]
)
def test_what_may_not_be_read_or_written_is_told(
    tmp_path_factory: pytest.TempPathFactory, words: tuple[str, ...]
) -> None:
    folder = tmp_path_factory.mktemp("closed")
    for parent in [folder, *folder.parents][:3]:
        parent.chmod(0o755)
    file = {"check": "a.yaml", "recover": "a.nc.partial", "combine": "a.nc.0000"}.get(words[0], "a.nc")
    (folder / file).write_bytes(b"CDF")
    (folder / file).chmod(0)
    for package in (cli, data):  # they may lie where only root reads
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    with without_root():
        done = thalweg(*words, folder if words[0] == "doctor" else folder / file)
    assert done.code == (1 if words[0] == "doctor" else 3), done
    assert "ermission denied" in done.out + done.err
    assert [path.name for path in folder.iterdir()] == [file]


def test_a_fault_of_the_command_itself_is_one_line_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(words: list[str], prog_name: str) -> None:
        raise ZeroDivisionError("by chance")

    monkeypatch.setattr(app, "app", broken)
    done = thalweg("verify", "a")
    assert done.code == 70
    assert "a fault of the command itself: ZeroDivisionError: by chance" in done.err
    with pytest.raises(ZeroDivisionError):
        app.main(["--debug", "verify", "a"])
