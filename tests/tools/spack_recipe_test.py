# ctest: SHORT TIMEOUT 30
"""What Spack's recipes ask for is what the build asks for. Spack's own names are replaced by some that record calls:
that Spack accepts the recipes is not shown."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import mpi

RECIPES = mpi.SOURCE / "packaging/spack/spack_repo/thalweg/packages"
BUILD_SYSTEMS = "spack_repo.builtin.build_systems"
MODULES = ("spack", "spack.package", "spack_repo", "spack_repo.builtin", BUILD_SYSTEMS,
           f"{BUILD_SYSTEMS}.cmake", f"{BUILD_SYSTEMS}.python")  # fmt: skip
DIRECTIVES = ("depends_on", "license", "variant", "version")
# What a module of pkg-config, or of CMake's, is called by Spack.
SPACK_NAMES = {
    "MPI": "mpi", "hdf5": "hdf5", "pnetcdf": "parallel-netcdf", "netcdf": "netcdf-c", "libzstd": "zstd",
    "libdeflate": "libdeflate", "libutf8proc": "utf8proc", "libisal": "isa-l", "liblz4": "lz4",
    "yaml-cpp": "yaml-cpp", "fmt": "fmt", "spdlog": "spdlog", "pegtl": "pegtl",
}  # fmt: skip


class Build:
    """In place of Spack's classes of packages."""

    def define(self, name: str, value: bool) -> str:
        return f"-D{name}={'ON' if value else 'OFF'}"

    def define_from_variant(self, name: str, variant: str) -> str:
        return f"-D{name}={variant}"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], tuple[type, list[tuple[str, tuple, dict]]]]:
    """Of a recipe, its class and the directives in it."""

    def loaded(name: str) -> tuple[type, list[tuple[str, tuple, dict]]]:
        calls: list[tuple[str, tuple, dict]] = []
        given: dict[str, Any] = {"CMakePackage": Build, "PythonPackage": Build}
        for word in DIRECTIVES:
            given[word] = lambda *args, word=word, **options: calls.append((word, args, options))
        for module in MODULES:
            made = ModuleType(module)
            vars(made).update(given)
            monkeypatch.setitem(sys.modules, module, made)
        names = runpy.run_path(str(RECIPES / name / "package.py"))
        return names["".join(part.title() for part in name.split("_"))], calls

    return loaded


def asked(calls: list[tuple[str, tuple, dict]]) -> dict[str, str]:
    """Packages with what is said of them last."""
    specs = [args[0] for word, args, _ in calls if word == "depends_on"]
    return {re.split(r"[@+~]", spec)[0]: spec for spec in specs}


def text(path: str) -> str:
    return (mpi.SOURCE / path).read_text()


def test_the_library_needs_what_cmake_looks_for(load: Callable) -> None:
    _, calls = load("thalweg")
    cmake = text("cmake/dependencies.cmake")
    modules = re.findall(r"(?:pkg_check_modules\(\w+ REQUIRED(?: IMPORTED_TARGET)?|find_package\()\s*([\w-]+)", cmake)
    found = set(modules) - {"PkgConfig", "Threads"}
    assert {SPACK_NAMES[module] for module in found | {"hdf5"}} <= asked(calls).keys()
    assert asked(calls)["hdf5"] == "hdf5+mpi+hl"
    assert asked(calls)["mpi"] == f"mpi@{re.search(r'MPI ([0-9.]+) REQUIRED', cmake)[1]}:"
    assert (
        asked(calls)["cmake"]
        == f"cmake@{re.search(r'cmake_minimum_required.VERSION ([0-9.]+)', text('CMakeLists.txt'))[1]}:"
    )


def test_the_options_that_the_recipe_sets_exist(load: Callable) -> None:
    recipe, calls = load("thalweg")
    variants = {args[0] for word, args, _ in calls if word == "variant"}
    known = re.findall(
        r"option\((\w+)", text("CMakeLists.txt") + text("cmake/dependencies.cmake") + text("cmake/python.cmake")
    )
    for option in recipe().cmake_args():
        name, value = option.removeprefix("-D").split("=")
        assert name in known
        assert value in variants | {"ON", "OFF"}


def test_the_python_package_needs_what_pyproject_names(load: Callable) -> None:
    recipe, calls = load("py_thalweg")
    project = tomllib.loads(text("pyproject.toml"))
    for wanted in project["project"]["dependencies"] + project["build-system"]["requires"]:
        name, least = wanted.split(">=")
        assert asked(calls)[f"py-{name.lower()}"] == f"py-{name.lower()}@{least}:"
    assert recipe().config_settings(None, None) == {"cmake.define.THALWEG_PYTHON_ONLY": "ON"}


@pytest.mark.parametrize("name", ["thalweg", "py_thalweg"])
def test_the_version_is_that_of_the_sources(load: Callable, name: str) -> None:
    recipe, calls = load(name)
    version = re.search(r"project\(thalweg VERSION ([0-9.]+)", text("CMakeLists.txt"))[1]
    assert ("version", (version,), {"tag": f"v{version}"}) in calls
    assert f"\nversion: {version}\n" in text("CITATION.cff")
    assert Path(recipe.git.removeprefix("file://")) == mpi.SOURCE
