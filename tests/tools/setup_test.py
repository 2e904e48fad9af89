# ctest: SHORT TIMEOUT 10
"""tools/setup.sh demo installs what 'make demo' uses of Python's packages."""

from __future__ import annotations

import ast
import re
import sys

from support import mpi


def imported() -> set[str]:
    """Packages that the demo's scripts name, without Python's own and each other."""
    scripts = list((mpi.SOURCE / "examples" / "ocean").glob("*.py"))
    names: set[str] = set()
    for script in scripts:
        for node in ast.walk(ast.parse(script.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {script.stem for script in scripts}


def test_what_the_demo_imports_is_installed_for_it() -> None:
    text = (mpi.SOURCE / "tools" / "setup.sh").read_text()
    (words,) = re.findall(r"--constraint requirements\.txt (.*)", text)
    assert set(words.split()) == imported() | {"nanobind"}
