"""The command's entry: `thalweg`, python -m thalweg.cli, or from the sources, with nothing built, python
python/thalweg/cli."""

import sys
from pathlib import Path
from types import ModuleType


def find_sources() -> None:
    """Makes the modules of the sources known, without the package's own module: that one needs the core, and MPI."""
    sys.path.pop(0)  # this folder, whose names are not for the top level
    package = ModuleType("thalweg")
    package.__path__ = [str(Path(__file__).resolve().parents[1])]
    sys.modules["thalweg"] = package


def main() -> int:
    try:
        from thalweg.cli import app
    except ModuleNotFoundError as fault:
        print(f"thalweg: the Python package '{fault.name}' is missing; pip install {fault.name}", file=sys.stderr)
        return 4  # Exit.ENVIRONMENT
    return app.main()


if __name__ == "__main__":
    if not __package__:
        find_sources()
    sys.exit(main())
