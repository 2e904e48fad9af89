"""What FMS's namelists say of output, as a configuration: thalweg init --from input.nml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.mask_table import read_mask_table

SWITCHES = "mpp_io_nml"
FMS2 = "fms2_io_nml"
FORMATS = {"64bit": "cdf2", "classic": "cdf1", "netcdf4": "netcdf4"}  # of netcdf_default_format
NO_COUNTERPART = {
    "ncchksz": "no counterpart: it is a buffer of the netCDF library, 'staging' bounds what Thalweg holds",
    "global_field_on_root_pe": "no counterpart: nothing is gathered on one rank",
    "io_clocks_on": "no counterpart: 'report: table' (default) says where the time went",
    "cf_compliance": "no counterpart: attributes are as the model says them",
}
# What f90nml raises in a file that is something else.
STUMBLES = (ValueError, AssertionError, TypeError, AttributeError, LookupError, StopIteration, UserWarning)
Namelists = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Layout:
    """As FMS has it: along x, then y; (0, 0) stands for the layout of the ranks."""

    group: str
    io: tuple[int, int]
    ranks: tuple[int, int] | None

    @property
    def is_of_ranks(self) -> bool:
        return 0 in self.io or self.io == self.ranks

    @property
    def domains(self) -> tuple[int, int] | None:
        """None: as many as the ranks' layout has, which is not said."""
        return self.ranks if self.is_of_ranks else self.io


@dataclass
class Draft:
    """Keys of all collections, and what became of each key of the namelists."""

    keys: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    said: set[str] = field(default_factory=set)

    def remark(self, key: str, value: Any, text: str, group: str = "") -> None:
        self.said.add(key)
        self.remarks.append(f"{f'&{group}: ' * bool(group)}{key} = {fortran(value)}: {text}")


def fortran(value: Any) -> str:
    if isinstance(value, bool):
        return ".true." if value else ".false."
    if isinstance(value, list | tuple):
        return ", ".join(fortran(one) for one in value)
    return f"'{value}'" if isinstance(value, str) else str(value)


def read_namelists(path: Path) -> Namelists:
    """By lower-case names. Of a group that stands twice the first one counts, as for a Fortran program."""
    import f90nml

    if not path.is_file():
        raise Failure(Exit.INPUT, f"'{path}' {'is no file' if path.exists() else 'does not exist'}")
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        with redirect_stdout(StringIO()), catch_warnings():
            # The parser shows on standard output where it stumbled, and warns of values that it leaves out.
            simplefilter("error")
            found = f90nml.Parser().reads(text)
    except STUMBLES as fault:
        why = unclosed(text) or str(fault).strip().partition("\n")[0] or type(fault).__name__
        raise Failure(Exit.INPUT, f"'{path}' is no file of Fortran namelists: {why}") from None
    groups: dict[str, dict[str, Any]] = {}
    for name, group in found.items():
        # A key without a value keeps its default.
        groups.setdefault(name, {key: value for key, value in group.items() if value is not None})
    return groups


def unclosed(text: str) -> str:
    """Where a quote is opened and its line does not close it, which the parser meets far behind it, or never."""
    for number, line in enumerate(text.splitlines(), 1):
        rest = re.sub(r"'[^']*'|\"[^\"]*\"", "", line)
        if (quote := re.search(r"['\"!]", rest)) and quote[0] != "!":
            return f"line {number}: the text that begins with {quote[0]} is not closed: {line.strip()}"
    return ""


def logical(namelists: Namelists, key: str) -> bool:
    value = namelists.get(SWITCHES, {}).get(key, False)
    if isinstance(value, bool):
        return value
    raise Failure(Exit.INPUT, f"&{SWITCHES}: {key} = {fortran(value)} is no logical; write .true. or .false.")


def pair(group: str, key: str, value: Any, least: int) -> tuple[int, int]:
    values = value if isinstance(value, list) else [value]
    if len(values) == 2 and all(type(one) is int and one >= least for one in values):
        return values[0], values[1]
    wanted = f"two whole numbers from {least} on, x and y"
    raise Failure(Exit.INPUT, f"&{group}: {key} = {fortran(value)} has to be {wanted}")


def layout_of(namelists: Namelists, namelist: str) -> Layout | None:
    """Of the component that is asked for, or of the only one that has any."""
    found = {name: group["io_layout"] for name, group in namelists.items() if "io_layout" in group}
    if namelist:
        name = namelist.lower().removeprefix("&")
        if name not in found:
            has = ", ".join(f"&{one}" for one in found) or "none has"
            raise Failure(Exit.USAGE, f"--namelist {namelist}: it has no io_layout; those that have one: {has}")
        found = {name: found[name]}
    layouts = {name: pair(name, "io_layout", value, 0) for name, value in found.items()}
    if len(set(layouts.values())) > 1:
        each = ", ".join(f"&{name} ({fortran(io)})" for name, io in layouts.items())
        raise Failure(Exit.USAGE, f"several components have an io_layout: {each}; say whose with --namelist NAME")
    for name, io in layouts.items():
        ranks = namelists[name].get("layout")
        # Zeros leave it to the model.
        known = pair(name, "layout", ranks, 0) if ranks is not None else (0, 0)
        return Layout(name, io, None if 0 in known else known)
    return None


def grid_of(text: str) -> dict[str, int]:
    """'xt_ocean=1440,yt_ocean=1080' -> cells by the names of dimensions, x first."""
    parts = [part.partition("=") for part in text.split(",")] if text else []
    sizes = {name.strip(): int(cells) for name, _, cells in parts if re.fullmatch(r" *0*[1-9][0-9]{0,9} *", cells)}
    are_names = all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in sizes)
    if text and (len(parts) != 2 or len(sizes) != 2 or not are_names):
        raise Failure(
            Exit.USAGE, f"--grid '{text}' has to name x and y with their cells, as 'xt_ocean=1440,yt_ocean=1080'"
        )
    return sizes


def add_pattern(draft: Draft, namelists: Namelists, layout: Layout | None) -> None:
    parallel = logical(namelists, "parallel_netcdf")
    domains = layout.domains if layout else (1, 1)
    if parallel:
        draft.keys["pattern"] = "shared"
        draft.remark("parallel_netcdf", parallel, "the I/O domains write one file by MPI-IO: pattern, engine")
    elif layout is None or layout.io == (1, 1):
        draft.keys["pattern"] = "single"
        draft.remark("parallel_netcdf", parallel, "one writer: pattern")
    else:
        draft.keys["pattern"] = "per-rank" if layout.is_of_ranks else "per-domain"
        draft.remark("parallel_netcdf", parallel, "a file of each I/O domain, NAME.nc.0000 and so on: pattern")
    if layout is None:
        text = "io_layout: no namelist has one"
        draft.remarks.append(text + ": without 'layout' Thalweg cuts the file itself" * parallel)
        return
    draft.remarks.append(f"&{layout.group}: io_layout = {fortran(layout.io)}: {layout_remark(draft, layout)}")
    if domains and draft.keys["pattern"] in ("shared", "per-domain"):
        draft.keys["layout"] = f"[{domains[1]}, {domains[0]}]"


def layout_remark(draft: Draft, layout: Layout) -> str:
    pattern = draft.keys["pattern"]
    if pattern == "single":
        return "one I/O domain, as 'pattern: single' has it"
    if pattern == "per-rank":
        return "the layout of the ranks: pattern"
    if layout.domains is None:
        unknown = "the layout of the ranks, which no key 'layout' says"
        return f"{unknown}; add 'layout: [ny, nx]', or Thalweg cuts the file itself"
    return "layout, slowest dimension first"


def add_format(draft: Draft, namelists: Namelists) -> None:
    pnetcdf = logical(namelists, "pnetcdf")
    makes_set = draft.keys["pattern"] in ("per-domain", "per-rank")
    if pnetcdf and makes_set:
        draft.remark("pnetcdf", pnetcdf, "CDF files: format; files of I/O domains have one writer each and no MPI-IO")
    elif pnetcdf:
        draft.remark("pnetcdf", pnetcdf, "PnetCDF writes: engine, format; cdf2 is for readers that know no CDF-5")
    else:
        draft.remark("pnetcdf", pnetcdf, "netCDF-4: format")
    draft.keys["format"] = "cdf5" if pnetcdf else "netcdf4"
    if not makes_set and (pnetcdf or draft.keys["pattern"] == "shared"):
        draft.keys["engine"] = "library"
    wanted = namelists.get(FMS2, {}).get("netcdf_default_format")
    if wanted is None:
        return
    if wanted not in FORMATS:
        raise Failure(Exit.INPUT, f"&{FMS2}: netcdf_default_format = {fortran(wanted)} is none of {', '.join(FORMATS)}")
    if pnetcdf:
        draft.remark("netcdf_default_format", wanted, "no effect beside pnetcdf")
    else:
        draft.remark("netcdf_default_format", wanted, "format")
        draft.keys["format"] = FORMATS[wanted]


def add_chunks(draft: Draft, namelists: Namelists, grid: dict[str, int]) -> None:
    group = namelists.get(SWITCHES, {})
    is_wanted = logical(namelists, "parallel_chunk")
    draft.remark("parallel_chunk", is_wanted, "chunk_layout counts" if is_wanted else "Thalweg chooses the chunks")
    said = group.get("chunk_layout")
    if said is None:
        if is_wanted:
            draft.remarks.append("chunk_layout: not said, so Thalweg chooses the chunks")
        return
    if not is_wanted:
        return draft.remark("chunk_layout", said, "no effect without parallel_chunk")
    counts = pair(SWITCHES, "chunk_layout", said, 1)
    if draft.keys["format"] != "netcdf4":
        return draft.remark("chunk_layout", said, f"no effect: {draft.keys['format']} has no chunks")
    if draft.keys["pattern"] in ("per-domain", "per-rank"):
        text = "no effect: it cuts a file of the whole grid, not those of I/O domains"
        return draft.remark("chunk_layout", said, text)
    if not grid:
        text = f"fill in: chunks: {{Y: ny / {counts[1]}, X: nx / {counts[0]}}}, rounded up, by the names of dimensions"
        return draft.remark("chunk_layout", said, f"{text}; or say --grid X=nx,Y=ny")
    extents = {name: -(-cells // count) for (name, cells), count in zip(grid.items(), counts, strict=True)}
    draft.keys["chunks"] = "{" + ", ".join(f"{name}: {extents[name]}" for name in reversed(extents)) + "}"
    draft.remark("chunk_layout", said, "chunks, the grid's cells over these numbers, rounded up")


def number(group: Mapping[str, Any], key: str, least: int, most: int | None = None) -> int | None:
    value = group.get(key)
    if value is None or (type(value) is int and value >= least and (most is None or value <= most)):
        return value
    upwards = "on" if most is None else f"to {most}"
    raise Failure(Exit.INPUT, f"{key} = {fortran(value)} has to be a whole number from {least} {upwards}")


def both(namelists: Namelists) -> list[str]:
    """Keys that stand in the namelists of both generations of FMS's output."""
    return [key for key in namelists.get(SWITCHES, {}) if key in namelists.get(FMS2, {})]


def add_storage(draft: Draft, namelists: Namelists) -> None:
    """Keys that both generations of FMS's output have; the later one prevails."""
    group = {**namelists.get(SWITCHES, {}), **namelists.get(FMS2, {})}
    shared = both(namelists)

    def remark(key: str, value: Any, text: str) -> None:
        draft.remark(key, value, text, FMS2 if key in shared else "")
        if key in shared:
            draft.remark(key, namelists[SWITCHES][key], f"gives way to &{FMS2}", SWITCHES)

    reserve, level = number(group, "header_buffer_val", 0), number(group, "deflate_level", -1, 9)
    shuffle = group.get("shuffle")
    if reserve is not None:
        draft.keys["header-reserve"] = f"{reserve} B"
        remark("header_buffer_val", reserve, "header-reserve")
    is_compressed = level is not None and 1 <= level <= 9
    can_compress = draft.keys["format"] == "netcdf4"
    if level is not None and is_compressed and not can_compress:
        remark("deflate_level", level, f"no effect: {draft.keys['format']} has no compression")
    elif level is not None:
        remark("deflate_level", level, "compression" if is_compressed else "no compression")
    if is_compressed and can_compress:
        draft.keys["compression"] = f"{{codec: deflate, level: {level}, shuffle: {'true' if shuffle else 'false'}}}"
    if shuffle is not None:
        has_effect = is_compressed and can_compress
        remark("shuffle", shuffle, "compression" if has_effect else "no effect without deflate")


def add_others(draft: Draft, namelists: Namelists) -> None:
    """Every key of FMS's own has a remark, also one that nobody has heard of."""
    parallel_read = logical(namelists, "parallel_read")
    draft.remark("parallel_read", parallel_read, "no counterpart: reading is the model's, Thalweg writes")
    said, shared = set(draft.said), both(namelists)
    for name in (SWITCHES, FMS2):
        for key, value in namelists.get(name, {}).items():
            if key not in said:
                text = NO_COUNTERPART.get(key, "no counterpart is known")
                draft.remark(key, value, text, name if key in shared else "")


def add_masks(draft: Draft, namelists: Namelists, folder: Path) -> None:
    """Of every component that has a table: where there is no rank the model says so to Thalweg, not a file."""
    for name, group in namelists.items():
        value = group.get("mask_table")
        if isinstance(value, str) and value.strip():
            draft.remark("mask_table", value, mask_remark(name, group, folder / value.strip()), name)


def mask_remark(name: str, group: Mapping[str, Any], path: Path) -> str:
    cure = "the model declares its cells as 'masked', those of no rank hold _FillValue"
    if not path.is_file():
        return f"{cure} ('{path}' is not there to be looked at)"
    table = read_mask_table(path)
    ranks = pair(name, "layout", group["layout"], 0) if "layout" in group else (0, 0)
    if 0 not in ranks and ranks != table.layout:
        raise Failure(
            Exit.INPUT,
            f"'{path}' is for the layout {fortran(table.layout)}, but &{name} has layout = {fortran(ranks)}; "
            "give the table that was made for it",
        )
    of = f"{len(table.masked)} of {table.layout[0]} x {table.layout[1]} domains have no rank, {table.ranks} have one"
    return f"{of}: {cure}"


def drafted(namelists: Namelists, layout: Layout | None, grid: dict[str, int], folder: Path) -> Draft:
    draft = Draft()
    add_pattern(draft, namelists, layout)
    add_format(draft, namelists)
    add_chunks(draft, namelists, grid)
    add_storage(draft, namelists)
    add_masks(draft, namelists, folder)
    add_others(draft, namelists)
    return draft


def lines(path: Path, draft: Draft) -> Iterator[str]:
    yield f"# After the namelists of FMS in {path.name}. All keys: thalweg check --keys"
    yield "# What became of each key, of &mpp_io_nml also of those that are not in the file (FMS's defaults):"
    yield from (f"#   {remark}" for remark in draft.remarks)
    yield ""
    yield "writers: sync    # as FMS: a record is in the file when the call returns. thread: while the model computes"
    yield "defaults:        # of all collections that the model opens; those with keys of their own: collections"
    yield from (f"  {key}: {value}" for key, value in draft.keys.items())
    yield ""
    yield "# Still to be written, because no namelist has it: the model's time step, and of each collection its name,"
    yield "# when it has records, and where they go. Without it each step of the model is a record of NAME.nc."
    yield "# time-step: 30 min"
    yield "# collections:"
    yield "#   NAME: {every: 1 d, file: NAME_%Y%m.nc, new-file: 1 month}"


def configuration(path: Path, namelist: str, grid: str) -> str:
    namelists = read_namelists(path)
    layout = layout_of(namelists, namelist)
    if layout is None and SWITCHES not in namelists and FMS2 not in namelists:
        raise Failure(
            Exit.INPUT,
            f"'{path}' has neither &{SWITCHES} nor &{FMS2}, and no io_layout; give the input.nml of FMS, "
            "or a diag_table, HISTORY.rc or file_def.xml",
        )
    return "\n".join(lines(path, drafted(namelists, layout, grid_of(grid), path.parent))) + "\n"
