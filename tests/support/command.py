"""The command `thalweg`, called within the process of the test: the libraries that it needs are loaded once."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer.main
from support import mpi

# The command is tested as it runs from the sources: without the package's own module, which needs the core.
COMMAND = mpi.SOURCE / "python" / "thalweg" / "cli"
package = ModuleType("thalweg")
package.__path__ = [str(COMMAND.parent)]
sys.modules["thalweg"] = package

from thalweg import programs
from thalweg.cli.app import main
from thalweg.cli.replay import launch

# A process puts its commands together once; typer does so at each call, which takes longer than most of them.
typer.main.get_command = cache(typer.main.get_command)


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=pytest.fail)


def thalweg(*words: object) -> Done:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    assert "Traceback" not in err.getvalue()
    return Done(int(code), out.getvalue(), err.getvalue())


def refused(code: int, *words: object) -> str:
    """The command ends with this code and one clear line, which its JSON repeats, and says nothing else."""
    done = thalweg(*words)
    assert done.code == code, done
    assert len(done.err.strip().splitlines()) == 1, done.err
    if "--json" in words:
        assert done.json == {"error": done.err.removeprefix("thalweg: ").strip(), "exit_code": code}
    else:
        assert done.out == ""
    return done.err


def bad_inputs(folder: Path) -> dict[str, Path]:
    """What users name by mistake, or a broken copy left behind."""
    names = ("text.nc", "empty.nc", "zeros.nc", "missing.nc", "folder", "cut.nc", "pipe.nc")
    places = {name: folder / name for name in names}
    places["text.nc"].write_text("history: ocean.nc\n")
    places["empty.nc"].touch()
    places["zeros.nc"].write_bytes(bytes(4096))
    places["folder"].mkdir()
    os.mkfifo(places["pipe.nc"])
    places["cut.nc"].write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    return places


@contextlib.contextmanager
def without_root() -> Iterator[None]:
    """As a user who is not root, to whom permissions mean something."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def use_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of the build that is tested, without settings of the tests' own environment."""
    monkeypatch.setattr(programs, "folders", lambda: [mpi.BUILD / "bin"])
    for name in [name for name in os.environ if name.startswith("THALWEG_")]:
        monkeypatch.delenv(name)


@contextlib.contextmanager
def ranks_that_stay() -> Iterator[None]:
    """What replay and convert would start under mpiexec is done by ranks that stay (standing.py); the long tests have
    each start."""

    def run(command: Sequence[object], limit_s: float, *others: object) -> subprocess.CompletedProcess[str]:
        words = [str(word) for word in command]
        if launch.RANK not in words or "-n" not in words:
            return started(command, limit_s, *others)
        ranks, module = int(words[words.index("-n") + 1]), words[words.index("-m") :]
        paths = {"PYTHONPATH": mpi.PYTHON_PATHS}
        return mpi.stay(ranks, mpi.PYTHON_RANKS, Path.cwd(), module, min(int(limit_s), 120), paths)

    started = programs.run
    with pytest.MonkeyPatch.context() as patch:
        if mpi.MAY_STAY:
            patch.setattr(programs, "run", run)
        yield


@pytest.fixture
def use_ranks_that_stay() -> Iterator[None]:
    with ranks_that_stay():
        yield
