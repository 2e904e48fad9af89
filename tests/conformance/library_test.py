# ctest: LABELS mpi TIMEOUT 600 ALL 900
"""Engine library: the files hold what the direct engine's hold, and those of the classic formats are the same bytes."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import netCDF4
import pytest
from support import conform, mpi
from support.batch import CONFIGURATION, Batch, Job, of_tests
from support.cases import RECORDS
from support.checksums import with_companions, without_companions
from support.library_cases import LibraryCase, all_pairs, library_cases, pairs

CASES = library_cases()
STEPS = list(range(1, RECORDS + 1))
FORMATS = pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
LIBRARY = "engine: library"
CONFIG, STORAGE = 2, 8


def configured(collections: dict[str, str], head: str = "") -> str:
    lines = [f"  {name}: {{{settings}}}\n" for name, settings in collections.items()]
    return f"report: none\ndeadline: 20 s\n{head}collections:\n{''.join(lines)}"


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """References are what the direct engine writes on one rank."""

    def jobs_of(parameter: LibraryCase | Job) -> list[Job]:
        return [parameter] if isinstance(parameter, Job) else [parameter.job, parameter.reference.job]

    return of_tests(request, tmp_path_factory, jobs_of)


def header(path: Path) -> tuple:
    """What a netCDF-4 file says beside its values."""

    def attributes(owner: netCDF4.Dataset | netCDF4.Variable) -> list[tuple]:
        return [(name, str(owner.getncattr(name))) for name in owner.ncattrs()]

    with netCDF4.Dataset(path) as dataset:
        variables = [
            (name, of.dtype, of.dimensions, of.chunking(), of.endian(), attributes(of))
            for name, of in dataset.variables.items()
        ]
        dimensions = [(name, len(of), of.isunlimited()) for name, of in dataset.dimensions.items()]
        return dimensions, variables, attributes(dataset)


def filters(path: Path) -> dict[str, dict]:
    with netCDF4.Dataset(path) as dataset:
        return {name: of.filters() for name, of in dataset.variables.items()}


def without_chunks(found: tuple) -> tuple:
    """Chunks follow the layout, which is the reference's own."""
    dimensions, variables, attributes = found
    return dimensions, [variable[:3] + variable[4:] for variable in variables], attributes


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right(case: LibraryCase, batch: Batch) -> None:
    folder, wanted = batch.made(case.job), batch.made(case.reference.job)
    assert {path.name for path in folder.iterdir()} == {CONFIGURATION, *with_companions(("fields.nc", "shapes.nc"))}
    conform.check_file(folder / "fields.nc", conform.fields(case.format), STEPS, case.mode, attributes=True)
    conform.check_file(folder / "shapes.nc", conform.shapes(), STEPS, case.mode)
    for name in ("fields.nc", "shapes.nc"):
        if case.format == "netcdf4":
            assert without_chunks(header(folder / name)) == without_chunks(header(wanted / name))
        else:
            assert (folder / name).read_bytes() == (wanted / name).read_bytes(), name


def test_every_pair_of_settings_is_met() -> None:
    assert set().union(*map(pairs, CASES)) == all_pairs()


def layouts(engine: str, format_name: str) -> Job:
    settings = f"engine: {engine}, format: {format_name}, pattern: shared, layout: [2, 2]"
    text = configured({"fields": settings}, "emulate-nodes: 2\n")
    return Job("conform", 4, text, ("collections=fields", "records=2"))


@pytest.mark.parametrize(
    ("direct", "library"),
    [pytest.param(layouts("direct", name), layouts("library", name), id=name) for name in ("cdf5", "netcdf4")],
)
def test_netcdf4_has_the_header_of_the_direct_engine_chunks_included(batch: Batch, direct: Job, library: Job) -> None:
    made = [header(batch.made(job) / "fields.nc") for job in (direct, library)]
    assert made[0] == made[1]


def compressed(engine: str, format_name: str, mpi_io: str) -> Job:
    settings = (
        f"engine: {engine}, format: {format_name}, pattern: shared, layout: [2, 2], "
        "compression: {codec: deflate, checksum: true}, chunks: {y: 7, x: 5}"
    )
    words = ("mode=mask", "collections=fields", "records=2", "shape=20,24", "types=classic")
    text = configured({"fields": settings}, "emulate-nodes: 2\n")
    return Job("conform", 4, text, words, (("OMPI_MCA_io", mpi_io),))


@pytest.mark.parametrize(
    ("direct", "library"),
    [
        pytest.param(
            compressed("direct", format_name, mpi_io),
            compressed(f"library, library-calls: {calls}", format_name, mpi_io),
            id=f"{mpi_io}-{calls}-{format_name}",
        )
        for mpi_io, calls, format_name in product(
            ("ompio", "romio321"), ("collective", "independent"), ("netcdf4", "netcdf4-classic")
        )
    ],
)
def test_netcdf_compresses_as_the_direct_engine_does(batch: Batch, direct: Job, library: Job) -> None:
    """Variables without records too, whose calls are then collective whatever is asked."""
    made = []
    for job in (direct, library):
        file = batch.made(job) / "fields.nc"
        conform.check_file(file, conform.fields("cdf1", 20, 24), [1, 2], "mask", attributes=True)
        made.append((header(file), filters(file)))
    assert made[0] == made[1]
    assert made[1][1]["temp"]["zlib"] and made[1][1]["temp"]["fletcher32"]


# ---- files


def configure(folder: Path, collections: dict[str, str], head: str = "") -> None:
    (folder / "c.yaml").write_text(configured(collections, head))


def write(folder: Path, collections: dict[str, str], ranks: int, *words: str, head: str = "") -> None:
    configure(folder, collections, head)
    mpi.run("conform", ranks, folder, "c.yaml", f"collections={','.join(collections)}", "shape=20,24", *words)


def files(folder: Path) -> list[str]:
    return [path.name for path in without_companions(folder.iterdir()) if path.name != "c.yaml"]


@FORMATS
def test_every_file_of_a_series_is_whole(tmp_path: Path, format_name: str) -> None:
    common = f"{LIBRARY}, every: 2 h, new-file: 4 h, format: {format_name}, pattern: shared"
    series = {"fields": f"file: fields_%H.nc, {common}, layout: [3, 1]", "shapes": f"file: shapes_%H.nc, {common}"}
    write(tmp_path, series, 4, "mode=mask", "records=12", head="emulate-nodes: 2\ntime-step: 1 h\n")
    for start, steps in {"00": [2, 4], "04": [6, 8], "08": [10, 12]}.items():
        fields = conform.fields("cdf5", 20, 24)
        conform.check_file(tmp_path / f"fields_{start}.nc", fields, steps, "mask", attributes=True)
        conform.check_file(tmp_path / f"shapes_{start}.nc", conform.shapes(), steps, "mask")


@FORMATS
@pytest.mark.parametrize("engine", ["direct", "library"])
def test_files_wait_for_what_is_put_once_and_late(tmp_path: Path, format_name: str, engine: str) -> None:
    """Variables without records come when two files of the series have got all their records."""
    settings = (
        f"engine: {engine}, every: 2 steps, new-file: 4 steps, format: {format_name}, pattern: shared, layout: [2, 1]"
    )
    series = {"fields": f"file: fields_%H.nc, {settings}"}
    head = "emulate-nodes: 2\ntime-step: 1 h\n"
    write(tmp_path, series, 4, "mode=mask", "records=12", "fixed-at=10", head=head)
    for start, steps in {"00": [2, 4], "04": [6, 8], "08": [10, 12]}.items():
        conform.check_file(tmp_path / f"fields_{start}.nc", conform.fields("cdf5", 20, 24), steps, "mask")


@FORMATS
def test_the_program_names_files(tmp_path: Path, format_name: str) -> None:
    """The file that was made before the first record is not the one that is wanted then."""
    series = {"small": f"{LIBRARY}, format: {format_name}"}
    write(tmp_path, series, 2, "records=4", "new-file=small:1:first.nc,small:3:second.nc")
    assert files(tmp_path) == ["first.nc", "second.nc"]
    conform.check_file(tmp_path / "first.nc", conform.small(20, 24), [1, 2])
    conform.check_file(tmp_path / "second.nc", conform.small(20, 24), [3, 4])


@FORMATS
def test_a_collection_without_a_record_leaves_a_file(tmp_path: Path, format_name: str) -> None:
    write(tmp_path, {"small": f"{LIBRARY}, every: 9 steps, format: {format_name}"}, 2, "records=2")
    conform.check_file(tmp_path / "small.nc", conform.small(20, 24), [])


def test_a_new_file_keeps_what_a_killed_run_left(tmp_path: Path) -> None:
    (tmp_path / "small.nc").write_bytes(b"complete")
    (tmp_path / "small.nc.partial").write_bytes(b"left over")
    write(tmp_path, {"small": f"{LIBRARY}, format: cdf5, append: new"}, 2, "records=2")
    assert files(tmp_path) == ["small.nc", "small.old.nc.partial"]
    assert (tmp_path / "small.old.nc.partial").read_bytes() == b"left over"
    conform.check_file(tmp_path / "small.nc", conform.small(20, 24), [1, 2])


@FORMATS
def test_a_file_replaces_a_store(tmp_path: Path, format_name: str) -> None:
    (tmp_path / "small.nc").mkdir()
    (tmp_path / "small.nc" / "zarr.json").write_text("{}")
    write(tmp_path, {"small": f"{LIBRARY}, format: {format_name}"}, 2, "records=2")
    assert files(tmp_path) == ["small.nc"]
    conform.check_file(tmp_path / "small.nc", conform.small(20, 24), [1, 2])


@pytest.mark.parametrize("writers", ["sync", "thread"])
def test_both_engines_live_side_by_side(tmp_path: Path, writers: str) -> None:
    """Nodes write for each other in both, and puts of the collections alternate."""
    shared = "pattern: shared, layout: [2, 1]"
    series = {
        "fields_a": f"{LIBRARY}, format: cdf5, {shared}",
        "fields_b": f"engine: direct, format: netcdf4, {shared}",
        "fields_c": f"{LIBRARY}, format: netcdf4, every: 2 steps, {shared}",
        "fields_d": "engine: direct, format: cdf5, every: 3 steps",
    }
    write(tmp_path, series, 4, "mode=deal", "records=6", head=f"emulate-nodes: 2\nwriters: {writers}\n")
    fields = conform.fields("cdf5", 20, 24)
    every = {"a": [1, 2, 3, 4, 5, 6], "b": [1, 2, 3, 4, 5, 6], "c": [2, 4, 6], "d": [3, 6]}
    for name, steps in every.items():
        conform.check_file(tmp_path / f"fields_{name}.nc", fields, steps)


@pytest.mark.parametrize("direct", ["cdf5", "netcdf4"])
@FORMATS
def test_a_session_of_the_direct_engine_may_come_before_one_of_this(
    tmp_path: Path, format_name: str, direct: str
) -> None:
    """In the first only one rank opens a file by MPI-IO, and in the second all do, by the same one of two."""
    collections = f"format: {direct}", f"{LIBRARY}, format: {format_name}, pattern: shared, layout: [4, 1]"
    text = "report: none\ndeadline: 20 s\ncollections: {{small: {{{}}}}}\n"
    jobs = [Job("conform", 4, text.format(of), ("collections=small", "records=2")) for of in collections]
    batch = Batch(tmp_path, jobs)
    for job in jobs:
        conform.check_file(batch.made(job) / "small.nc", conform.small(61, 83), [1, 2])
    assert batch.starts == 1


# ---- hints and refusals


def profile(folder: Path) -> dict:
    collections = json.loads((folder / "p.json").read_text())["ranks"][0]["collections"]
    return {collection["name"]: collection["library_files"] for collection in collections}


HINTS = (
    f"{LIBRARY}, pattern: shared, layout: [2, 2], aggregators-per-node: 1, hints: {{cb_buffer_size: 64 KiB, "
    "romio_cb_write: enable, romio_ds_write: disable, striping_factor: 4, striping_unit: 1 MiB}"
)
ASKED = {
    "cb_buffer_size": "65536",
    "cb_config_list": "*:1",
    "cb_nodes": "2",
    "romio_cb_write": "enable",
    "romio_ds_write": "disable",
    "striping_factor": "4",
    "striping_unit": "1048576",
}


def write_with_hints(folder: Path, format_name: str, **environment: str) -> tuple[dict, str]:
    """Its report, and what it said."""
    configure(folder, {"small": f"{HINTS}, format: {format_name}"}, "emulate-nodes: 2\nprofile: p.json\n")
    words = ("c.yaml", "collections=small", "shape=20,24", "records=2")
    done = mpi.start("conform", 4, folder, *words, environment=environment)
    assert done.returncode == 0, done.stderr
    (report,) = profile(folder)["small"]
    assert report["asked"] == ASKED
    assert (report["file"], report["io_ranks"], report["stripes"]) == (str(folder / "small.nc"), 4, 0)
    return report, done.stdout + done.stderr


def test_hints_come_to_the_mpi_io_whose_library_only_repeats_them(tmp_path: Path) -> None:
    """Open MPI tells back what it was given, so what is in force is said to be unknown; ROMIO itself prints it."""
    report, text = write_with_hints(tmp_path, "cdf5", ROMIO_PRINT_HINTS="1")
    assert (report["library"], report["aggregators"], report["is_repeated"]) == ("PnetCDF", 2, True)
    assert {name.partition("_")[0] for name in report["in_force"]} == {"nc", "pnetcdf"}
    assert "striping_unit=1048576, which the MPI library repeats, so that it is not known" in text
    assert "not kept" not in text
    taken = {line.split()[2]: line.split()[5] for line in text.splitlines() if line.startswith("key = ")}
    assert ASKED["cb_buffer_size"] == taken["cb_buffer_size"]
    assert (taken["romio_cb_write"], taken["romio_ds_write"]) == ("enable", "disable")
    assert "striping_factor" not in taken


def test_hints_in_force_are_reported_and_those_that_are_not_kept(tmp_path: Path) -> None:
    """The MPI library is one that tells what it keeps (told_hints.c)."""
    told_hints = f"{mpi.SANITIZER}:{mpi.BUILD}/lib/libtold_hints.so"
    report, text = write_with_hints(tmp_path, "netcdf4", LD_PRELOAD=told_hints)
    kept = {"cb_buffer_size": "65536", "cb_nodes": "1", "romio_cb_write": "enable", "romio_ds_write": "disable"}
    assert report["in_force"] == kept
    assert (report["library"], report["aggregators"], report["is_repeated"]) == ("netCDF-4", 1, False)
    assert text.count("as the MPI library tells them: cb_buffer_size=65536, cb_nodes=1, romio_cb_write=enable") == 1
    assert text.count("hint 'cb_nodes' is 1, not 2") == 1
    for name in ("cb_config_list", "striping_factor", "striping_unit"):
        assert text.count(f"hint '{name}' is not kept by the MPI library") == 1
    assert text.count("is not kept") == 3


def test_what_is_doubtful_is_noted_once(tmp_path: Path) -> None:
    settings = f"{LIBRARY}, format: cdf5, pattern: shared, layout: [2, 1], hints: {{cb_bufer_size: 1}}"
    configure(tmp_path, {"small": settings + ", striping: {count: 4, size: 1 MiB}"})
    done = mpi.start("conform", 2, tmp_path, "c.yaml", "collections=small", "records=2")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("hint 'cb_bufer_size' is none that ROMIO, OMPIO or PnetCDF is known to take") == 1
    assert "did you mean 'cb_buffer_size'" in done.stderr
    assert done.stderr.count("all 2 ranks write into one file") == 1
    assert done.stderr.count("striping: the folder is not on Lustre") == 1


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("hints: {cb_nodes: 2}", "hints and aggregators-per-node have an effect with 'engine: library' only"),
        ("striping: {count: 4}", "striping: the folder is not on Lustre"),
        ("format: zarr, striping: {count: 4}", "striping: what this format writes is striped as its folder is"),
    ],
)
def test_settings_without_effect_are_noted(tmp_path: Path, settings: str, text: str) -> None:
    configure(tmp_path, {"small": f"engine: direct, {settings}"})
    done = mpi.start("conform", 2, tmp_path, "c.yaml", "collections=small", "records=1")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(text) == 1


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("hints: {cb_nodes: abc}", r"hints: cb_nodes: 'abc' is no whole number"),
        ("hints: {romio_cb_write: on}", r"hints: romio_cb_write: 'on' is none of enable, disable, automatic"),
        ("hints: [cb_nodes]", r"hints: a map such as {cb_nodes: 4, cb_buffer_size: 16 MiB} is wanted here"),
        ("striping: {count: 0}", r"striping: '0' must be at least 1"),
        ("format: netcdf4, library-calls: nonblocking", r"nonblocking calls exist in PnetCDF only"),
        ("format: netcdf4-classic, library-calls: nonblocking", r"nonblocking calls exist in PnetCDF only"),
        ("format: zarr", r"engine: library writes by PnetCDF and netCDF-4, which have no format zarr"),
        ("format: fortran", r"engine: library writes by PnetCDF and netCDF-4, which have no format fortran"),
        ("compression: zstd", r"codec: with engine: library netCDF-C compresses"),
        ("variables: {temp: {compression: zstd}}", r"codec: with engine: library netCDF-C compresses"),
        ("compression: {keep-digits: 3}", r"keep-digits: values are rounded by Thalweg's writer"),
        ("compression: {keep-bits: 3}", r"keep-bits: values are rounded by Thalweg's writer"),
    ],
)
def test_impossible_settings_are_refused_at_start(tmp_path: Path, settings: str, text: str) -> None:
    configure(tmp_path, {"small": f"{LIBRARY}, {settings}"})
    done = mpi.start("conform", 2, tmp_path, "c.yaml", "collections=small", "records=1")
    assert done.returncode == CONFIG
    assert text in done.stderr
    assert files(tmp_path) == []


@FORMATS
@pytest.mark.parametrize("nodes", ["1", "2"])
def test_a_folder_that_is_missing_ends_the_definitions_of_all(tmp_path: Path, format_name: str, nodes: str) -> None:
    settings = f"{LIBRARY}, file: missing/small.nc, format: {format_name}, pattern: shared, layout: [2, 1]"
    configure(tmp_path, {"small": settings}, f"emulate-nodes: {nodes}\n")
    done = mpi.start("conform", 4, tmp_path, "c.yaml", "collections=small", "records=1", limit_s=30)
    assert done.returncode == STORAGE, done.stderr
    assert "missing" in done.stderr


@FORMATS
@pytest.mark.parametrize("engine", ["direct", "library, pattern: single"])
def test_a_file_that_is_not_made_keeps_nobody_waiting_for_the_next(
    tmp_path: Path, format_name: str, engine: str
) -> None:
    """The ranks that call the library for the second collection are not those that make the first one's file."""
    (tmp_path / "first.nc").write_bytes(b"precious")
    first = f"engine: {engine}, file: first.nc, append: fail, format: {format_name}"
    second = f"{LIBRARY}, format: {format_name}, pattern: shared, layout: [2, 1]"
    series = {"fields_a": first, "fields_b": second}
    configure(tmp_path, series)
    words = (f"collections={','.join(series)}", "shape=20,24", "records=1")
    done = mpi.start("conform", 4, tmp_path, "c.yaml", *words, limit_s=30)
    assert done.returncode == STORAGE, done.stderr
    assert "first.nc' exists already and 'append' is 'fail'" in done.stderr
    assert (tmp_path / "first.nc").read_bytes() == b"precious"


@FORMATS
def test_a_colon_in_a_name_is_explained(tmp_path: Path, format_name: str) -> None:
    """ROMIO reads what comes before it as the name of a file system."""
    configure(tmp_path, {"small": f"{LIBRARY}, file: 'at_12:00.nc', format: {format_name}"})
    done = mpi.start("conform", 2, tmp_path, "c.yaml", "collections=small", "records=1", limit_s=30)
    assert done.returncode == STORAGE, done.stderr
    assert "choose another name for 'file'" in done.stderr
    assert files(tmp_path) == []
