"""One run of a model in Python with the library of a build."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .launch import warm_memory

GIB = 2**30
BENCH = Path(__file__).resolve().parents[1]  # models have the driver's clock


@dataclass(frozen=True)
class PythonModel:
    """A program that writes what it has measured to times.json."""

    program: Path
    arguments: Sequence[str]
    ranks: int
    timeout_s: float
    warm_gib: float

    def run(self, build: Path, data: Path) -> Any:
        """With the library of a build (its python and lib folders), in a folder of its own in data."""
        folder = data / "run"
        folder.mkdir()
        warm_memory(int(self.warm_gib * GIB))
        modules = [build.absolute() / "python", BENCH]
        found = {"PYTHONPATH": os.pathsep.join(map(str, modules)), "LD_LIBRARY_PATH": str(build.absolute() / "lib")}
        binding = {"OMPI_MCA_hwloc_base_binding_policy": "none"}
        command = ["mpiexec", "-n", str(self.ranks), sys.executable, str(self.program), *self.arguments]
        try:
            environment = binding | dict(os.environ) | found
            subprocess.run(command, cwd=folder, env=environment, check=True, timeout=self.timeout_s)
            return json.loads((folder / "times.json").read_text())
        finally:
            shutil.rmtree(folder)
