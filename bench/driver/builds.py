"""Builds that take turns, round by round, with a model in Python."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import machine
from .place import data_folder
from .python_model import PythonModel


def parser_for(name: str, description: str | None) -> argparse.ArgumentParser:
    """With the options that all such benchmarks have; name: of the file with their result."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--builds", type=Path, nargs="+", default=[Path("build/release")], help="with python and lib")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help=f"folder of {name}.json")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--runs", type=int, default=5, help="rounds, in which the builds take turns")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--warm-gib", type=float, default=4.0, help="free memory touched before each run")
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one run")
    return parser


def in_turn(name: str, options: argparse.Namespace, program: Path, words: Sequence[object]) -> dict[str, list[Any]]:
    """What each run of each build measured; it is written to the file of the name too."""
    model = PythonModel(program, [str(word) for word in words], options.ranks, options.timeout, options.warm_gib)
    runs: dict[str, list[Any]] = {str(build): [] for build in options.builds}
    with data_folder(options.out, options.data) as data:
        measured_on = machine.describe(data)
        for _ in range(options.runs):
            for build in options.builds:
                runs[str(build)].append(model.run(build, data))
    result = {"machine": measured_on, "arguments": model.arguments, "ranks": options.ranks, "runs": runs}
    (options.out / f"{name}.json").write_text(json.dumps(result, indent=1))
    return runs
