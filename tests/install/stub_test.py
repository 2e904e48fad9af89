# ctest: LABELS mpi TIMEOUT 180
"""Models that are linked with the stub run as they do with Thalweg, and write nothing."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from support import mpi

HERE = Path(__file__).parent
FOREIGN = HERE / "foreign"
MODELS = ("model_c", "model_cpp", "model_fortran")
SAID = "thalweg stub: nothing is written"


def run(command: Sequence[object], **environment: str) -> str:
    """A command that has to succeed; what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False)  # fmt: skip
    assert done.returncode == 0, f"{words}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The prefix of a build of the stub alone, for which pkg-config knew none of the libraries that Thalweg needs."""
    folder = tmp_path_factory.mktemp("alone")
    build, prefix, nothing = folder / "build", folder / "prefix", str(folder / "nothing")
    run(
        ["cmake", "-S", mpi.SOURCE, "-B", build, "-DTHALWEG_STUB_ONLY=ON", "-DCMAKE_INSTALL_LIBDIR=lib"],
        PKG_CONFIG_LIBDIR=nothing,
    )
    run(["cmake", "--build", build, "--parallel", 2])
    run(["cmake", "--install", build, "--prefix", prefix])
    assert not list(prefix.rglob("libthalweg.*"))
    return prefix


@pytest.fixture(scope="module")
def by_cmake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The models of a project that found the whole package and chose the stub."""
    folder = tmp_path_factory.mktemp("by_cmake")
    run(["cmake", "--install", mpi.BUILD, "--prefix", folder / "prefix"])
    run(["cmake", "-S", FOREIGN, "-B", folder, f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}", "-DWITH_OUTPUT=OFF"])
    run(["cmake", "--build", folder, "--parallel", 2])
    return folder


@pytest.fixture(scope="module")
def by_pkg_config(alone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("by_pkg_config")
    places = {"PKG_CONFIG_PATH": str(alone / "lib" / "pkgconfig"), "VPATH": str(FOREIGN)}
    run(["make", "-C", folder, "-f", FOREIGN / "Makefile", "OUTPUT=thalweg-stub"], **places)
    compiled = {"nf90_model": ["mpifort", mpi.SOURCE / "tests" / "programs" / "nf90_model.f90"],
                "answers": ["mpicc", HERE / "stub_answers.c"]}  # fmt: skip
    for name, (compiler, source) in compiled.items():
        flags = run(["pkg-config", "--cflags", "--libs", "thalweg-stub-fortran"], **places).split()
        run([compiler, source, "-o", folder / name, *flags])
    return folder


def check_that_nothing_is_written(program: Path, folder: Path, *words: str) -> None:
    done = mpi.launch(["-n", 2, program, *words], folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines().count(SAID) == 1, done.stderr
    assert not list(folder.iterdir())


@pytest.mark.parametrize("model", MODELS)
def test_a_model_of_a_cmake_project_writes_nothing(by_cmake: Path, tmp_path: Path, model: str) -> None:
    check_that_nothing_is_written(by_cmake / model, tmp_path)
    assert "libthalweg.so" not in run(["ldd", by_cmake / model])


@pytest.mark.parametrize("model", MODELS)
def test_a_model_built_where_there_is_the_stub_alone_writes_nothing(
    by_pkg_config: Path, tmp_path: Path, model: str
) -> None:
    check_that_nothing_is_written(by_pkg_config / model, tmp_path)


@pytest.mark.parametrize("way", ["run", "left"])
def test_a_model_with_calls_of_netcdf_writes_nothing(by_pkg_config: Path, tmp_path: Path, way: str) -> None:
    check_that_nothing_is_written(by_pkg_config / "nf90_model", tmp_path, way)


def test_the_stub_tells_what_a_model_goes_on_with(by_pkg_config: Path, tmp_path: Path) -> None:
    check_that_nothing_is_written(by_pkg_config / "answers", tmp_path)


def test_the_stub_needs_mpi_alone(alone: Path) -> None:
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", run(["readelf", "-d", alone / "lib" / "libthalweg-stub.so"]))
    others = [name for name in needed if not re.match(r"(libmpi|libmpich|libc|libpthread|ld-linux[-\w]*)\.so", name)]
    assert needed
    assert not others


def test_without_a_fortran_compiler_there_is_the_stub_for_c(tmp_path: Path) -> None:
    build, prefix, found = tmp_path / "build", tmp_path / "prefix", tmp_path / "found"
    told = run(["cmake", "-S", mpi.SOURCE, "-B", build, "-DTHALWEG_STUB_ONLY=ON", "-DCMAKE_INSTALL_LIBDIR=lib",
                "-DCMAKE_Fortran_COMPILER=NOTFOUND"])  # fmt: skip
    assert "There is no Fortran compiler: the stub is built for C and C++ alone" in told
    run(["cmake", "--build", build, "--parallel", 2])
    run(["cmake", "--install", build, "--prefix", prefix])
    assert [path.name for path in (prefix / "lib" / "pkgconfig").iterdir()] == ["thalweg-stub.pc"]
    found.mkdir()
    (found / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(found LANGUAGES C)\n"
                                          "find_package(thalweg REQUIRED)\nadd_executable(model model.c)\n"
                                          "target_link_libraries(model PRIVATE thalweg::stub)\n")  # fmt: skip
    (found / "model.c").write_text((FOREIGN / "model_c.c").read_text())
    said = run(["cmake", "-S", found, "-B", found / "build", f"-DCMAKE_PREFIX_PATH={prefix}"])
    assert "the stub alone, which writes nothing: link with thalweg::stub, Fortran with thalweg::stub_fortran" in said
    run(["cmake", "--build", found / "build"])
