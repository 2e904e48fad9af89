"""Projects outside of this tree build against the installed package and write what they mean to."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

FOREIGN = Path(__file__).parent / "foreign"
BUILD_DIR = Path(os.environ["THALWEG_TEST_BUILD_DIR"])
MODELS = ("model_c", "model_cpp", "model_fortran")
EXPECTED = [100 * record + cell for record in (1, 2) for cell in range(24)]


def run(command: Sequence[object], folder: Path, **environment: str) -> str:
    """Runs a command that has to succeed, and returns what it printed."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}"
    return result.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prefix that the package was moved to after it was installed elsewhere."""
    folder = tmp_path_factory.mktemp("installed")
    run(["cmake", "--install", BUILD_DIR, "--prefix", folder / "first"], folder)
    return (folder / "first").rename(folder / "moved")


@pytest.fixture(scope="module")
def cmake_project(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cmake")
    run(["cmake", "-S", FOREIGN, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}"], folder)
    run(["cmake", "--build", folder], folder)
    return folder


@pytest.fixture(scope="module")
def pkg_config_project(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pkg-config") / "project"
    shutil.copytree(FOREIGN, folder)
    (pkgconfig,) = prefix.rglob("pkgconfig")
    run(["make"], folder, PKG_CONFIG_PATH=str(pkgconfig))
    return folder


def values_written_by(program: Path, folder: Path) -> list[float]:
    """Runs a model on two ranks and returns all values of temp, as ncdump prints them."""
    run(["mpiexec", "-n", "2", program], folder)
    text = run(["ncdump", "-v", "temp", "history.nc"], folder)
    section = re.search(r"\n temp =\n(.*?);", text, re.DOTALL)
    assert section, text
    return [float(value) for value in section.group(1).split(",")]


@pytest.mark.parametrize("model", MODELS)
def test_cmake_project_writes_its_file(cmake_project: Path, tmp_path: Path, model: str) -> None:
    assert values_written_by(cmake_project / model, tmp_path) == EXPECTED


def test_a_project_of_cpp_alone_needs_no_other_language(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(alone LANGUAGES CXX)\nfind_package(thalweg REQUIRED)\n"
        f"add_executable(model {FOREIGN / 'model_cpp.cpp'})\ntarget_link_libraries(model PRIVATE thalweg::thalweg)\n"
    )
    run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    assert values_written_by(tmp_path / "build" / "model", tmp_path) == EXPECTED


@pytest.mark.parametrize("model", MODELS)
def test_pkg_config_project_writes_its_file(pkg_config_project: Path, tmp_path: Path, model: str) -> None:
    assert values_written_by(pkg_config_project / model, tmp_path) == EXPECTED


def test_fortran_source_is_installed_for_other_compilers(prefix: Path) -> None:
    names = {path.name for path in (prefix / "share/thalweg/fortran").iterdir()}
    assert names >= {"thalweg.f90", "thalweg_values.f90", "thalweg_fortran.c"}


@pytest.mark.parametrize("name", ["combine", "check", "recover", "probe", "server"])
def test_programs_are_installed(prefix: Path, name: str) -> None:
    usage = run([prefix / f"bin/thalweg-{name}", "--help"], prefix)
    assert f"Usage: thalweg-{name} " in usage
    assert f"thalweg-{name}" in usage


def test_library_exports_the_interface_alone(prefix: Path) -> None:
    (library,) = prefix.rglob("libthalweg.so")
    symbols = run(["nm", "--dynamic", "--defined-only", "--format=just-symbols", library], prefix).split()
    header = "".join(path.read_text() for path in sorted((prefix / "include").glob("*.h")))
    declared = set(re.findall(r"^THALWEG_API [^;(]*?(thalweg_\w+)\(", header, re.MULTILINE))
    assert set(symbols) == declared | {"thalweg_tell_as_fortran"}  # for Fortran's interface alone
