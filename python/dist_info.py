"""Writes what importlib.metadata looks for beside an installed package (thalweg-VERSION.dist-info), so that the package
in a build folder has its entry points as well: dist_info.py PYPROJECT VERSION FOLDER."""

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path


def entry_points(project: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    groups = {"console_scripts": project.get("scripts", {}), **project.get("entry-points", {})}
    lines = []
    for group, names in groups.items():
        if names:
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in names.items()), ""]
    return "\n".join(lines)


def main(pyproject: str, version: str, folder: str) -> None:
    project = tomllib.loads(Path(pyproject).read_text())["project"]
    info = Path(folder) / f"thalweg-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: thalweg\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(entry_points(project))


main(*sys.argv[1:])
