"""What readers of the files need: Python packages, codecs, plug-ins."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from thalweg import programs
from thalweg.cli.doctor import known
from thalweg.cli.finding import Finding, note, ok, problem

REQUIRED = ("numpy", "netCDF4", "zarr", "typer", "rich")
USEFUL = {
    "xarray": "opens files and stores as labelled arrays",
    "h5py": "verify looks behind virtual masters with it",
    "hdf5plugin": "h5py reads zstd in netCDF-4 with it",
}
DEFAULT_PLUGINS = "/usr/local/hdf5/lib/plugin"
ZSTD = "zstd"


def look() -> Iterator[Finding]:
    yield from packages()
    yield from python_codecs()
    yield from system_tools()


def version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def packages() -> Iterator[Finding]:
    versions = {name: version_of(name) for name in (*REQUIRED, *USEFUL)}
    there = [f"{name} {version}" for name, version in versions.items() if version]
    yield ok("Python", ", ".join(there))
    for name in REQUIRED:
        if versions[name] is None:
            yield problem("Python", f"the package {name} is missing", f"pip install {name}")
    for name, use in USEFUL.items():
        if versions[name] is None:
            yield note("Python", f"the package {name} is not there: {use}", f"pip install {name}")


def python_codecs() -> Iterator[Finding]:
    import netCDF4

    with netCDF4.Dataset("codecs", "w", diskless=True) as file:
        if file.has_zstd_filter():
            yield ok("codecs", "netCDF4-python reads zstd")
        else:
            yield note("codecs", "netCDF4-python does not read zstd here",
                       "its wheels do (pip install netCDF4); or set 'compression: deflate'")  # fmt: skip


def plugin_folders() -> list[Path]:
    """Where the HDF5 of programs outside of Python looks. The import of netCDF4 sets the variable for its own."""
    said = os.environ.get("HDF5_PLUGIN_PATH", DEFAULT_PLUGINS)
    own = version_of("netCDF4") is not None
    return [Path(part) for part in said.split(":") if part and not (own and "netCDF4" in part)]


def system_tools() -> Iterator[Finding]:
    tools = [name for name in ("ncdump", "ncks", "cdo") if shutil.which(name)]
    if not tools:
        return
    names = ", ".join(tools)
    folders = plugin_folders()
    if any(ZSTD in plugin.name.lower() for folder in folders if folder.is_dir() for plugin in folder.iterdir()):
        yield ok("plug-ins", f"{names} find a plug-in for zstd")
    else:
        places = ":".join(str(folder) for folder in folders) or DEFAULT_PLUGINS
        yield note("plug-ins", f"{names} do not read zstd in netCDF-4 (no plug-in in {places})",
                   "set HDF5_PLUGIN_PATH to a folder with it, such as that of the Python package hdf5plugin, or "
                   "'compression: deflate'")  # fmt: skip
    if "ncks" in tools:
        done = programs.run(["ncks", "--version"], limit_s=10)
        yield from known.remarks("NCO", (done.stdout + done.stderr).split("version", 1)[-1])
