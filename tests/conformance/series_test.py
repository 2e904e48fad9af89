# ctest: LABELS mpi TIMEOUT 300
"""Series of files: which record goes into which file, under which name."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import pytest
import zarr
from support import cases, conform, mpi
from support.checksums import without_companions

HEAD = "report: none\ndeadline: 30 s\ntime-step: 1 h\n"
SHAPE = (20, 24)
SMALL = conform.small(*SHAPE)
FORMATS = pytest.mark.parametrize("format_name", cases.FORMATS.values(), ids=cases.FORMATS)
OF_ONE_FILE = pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
STORES = pytest.mark.parametrize("format_name", [cases.FORMATS["zarr"], cases.FORMATS["zarr_shards"]])
WRITERS = pytest.mark.parametrize("writers", ["sync", "thread"])


def configure(folder: Path, collections: dict[str, str], head: str = "") -> None:
    lines = [f"  {name}: {{{settings}}}\n" for name, settings in collections.items()]
    (folder / "series.yaml").write_text(HEAD + head + "collections:\n" + "".join(lines))


def words(collections: dict[str, str], records: int, *options: str) -> list[str]:
    shape = f"shape={SHAPE[0]},{SHAPE[1]}"
    return ["series.yaml", f"collections={','.join(collections)}", shape, f"records={records}", *options]


def write(
    folder: Path, collections: dict[str, str], records: int, *options: str, head: str = "", ranks: int = 2
) -> None:
    configure(folder, collections, head)
    mpi.run("conform", ranks, folder, *words(collections, records, *options))


def files(folder: Path) -> list[str]:
    return [path.name for path in without_companions(folder.iterdir()) if path.name != "series.yaml"]


def check_small(folder: Path, steps_of: dict[str, list[int]]) -> None:
    """Exactly these files with exactly these records."""
    assert files(folder) == sorted(steps_of)
    for name, steps in steps_of.items():
        conform.check_file(folder / name, SMALL, steps)


@WRITERS
@FORMATS
def test_new_file_by_steps(tmp_path: Path, format_name: str, writers: str) -> None:
    series = {"small": f"file: small_%d-%H.nc, new-file: 3 steps, format: {format_name}"}
    write(tmp_path, series, 8, head=f"writers: {writers}\n")
    check_small(tmp_path, {"small_01-00.nc": [1, 2, 3], "small_01-03.nc": [4, 5, 6], "small_01-06.nc": [7, 8]})


@FORMATS
def test_new_file_by_months_of_the_calendar(tmp_path: Path, format_name: str) -> None:
    series = {"small": f"file: small_%Y-%m.nc, every: 1 d, new-file: 1 month, format: {format_name}"}
    write(tmp_path, series, 62 * 24, head="calendar: noleap\nreference-date: 2000-02-01\n")
    days = {"small_2000-02.nc": range(1, 29), "small_2000-03.nc": range(29, 60), "small_2000-04.nc": range(60, 63)}
    check_small(tmp_path, {name: [24 * day for day in of_file] for name, of_file in days.items()})
    time = time_attributes(tmp_path / "small_2000-03.nc")
    assert time["calendar"] == "noleap"
    assert time["units"] == "seconds since 2000-02-01 00:00:00"


def time_attributes(path: Path) -> dict[str, object]:
    if path.is_dir():
        return dict(zarr.open_group(path, mode="r")["time"].attrs)
    with netCDF4.Dataset(path) as dataset:
        return {name: dataset["time"].getncattr(name) for name in dataset["time"].ncattrs()}


def test_a_month_of_the_standard_calendar_has_its_leap_day(tmp_path: Path) -> None:
    series = {"small": "file: small_%Y-%m.nc, every: 1 d, new-file: 1 month"}
    write(tmp_path, series, 31 * 24, head="reference-date: 2000-02-01\n")
    days = {"small_2000-02.nc": range(1, 30), "small_2000-03.nc": range(30, 32)}
    check_small(tmp_path, {name: [24 * day for day in of_file] for name, of_file in days.items()})


def test_every_part_of_the_date_can_be_in_a_name(tmp_path: Path) -> None:
    series = {"small": "file: 'sub/%Y%m%d_%H%M%S_%j_100%%.nc', every: 30 h, new-file: 30 h"}
    (tmp_path / "sub").mkdir()
    write(tmp_path, series, 60)
    assert files(tmp_path / "sub") == ["20000101_000000_001_100%.nc", "20000102_060000_002_100%.nc"]
    conform.check_file(tmp_path / "sub" / "20000102_060000_002_100%.nc", SMALL, [60])


@WRITERS
def test_collections_have_frequencies_of_their_own(tmp_path: Path, writers: str) -> None:
    series = {
        "small_steps": "file: steps.nc, every: 2 steps, format: cdf5",
        "small_hours": "file: hours_%H.nc, every: 3 h, new-file: 6 h, format: netcdf4",
        "small_all": "file: all.nc, format: cdf2, priority: high",
        "small_never": "file: never.nc, every: 1 d, format: cdf1",
    }
    write(tmp_path, series, 12, head=f"writers: {writers}\n", ranks=3)
    every = list(range(1, 13))
    steps_of = {"steps.nc": every[1::2], "hours_00.nc": [3, 6], "hours_06.nc": [9, 12], "all.nc": every, "never.nc": []}
    check_small(tmp_path, steps_of)


@FORMATS
def test_every_file_of_a_series_is_whole(tmp_path: Path, format_name: str) -> None:
    """Variables without records are in each; the writers are on two nodes."""
    common = f"every: 2 h, new-file: 4 h, format: {format_name}, pattern: shared"
    shapes = common.replace("chunks: {y: 9, x: 13}", "chunks: {b0: 4, c2: 5}")
    series = {"fields": f"file: fields_%H.nc, {common}, layout: [3, 1]", "shapes": f"file: shapes_%H.nc, {shapes}"}
    write(tmp_path, series, 12, "mode=mask", head="emulate-nodes: 2\n", ranks=4)
    fields = conform.fields("cdf5", *SHAPE)
    for start, steps in {"00": [2, 4], "04": [6, 8], "08": [10, 12]}.items():
        conform.check_file(tmp_path / f"fields_{start}.nc", fields, steps, "mask", attributes=True)
        conform.check_file(tmp_path / f"shapes_{start}.nc", conform.shapes(), steps, "mask")


@WRITERS
def test_initial_record(tmp_path: Path, writers: str) -> None:
    series = {
        "small_with": "file: with.nc, every: 2 h, initial-record: true",
        "small_without": "file: without.nc, every: 2 h",
        "small_steps": "file: steps.nc, every: 3 steps, initial-record: true, format: cdf5",
    }
    write(tmp_path, series, 6, "initial=1", head=f"writers: {writers}\n")
    check_small(tmp_path, {"with.nc": [0, 2, 4, 6], "without.nc": [2, 4, 6], "steps.nc": [0, 3, 6]})


@FORMATS
def test_the_program_names_files(tmp_path: Path, format_name: str) -> None:
    series = {"small_a": f"file: a.nc, format: {format_name}", "small_b": f"file: b.nc, format: {format_name}"}
    write(tmp_path, series, 6, "new-file=small_a:3:later.nc,small_a:6:last.nc,small_b:1:other.nc", ranks=3)
    steps_of = {"a.nc": [1, 2], "later.nc": [3, 4, 5], "last.nc": [6], "other.nc": [1, 2, 3, 4, 5, 6]}
    check_small(tmp_path, steps_of)


def test_a_name_of_the_program_is_no_template(tmp_path: Path) -> None:
    write(tmp_path, {"small": "file: small.nc"}, 3, "new-file=small:2:100%d.nc")
    check_small(tmp_path, {"small.nc": [1], "100%d.nc": [2, 3]})


@OF_ONE_FILE
def test_a_new_file_replaces_an_old_one_and_keeps_what_a_killed_run_left(tmp_path: Path, format_name: str) -> None:
    left = {"small.nc": b"complete", "small.nc.partial": b"left over", "small.nc.partial.journal": b"journal"}
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    write(tmp_path, {"small": f"file: small.nc, format: {format_name}, append: new"}, 2)
    assert files(tmp_path) == ["small.nc", "small.old.nc.partial", "small.old.nc.partial.journal"]
    assert (tmp_path / "small.old.nc.partial").read_bytes() == b"left over"
    assert (tmp_path / "small.old.nc.partial.journal").read_bytes() == b"journal"
    conform.check_file(tmp_path / "small.nc", SMALL, [1, 2])


def make_store(path: Path) -> None:
    (path / "temp" / "c" / "0").mkdir(parents=True)
    (path / "temp" / "c" / "0" / "0").write_bytes(b"a chunk")
    for node in (path, path / "temp"):
        (node / "zarr.json").write_text("{}")


@STORES
def test_a_new_store_replaces_an_old_one_and_keeps_what_a_killed_run_left(tmp_path: Path, format_name: str) -> None:
    for name in ("small.zarr", "small.zarr.partial"):
        make_store(tmp_path / name)
    write(tmp_path, {"small": f"file: small.zarr, format: {format_name}, append: new"}, 2)
    assert files(tmp_path) == ["small.old.zarr.partial", "small.zarr"]
    assert (tmp_path / "small.old.zarr.partial/temp/c/0/0").read_bytes() == b"a chunk"
    conform.check_file(tmp_path / "small.zarr", SMALL, [1, 2])
    assert not (tmp_path / "small.zarr/temp").exists()


@STORES
@pytest.mark.parametrize("existing", ["small.zarr", "small.zarr.partial"])
def test_append_fail_touches_no_store(tmp_path: Path, existing: str, format_name: str) -> None:
    make_store(tmp_path / existing)
    series = {"small": f"file: small.zarr, format: {format_name}, append: fail"}
    configure(tmp_path, series)
    done = mpi.start("conform", 2, tmp_path, *words(series, 2), limit_s=20)
    assert done.returncode == 8, done.stdout + done.stderr
    assert f"{existing}' exists already and 'append' is 'fail'" in done.stderr
    assert files(tmp_path) == [existing]
    left = sorted(path.name for path in (tmp_path / existing).rglob("*"))
    assert left == ["0", "0", "c", "temp", "zarr.json", "zarr.json"]


@OF_ONE_FILE
def test_a_folder_that_is_no_store_is_not_replaced(tmp_path: Path, format_name: str) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "precious").write_bytes(b"precious")
    for text in (format_name, "zarr"):
        series = {"small": f"file: results, format: {text}"}
        configure(tmp_path, series)
        done = mpi.start("conform", 2, tmp_path, *words(series, 2), limit_s=20)
        assert done.returncode == 8, done.stdout + done.stderr
        assert "results' is a folder and no Zarr store, so it is not replaced" in done.stderr
        assert files(tmp_path) == ["results"]
        assert (tmp_path / "results" / "precious").read_bytes() == b"precious"


def test_a_file_and_a_store_replace_each_other(tmp_path: Path) -> None:
    for format_name in ("netcdf4", "zarr", "cdf5"):
        write(tmp_path, {"small": f"file: small.data, format: {format_name}"}, 2)
        assert files(tmp_path) == ["small.data"]
        conform.check_file(tmp_path / "small.data", SMALL, [1, 2])


@WRITERS
@pytest.mark.parametrize("existing", ["small.nc", "small.nc.partial"])
def test_append_fail_touches_nothing(tmp_path: Path, existing: str, writers: str) -> None:
    (tmp_path / existing).write_bytes(b"precious")
    series = {"small": "file: small.nc, append: fail"}
    configure(tmp_path, series, f"writers: {writers}\n")
    done = mpi.start("conform", 2, tmp_path, *words(series, 2), limit_s=20)
    assert done.returncode == 8, done.stdout + done.stderr
    assert f"{existing}' exists already and 'append' is 'fail'" in done.stderr
    assert files(tmp_path) == [existing]
    assert (tmp_path / existing).read_bytes() == b"precious"


@FORMATS
def test_a_run_that_continues_says_its_time(tmp_path: Path, format_name: str) -> None:
    series = {
        "small_a": f"file: a_%H.nc, every: 4 h, new-file: 8 h, format: {format_name}",
        "small_b": f"file: b.nc, format: {format_name}",
    }
    write(tmp_path, series, 12, "start=10")
    check_small(tmp_path, {"a_08.nc": [12, 16], "a_16.nc": [20], "b.nc": list(range(11, 23))})


def test_an_initial_record_of_a_run_that_continues_is_at_its_start(tmp_path: Path) -> None:
    write(tmp_path, {"small": "file: small.nc, every: 2 h, initial-record: true"}, 4, "start=10", "initial=1")
    check_small(tmp_path, {"small.nc": [10, 12, 14]})
