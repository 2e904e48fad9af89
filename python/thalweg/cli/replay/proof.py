"""Compares what was written with what it was made of."""

from __future__ import annotations

from pathlib import Path

from thalweg.cli import verify_two
from thalweg.cli.output import counted
from thalweg.cli.replay.plan import Plan, expected, without_additions
from thalweg.cli.verify_two import Comparison, Request
from thalweg.data import Dataset, open_any
from thalweg.data.compare import Tolerance

SLAB_BYTES = 32 << 20


def proved(source: Dataset, plan: Plan, output: Path) -> tuple[Comparison, Request]:
    """All values bit for bit, all attributes with their types, all dimensions."""
    request = Request(source.path, output, Tolerance(), [], [], shown=3, slab_bytes=SLAB_BYTES)
    with open_any(output) as written:
        found = verify_two.compare(expected(source, plan), without_additions(written, source, plan), request)
    return found, request


def sentence(comparison: Comparison, plan: Plan) -> str:
    """Of a comparison that found no difference."""
    values = f"all {counted(comparison.compared, 'value')} of {counted(len(comparison.values), 'variable')}"
    if not plan.left_out:
        return f"{values} and all attributes are equal"
    return f"{values} and their attributes are equal; left out: {left_out(plan)}"


def left_out(plan: Plan) -> str:
    """What could not be written, each with the reason."""
    found = []
    for name, reason in plan.left_out.items():
        owner, _, attribute = name.partition(":")
        whose = f"variable '{owner}'" if owner else "the file"
        found.append(f"attribute '{attribute}' of {whose} ({reason})" if attribute else f"{whose} ({reason})")
    return "; ".join(found)
