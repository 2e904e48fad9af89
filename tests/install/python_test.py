# ctest: TIMEOUT 300
"""pip installs the Python package into an environment of its own, where it needs nothing of this tree.

The module is built on an installed library (THALWEG_PYTHON_ONLY), because to compile the library once more takes longer
than all other tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi

PARTS = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "cmake", "python", "examples/python")


def run(command: Sequence[object], folder: Path, **environment: str) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=240,
                          check=False)  # fmt: skip
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the package, whose source is gone. It borrows NumPy and mpi4py."""
    folder = tmp_path_factory.mktemp("pip")
    run(["cmake", "--install", mpi.BUILD, "--prefix", folder / "prefix"], folder)
    for part in PARTS:
        (folder / "source" / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (mpi.SOURCE / part).is_dir() else shutil.copy
        copy(mpi.SOURCE / part, folder / "source" / part)
    run([sys.executable, "-m", "venv", "--without-pip", "environment"], folder)
    python = folder / "environment" / "bin" / "python"
    run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--no-build-isolation", "--no-deps", "--no-index",
         "--config-settings", "cmake.define.THALWEG_PYTHON_ONLY=ON",
         "--config-settings", f"cmake.define.CMAKE_PREFIX_PATH={folder / 'prefix'}", folder / "source"],
        folder,
        PYTHONPATH=sysconfig.get_path("purelib"),
    )  # fmt: skip
    shutil.move(folder / "source" / "examples" / "python" / "minimal.py", folder / "minimal.py")
    shutil.rmtree(folder / "source")
    return python


def test_package_that_pip_installed_writes_its_file(python: Path, tmp_path: Path) -> None:
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib")}
    run(["mpiexec", "-n", "2", python, python.parents[2] / "minimal.py"], tmp_path, **borrowed)
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert np.asarray(file["height"][:, 0, 0]).tolist() == [1000.0, 2000.0, 3000.0]


def test_package_is_in_its_environment_with_version_and_types(python: Path, tmp_path: Path) -> None:
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib")}
    script = (
        "import importlib.metadata as m, thalweg; print(m.version('thalweg'), thalweg.__version__, thalweg.__file__)"
    )
    version, own_version, place = run([python, "-c", script], tmp_path, **borrowed).split()
    assert version == own_version
    assert Path(place).is_relative_to(python.parents[1])
    names = {path.name for path in Path(place).parent.iterdir()}
    assert names >= {"py.typed", "_core.pyi", "session.py"}


def test_xarray_finds_the_engine_of_the_package(python: Path, tmp_path: Path) -> None:
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib")}
    script = "import xarray; print(type(xarray.backends.list_engines()['thalweg']).__module__)"
    assert run([python, "-c", script], tmp_path, **borrowed) == "thalweg.xarray_backend.entry\n"


def test_programs_are_found_in_the_prefix_of_the_library(python: Path, tmp_path: Path) -> None:
    (tmp_path / "ocean.yaml").write_text("writers: thread\n")
    found = shutil.which("thalweg-check", path=os.environ["PATH"])
    assert found is None, f"{found} on PATH would be found without it"
    assert "no errors" in run([python.with_name("thalweg"), "check", "ocean.yaml"], tmp_path,
                              PYTHONPATH=sysconfig.get_path("purelib"))  # fmt: skip


def test_the_atmosphere_comes_with_the_package(python: Path, tmp_path: Path) -> None:
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib")}
    command = [python.with_name("thalweg"), "demo"]
    told = json.loads(run([*command, "--quick", "-n", "2", "--json"], tmp_path, **borrowed))
    assert (told["model"], told["equal"]) == ("atmosphere", True)
    with netCDF4.Dataset(tmp_path / "out" / "demo" / "atmosphere" / "thread" / "history.nc") as file:
        assert file["height"].shape == (24, 24, 48)
    done = subprocess.run(
        [*command, "--model", "ocean"],
        cwd=tmp_path,
        env=os.environ | borrowed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 4
    assert "the ocean is not here: it comes with Thalweg's sources" in done.stderr
