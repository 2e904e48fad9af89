#!/usr/bin/env python3
"""The command `thalweg trace` from the sources, for those who have built nothing else: thalweg_trace.py -- mpiexec …"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

# The package's own module is for programs that write through Thalweg, and is not needed here.
package = ModuleType("thalweg")
package.__path__ = [str(Path(__file__).resolve().parents[1] / "python" / "thalweg")]
sys.modules["thalweg"] = package

if __name__ == "__main__":
    from thalweg.cli.app import main

    sys.exit(main(["trace", *sys.argv[1:]]))
