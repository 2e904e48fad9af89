"""Compares two datasets of any formats, in slabs, and says where they differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from thalweg.cli.arguments import chosen
from thalweg.cli.exit import Exit
from thalweg.cli.output import counted, progress, say, say_json
from thalweg.data import DataError, Dataset, Variable, open_any
from thalweg.data.attributes import AttributeDifference, attribute_differences, shown
from thalweg.data.compare import Differences, Tolerance
from thalweg.data.core import GROWING, cut_short, formats
from thalweg.data.model import without_records
from thalweg.data.slabs import slabs_of, volume
from thalweg.data.texts import with_strings


@dataclass(frozen=True)
class Request:
    a: Path
    b: Path
    tolerance: Tolerance
    variables: list[str]
    ignored_attributes: list[str]
    shown: int
    slab_bytes: int


@dataclass
class Comparison:
    a: Dataset
    b: Dataset
    structure: list[str] = field(default_factory=list)  # dimensions, names, shapes and types that differ
    attributes: list[AttributeDifference] = field(default_factory=list)
    values: dict[str, Differences] = field(default_factory=dict)

    @property
    def differing_variables(self) -> int:
        return sum(1 for found in self.values.values() if found.count)

    @property
    def is_equal(self) -> bool:
        return not (self.structure or self.attributes or self.differing_variables)

    @property
    def compared(self) -> int:
        return sum(found.compared for found in self.values.values())


def verify_two(request: Request, as_json: bool) -> Exit:
    with open_any(request.a) as a, open_any(request.b) as b:
        comparison = compare(a, b, request)
        if as_json:
            say_json(json_of(comparison, request))
        else:
            report(comparison, request)
    return Exit.OK if comparison.is_equal else Exit.FINDING


def compare(a: Dataset, b: Dataset, request: Request) -> Comparison:
    for dataset in (a, b):
        require_length(dataset)
    a, b = with_strings(a, b), with_strings(b, a)
    both = Comparison(a, b)
    names = chosen(request.variables, dict.fromkeys([*a.variables, *b.variables]), f"'{a.path}' or '{b.path}'")
    common = [name for name in names if name in a.variables and name in b.variables]
    both.structure += dimension_differences(a, b, common if request.variables else [])
    both.structure += [
        f"variable '{name}': only in {'A' if name in a.variables else 'B'}" for name in names if name not in common
    ]
    compare_attributes(both, common, request)
    total = sum(volume(common_shape(a.variables[name], b.variables[name])) for name in common)
    with progress("comparing", total) as advance:
        for name in common:
            one, other = a.variables[name], b.variables[name]
            both.structure += form_differences(one, other, request.tolerance)
            if one.dims == other.dims and comparable(one, other):
                both.values[name] = found = Differences()
                for compared in compare_values(one, other, found, request):
                    advance(compared)
    return both


def require_length(dataset: Dataset) -> None:
    for file in dataset.files if formats()[dataset.kind].has_length else ():
        if text := cut_short(file):
            raise DataError(text)


def require_records(dataset: Dataset) -> None:
    """Of what is not complete only records are known to be whole."""
    growing = [file for file in dataset.files if file.name.endswith(GROWING)]
    if growing and not any(dim.unlimited for dim in dataset.dims.values()):
        raise DataError(without_records(growing[0]))


def dimension_differences(a: Dataset, b: Dataset, names: Collection[str]) -> list[str]:
    """Of the dimensions that these variables have, or of all. A Zarr store has those alone that an array has."""
    used = {dim for of in (a, b) for name, v in of.variables.items() if not names or name in names for dim in v.dims}
    only_used = bool(names) or "zarr" in (a.kind, b.kind)
    found = []
    for name in dict.fromkeys([*a.dims, *b.dims]):
        if only_used and name not in used:
            continue
        one, other = a.dims.get(name), b.dims.get(name)
        if one is None or other is None:
            found.append(f"dimension '{name}': only in {'B' if one is None else 'A'}")
        elif one.size != other.size:
            found.append(f"dimension '{name}': {one.size} in A, {other.size} in B")
        elif None not in (one.unlimited, other.unlimited) and one.unlimited != other.unlimited:
            found.append(f"dimension '{name}': unlimited in {'A' if one.unlimited else 'B'} only")
    return found


def compare_attributes(both: Comparison, names: list[str], request: Request) -> None:
    ignored = request.ignored_attributes
    if "all" in ignored:
        return
    typed = "zarr" not in (both.a.kind, both.b.kind) and request.tolerance.is_exact
    if not request.variables:
        both.attributes += attribute_differences("", both.a.attributes, both.b.attributes, ignored, typed)
    for name in names:
        one, other = both.a.variables[name].attributes, both.b.variables[name].attributes
        both.attributes += attribute_differences(name, one, other, ignored, typed)


def form_differences(one: Variable, other: Variable, tolerance: Tolerance) -> Iterator[str]:
    if one.dims != other.dims:
        yield (
            f"variable '{one.name}': dimensions ({', '.join(one.dims)}) in A, ({', '.join(other.dims)}) in B; "
            "values are not compared"
        )
    numbers = one.dtype.kind in "iuf" and other.dtype.kind in "iuf"
    if one.dtype != other.dtype and (tolerance.is_exact or not numbers):
        yield f"variable '{one.name}': type {type_name(one)} in A, {type_name(other)} in B"


def type_name(variable: Variable) -> str:
    return {"O": "string", "S": "char"}.get(variable.dtype.kind, variable.dtype.name)


def comparable(one: Variable, other: Variable) -> bool:
    return (one.dtype.kind in "iuf") == (other.dtype.kind in "iuf")


def common_shape(one: Variable, other: Variable) -> tuple[int, ...]:
    if one.dims != other.dims:
        return (0,)
    return tuple(min(pair) for pair in zip(one.shape, other.shape, strict=True))


def compare_values(one: Variable, other: Variable, found: Differences, request: Request) -> Iterator[int]:
    """Compares what both have, and yields how many values each step has seen."""
    cut = one if one.chunks else other
    for slab in slabs_of(cut, request.slab_bytes, common_shape(one, other)):
        a, b = one.read(slab), other.read(slab)
        found.add(a, b, [along.start for along in slab], request.tolerance, request.shown)
        yield a.size


def value_text(value: Any) -> str:
    return repr(value) if isinstance(value, str | bytes) else str(value)


def report(both: Comparison, request: Request) -> None:
    for letter, dataset in (("A", both.a), ("B", both.b)):
        files = f", {counted(len(dataset.files), 'file')}" if len(dataset.files) > 1 else ""
        say(f"{letter}: {dataset.path} ({dataset.kind}{files})")
        for text in dataset.notes:
            say(f"   note: {text}", "yellow")
    for line in both.structure:
        say(line, "red")
    for found in both.attributes:
        owner = f"variable '{found.owner}'" if found.owner else "file"
        say(f"{owner}: attribute '{found.name}': {shown(found.a)} in A, {shown(found.b)} in B", "red")
    for name, differences in both.values.items():
        report_values(name, differences)
    say(summary(both, request), "green" if both.is_equal else "bold red")


def report_values(name: str, found: Differences) -> None:
    if not found.count:
        return
    largest = ""
    if found.largest:
        largest = f"; largest difference {found.largest:.6g}, relative {found.largest_relative:.3g}"
    say(f"variable '{name}': {found.count} of {counted(found.compared, 'value')} differ{largest}", "red")
    for index, a, b in found.first:
        say(f"    {list(index)}: {value_text(a)} in A, {value_text(b)} in B")
    if found.count > len(found.first) > 0:
        say(f"    and {found.count - len(found.first)} more")


def summary(both: Comparison, request: Request) -> str:
    compared = f"{counted(both.compared, 'value')} of {counted(len(both.values), 'variable')}"
    how = (
        "bit for bit" if request.tolerance.is_exact else f"rtol {request.tolerance.rtol}, atol {request.tolerance.atol}"
    )
    if both.is_equal:
        return f"equal: {compared} ({how})"
    parts = [
        (both.differing_variables, f"values of {counted(both.differing_variables, 'variable')}"),
        (len(both.structure), counted(len(both.structure), "difference of structure", "differences of structure")),
        (len(both.attributes), counted(len(both.attributes), "attribute")),
    ]
    return f"different: {', '.join(text for count, text in parts if count)}; compared {compared} ({how})"


def json_of(both: Comparison, request: Request) -> dict[str, Any]:
    def described(dataset: Dataset) -> dict[str, Any]:
        return {"path": dataset.path, "kind": dataset.kind, "files": list(dataset.files), "notes": list(dataset.notes)}

    return {
        "equal": both.is_equal,
        "a": described(both.a),
        "b": described(both.b),
        "rtol": request.tolerance.rtol,
        "atol": request.tolerance.atol,
        "structure": both.structure,
        "attributes": [asdict(found) for found in both.attributes],
        "variables": {name: values_json(found) for name, found in both.values.items()},
    }


def values_json(found: Differences) -> dict[str, Any]:
    return {
        "compared": found.compared,
        "different": found.count,
        "largest": found.largest,
        "largest_relative": found.largest_relative,
        "first": [{"index": index, "a": a, "b": b} for index, a, b in found.first],
    }
