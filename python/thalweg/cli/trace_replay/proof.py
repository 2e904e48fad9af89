"""Whether both ways have written the same: variables, shapes, and the values of cells that the program wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from thalweg.cli.replay.proof import SLAB_BYTES
from thalweg.cli.verify_two import Comparison, Request, compare
from thalweg.data import DataError, open_any
from thalweg.data.compare import Tolerance
from thalweg.trace.adapted import Adapted
from thalweg.trace.writes import Box, File, Writes


@dataclass
class Proof:
    values: int = 0
    variables: int = 0
    partly_written: list[str] = field(default_factory=list)  # whose values are not compared
    differences: list[str] = field(default_factory=list)

    @property
    def is_equal(self) -> bool:
        return not self.differences


def proved(writes: Writes, made: Adapted, original: list[str], thalweg: list[str]) -> Proof:
    proof = Proof()
    for number, file in enumerate(made.files):
        if not any(step.file == number for steps in made.steps for step in steps):
            continue
        request = Request(Path(original[number]), Path(thalweg[number]), Tolerance(), [], ["all"], 3, SLAB_BYTES)
        try:
            with open_any(request.a) as a, open_any(request.b) as b:
                take(proof, compare(a, b, request), file, whole_variables(writes, number, file))
        except DataError as fault:
            proof.differences.append(str(fault))
    return proof


def take(proof: Proof, found: Comparison, file: File, whole: set[str]) -> None:
    name = Path(file.path).name
    # A dimension that is as long as what was written is no difference.
    lines = [line for line in found.structure if "unlimited in" not in line]
    proof.differences += [f"'{name}': {line} (A is the original library's)" for line in lines]
    for variable, differences in found.values.items():
        if variable not in whole:
            proof.partly_written.append(f"{name}: {variable}")
        else:
            proof.values += differences.compared
            proof.variables += 1
        if variable in whole and differences.count:
            proof.differences.append(f"'{name}', variable '{variable}': {differences.count} values differ")


def whole_variables(writes: Writes, number: int, file: File) -> set[str]:
    """Of which every cell was written: what others hold where nothing was written is each library's own."""
    written: dict[int, set[Box]] = {}
    for steps in writes.steps:
        for step in steps:
            if step.file == number and step.kind == "put":
                written.setdefault(step.variable, set()).update(step.boxes)
    found = set()
    for variable, boxes in written.items():
        one = file.variables[variable]
        lengths = [
            length or max(box[0][dim] + box[1][dim] for box in boxes) for dim, length in enumerate(one.lengths)
        ]  # fmt: skip
        if sum(prod(count) for _, count in boxes) >= prod(lengths):
            found.add(one.name)
    return found
