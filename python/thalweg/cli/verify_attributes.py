"""The attribute `checksum` of restarts, as FMS has it (docs/formats/checksums.md): would FMS read the file?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from thalweg.cli.finding import Finding, ok, problem
from thalweg.cli.output import counted
from thalweg.data import Dataset, Variable
from thalweg.data.checksums import MASK, Summing

NAME = "checksum"
SUBJECT = "attributes"
ADVICE = "FMS refuses to read it: take the file from a copy, or remove the attribute if the values were meant to change"
# With one of them FMS leaves values out of the sum; types of 32 bits it sums with their signs.
LEAVE_OUT = ("_FillValue", "missing_value")
TYPES = ("float64", "int64")


@dataclass
class AttributeCheck:
    """Sums up the variables that have the attribute, but for those that something else sums up already."""

    dataset: Dataset
    names: Sequence[str]
    summing: dict[str, Summing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # FMS's of a part of a set is that of the whole field.
        if "NumFilesInSet" not in self.dataset.attributes:
            for name in self.names:
                if stored_sum(self.dataset.variables[name]) is not None and self.has_one_level(name):
                    self.summing[name] = Summing(has_record=False)

    def has_one_level(self, name: str) -> bool:
        variable = self.dataset.variables[name]
        first = self.dataset.dims.get(variable.dims[0]) if variable.dims else None
        return first is None or not first.unlimited or first.size == 1

    def findings(self, summed: Mapping[str, Summing], unread: Sequence[str]) -> list[Finding]:
        wrong = []
        looked_at = [name for name in self.summing if name not in unread]
        for name in looked_at:
            stored, found = stored_sum(self.dataset.variables[name]), sum(summed[name].sums.values()) & MASK
            if stored != found:
                text = f"variable '{name}': its attribute '{NAME}' says {stored:X}, the values have {found:X}"
                wrong.append(problem(SUBJECT, f"'{self.dataset.path.name}', {text}", ADVICE))
        if wrong or not looked_at:
            return wrong
        return [ok(SUBJECT, f"'{NAME}', which FMS compares, is right for {counted(len(looked_at), 'variable')}")]


def stored_sum(variable: Variable) -> int | None:
    """None: the attribute is not there, or not one that can be compared."""
    text = variable.attributes.get(NAME)
    if not isinstance(text, str) or variable.dtype.name not in TYPES:
        return None
    if any(name in variable.attributes for name in LEAVE_OUT):
        return None
    try:
        return int(text, 16)
    except ValueError:
        return None
