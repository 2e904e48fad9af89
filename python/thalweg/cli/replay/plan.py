"""How a file becomes the output of a model: its records, what is cut over the ranks, and what has to be left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from thalweg.cli.replay.holding import attribute_reason, attribute_value, variable_reason
from thalweg.data import DataError, Dataset, Dimension, Variable
from thalweg.data.texts import CHARACTER, with_characters

TIME_NAMES = ("time", "Time", "t", "TIME")
VERTICAL = ("depth", "height", "altitude", "air_pressure", "model_level_number", "atmosphere_", "ocean_")
FEW = 8  # points of a dimension that is not cut if there is a larger one: bounds, vertices, components
FLAT = 64  # an index space that is so many times longer than wide is cut along its length


@dataclass(frozen=True)
class Planned:
    """A variable that is replayed."""

    source: Variable
    has_record: bool
    dims: tuple[str, ...]  # without that of records
    shape: tuple[int, ...]
    cut: tuple[str, ...]  # those of dims that are cut over the ranks; none: every rank has all

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def bytes(self) -> int:
        """Of a record, or of a variable without records."""
        return prod(self.shape) * self.source.dtype.itemsize

    @property
    def cut_shape(self) -> tuple[int, ...]:
        return tuple(self.shape[self.dims.index(dim)] for dim in self.cut)


@dataclass
class Plan:
    record: str | None
    records: int
    record_name: str  # what the configuration calls the record dimension; the file may have none
    variables: list[Planned]
    dims: Mapping[str, Dimension] = field(default_factory=dict)  # of the source, and lengths of strings
    left_out: dict[str, str] = field(default_factory=dict)  # variables, and attributes as VARIABLE:ATTRIBUTE, with why
    notes: list[str] = field(default_factory=list)

    @property
    def record_bytes(self) -> int:
        return sum(planned.bytes for planned in self.variables if planned.has_record)

    @property
    def fixed_bytes(self) -> int:
        return sum(planned.bytes for planned in self.variables if not planned.has_record)

    @property
    def bytes(self) -> int:
        return self.record_bytes * self.records + self.fixed_bytes

    @property
    def grids(self) -> dict[tuple[str, ...], tuple[int, ...]]:
        """The sets of dimensions that are cut, with their extents."""
        return {planned.cut: planned.cut_shape for planned in self.variables if planned.cut}

    @property
    def points(self) -> int:
        """Of the largest index space that is cut: more ranks than that have nothing to do. 0: none is cut."""
        return max((prod(shape) for shape in self.grids.values()), default=0)


def make_plan(dataset: Dataset, format_name: str, record_dim: str = "", cuts: Sequence[tuple[str, ...]] = ()) -> Plan:
    """record_dim: "" to choose, "none" for no records. cuts: the dimensions to cut, for each grid; none: to choose."""
    dataset = with_characters(dataset)
    record = chosen_record(dataset, record_dim)
    plan = Plan(record, dataset.dims[record].size if record else 0, record or free_name(dataset), [], dataset.dims)
    held = []
    for name, variable in dataset.variables.items():
        if reason := variable_reason(dataset, variable, record, format_name):
            plan.left_out[name] = reason
        else:
            held.append(without_record(variable, record))
    if record and not any(planned.has_record for planned in held):
        plan = replace(plan, record=None, records=0)  # what is left has no records
    plan.variables = with_cuts(dataset, held, cuts)
    for owner in (None, *(planned.source for planned in held)):
        attributes = dataset.attributes if owner is None else owner.attributes
        for name, value in attributes.items():
            written = attribute_value(owner, name, value, dataset.kind)
            if reason := attribute_reason(owner, name, written, format_name):
                plan.left_out[f"{owner.name if owner else ''}:{name}"] = reason
    plan.notes += remarks(dataset, plan)
    return plan


def free_name(dataset: Dataset) -> str:
    """Of the record dimension that files get then: one that there is already, if it is empty. "none" is no name."""
    empty = [name for name, dim in dataset.dims.items() if dim.unlimited and dim.size == 0 and name != "none"]
    if empty:
        return empty[0]
    name = "record"
    while name in dataset.dims or name in dataset.variables:
        name += "_"
    return name


def without_record(variable: Variable, record: str | None) -> Planned:
    has_record = record is not None and record in variable.dims
    skip = 1 if has_record else 0
    return Planned(variable, has_record, variable.dims[skip:], variable.shape[skip:], ())


# ---- records


def chosen_record(dataset: Dataset, wanted: str) -> str | None:
    if wanted == "none":
        return None
    if wanted:
        if wanted not in dataset.dims:
            raise DataError(f"'{dataset.path}' has no dimension '{wanted}'; it has {', '.join(dataset.dims) or 'none'}")
        if not is_first(dataset, wanted):
            raise DataError(f"'{dataset.path}': '{wanted}' is not the first dimension of all variables that have it, "
                            "which records need; try --record-dim none")  # fmt: skip
        return wanted
    unlimited = [name for name, dim in dataset.dims.items() if dim.unlimited]
    times = [name for name in dataset.dims if is_time(dataset, name)]
    with_axis = [name for name in unlimited if name in dataset.variables]
    order = (
        [name for name in unlimited if name in times] + with_axis + [name for name in times if name not in unlimited]
    )
    order.sort(key=lambda name: dataset.dims[name].size == 0)  # one without records yet only if there is no other
    return next((name for name in order if is_first(dataset, name)), None)


def is_first(dataset: Dataset, dim: str) -> bool:
    return all(dim not in variable.dims[1:] for variable in dataset.variables.values())


def is_time(dataset: Dataset, dim: str) -> bool:
    axis = dataset.variables.get(dim)
    if axis is None:
        return dim in TIME_NAMES and bool(dataset.dims[dim].unlimited)
    return axis.dims == (dim,) and (" since " in text_of(axis, "units") or text_of(axis, "axis") == "T")


def text_of(variable: Variable, attribute: str) -> str:
    value = variable.attributes.get(attribute, "")
    return value if isinstance(value, str) else ""


# ---- what is cut


def with_cuts(dataset: Dataset, held: Sequence[Planned], cuts: Sequence[tuple[str, ...]]) -> list[Planned]:
    if cuts:
        check_cuts(dataset, cuts)
        return [replace(planned, cut=cut_by(planned, cuts)) for planned in held]
    candidates = {planned.name: candidates_of(dataset, planned) for planned in held}
    chosen = {name: longest(dataset, dims[-2:]) for name, dims in candidates.items() if len(dims) > 1}
    alone = {dims[0] for dims in chosen.values() if len(dims) == 1}
    # Of a grid with two dimensions a model has the coordinates of each on all ranks.
    whole = {dim for name in chosen for dim in candidates[name]} - alone
    for name, dims in candidates.items():
        if len(dims) == 1:
            chosen[name] = () if dims[0] in whole or dataset.dims[dims[0]].size <= FEW else dims
    return [replace(planned, cut=chosen.get(planned.name, ())) for planned in held]


def check_cuts(dataset: Dataset, cuts: Sequence[tuple[str, ...]]) -> None:
    for names in cuts:
        for name in names:
            if name not in dataset.dims:
                raise DataError(f"'{dataset.path}' has no dimension '{name}' to cut; it has {', '.join(dataset.dims)}")
        if not 1 <= len(names) <= 2:
            raise DataError(f"--cut {','.join(names)}: name one or two dimensions; say --cut again for another grid")


def cut_by(planned: Planned, cuts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    for names in cuts:
        if all(planned.dims.count(name) == 1 for name in names):
            return tuple(dim for dim in planned.dims if dim in names)
    return ()


def candidates_of(dataset: Dataset, planned: Planned) -> tuple[str, ...]:
    """Horizontal dimensions, as far as names and attributes tell."""
    dims = [
        dim
        for dim in planned.dims
        if planned.dims.count(dim) == 1 and not is_vertical(dataset, dim) and not is_length(dataset, dim)
    ]
    large = [dim for dim in dims if dataset.dims[dim].size > FEW]
    return tuple(large or [dim for dim in dims if dataset.dims[dim].size > 1])


def is_vertical(dataset: Dataset, dim: str) -> bool:
    axis = dataset.variables.get(dim)
    if axis is None:
        return False
    name = text_of(axis, "standard_name")
    return "positive" in axis.attributes or text_of(axis, "axis") == "Z" or name.startswith(VERTICAL)


def is_length(dataset: Dataset, dim: str) -> bool:
    """Of texts: characters alone have it, as their last."""
    having = [variable for variable in dataset.variables.values() if dim in variable.dims]
    return all(variable.dtype == CHARACTER and dim not in variable.dims[:-1] for variable in having)


def longest(dataset: Dataset, dims: tuple[str, ...]) -> tuple[str, ...]:
    """A mesh has its points along one dimension; what is beside it is levels or components."""
    sizes = [dataset.dims[dim].size for dim in dims]
    return (dims[sizes.index(max(sizes))],) if max(sizes) >= FLAT * min(sizes) else dims


# ---- what will be otherwise


def remarks(dataset: Dataset, plan: Plan) -> list[str]:
    notes = []
    record = plan.record
    if record and not dataset.dims[record].unlimited:
        notes.append(f"dimension '{record}' becomes unlimited, because its points are written as records")
    if record and record not in [planned.name for planned in plan.variables]:
        notes.append(f"a variable '{record}' is added: Thalweg says the time of records where the model does not")
    if not record:
        notes.append(f"an empty dimension '{plan.record_name}' is there for records, of which the file has none")
    notes += [
        f"dimension '{name}' has a fixed size in what is written: Thalweg has one unlimited dimension, the first"
        for name, dim in dataset.dims.items()
        if dim.unlimited and name != record and dim.size > 0
    ]
    notes += [
        f"kept as characters: variable '{planned.name}' (strings; their length is the dimension '{planned.dims[-1]}')"
        for planned in plan.variables
        if planned.source.of_strings
    ]
    return notes


def expected(dataset: Dataset, plan: Plan) -> Dataset:
    """What the written file has to be equal to: the source, but for what the plan says."""

    def kept(owner: str, attributes: Mapping[str, object]) -> dict[str, object]:
        return {name: value for name, value in attributes.items() if f"{owner}:{name}" not in plan.left_out}

    variables = dataset.variables  # with strings where these are
    return replace(
        dataset,
        dims={
            name: Dimension(dim.size, name == plan.record_name)
            for name, dim in dataset.dims.items()
            if dim.size > 0 or name == plan.record_name
        },
        variables={
            planned.name: replace(variables[planned.name], attributes=kept(planned.name, planned.source.attributes))
            for planned in plan.variables
        },
        attributes=kept("", dataset.attributes),
    )


def without_additions(written: Dataset, source: Dataset, plan: Plan) -> Dataset:
    """What was written, without what Thalweg adds to every file."""
    added = plan.record_name
    own = {planned.name for planned in plan.variables}
    return replace(
        written,
        dims={name: dim for name, dim in written.dims.items() if name in source.dims or name != added},
        variables={name: v for name, v in written.variables.items() if name in own or name != added},
    )
