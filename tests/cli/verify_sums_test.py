# ctest: SHORT LABELS cli mpi TIMEOUT 120
"""thalweg verify finds a changed value in every format, by the checksums that Thalweg writes beside each file."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import netCDF4
import pytest
import zarr
from support import checksums, conform, mpi
from support.command import thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

# Written by two nodes; what is compressed has no checksum of the format's own.
CONFIGURATION = """
report: none
emulate-nodes: 2
collections:
  fields_cdf5: {format: cdf5, pattern: shared}
  fields_netcdf4: {format: netcdf4, layout: [3, 1], pattern: shared}
  fields_zstd: {format: netcdf4, compression: {codec: zstd, shuffle: false}, chunks: {y: 9, x: 13}}
  fields_rounded: {format: netcdf4, compression: {keep-bits: 9}, chunks: {y: 9, x: 13}, pattern: shared}
  fields_zarr: {format: zarr, chunks: {y: 16, x: 16}, compression: {checksum: false}, sharding: true}
  fields_fortran: {format: fortran}
  fields_set: {format: cdf5, pattern: per-rank}
  fields_master: {format: netcdf4, pattern: per-domain, layout: [2, 2]}
  fields_library: {format: netcdf4, engine: library, pattern: shared}
  fields_without: {format: netcdf4, record-checksums: false}
"""
COLLECTIONS = [line.split(":")[0].strip() for line in CONFIGURATION.splitlines() if line.startswith("  ")]
RECORDS, NY, NX = 3, 31, 43
CHANGED = 1  # the record
MODES = ("block", "mask")
# What is looked at, and the file of it that has the last cell.
FILES = {
    "fields_cdf5.nc": "fields_cdf5.nc",
    "fields_netcdf4.nc": "fields_netcdf4.nc",
    "fields_zstd.nc": "fields_zstd.nc",
    "fields_rounded.nc": "fields_rounded.nc",
    "fields_zarr.zarr": "fields_zarr.zarr",
    "fields_fortran.nc": "fields_fortran.nc",
    "fields_set.nc": "fields_set.nc.0003",
    "fields_set.nc.0003": "fields_set.nc.0003",
    "fields_master.nc": "fields_master.nc.0003",
    "fields_library.nc": "fields_library.nc",
}


def write(folder: Path, mode: str, ranks: int, *names: str) -> Path:
    (folder / "c.yaml").write_text(CONFIGURATION)
    words = (f"collections={','.join(names)}", f"records={RECORDS}", f"shape={NY},{NX}", f"mode={mode}")
    mpi.run("conform", ranks, folder, "c.yaml", *words)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("run"), "block", 4, *COLLECTIONS)


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Land that no rank holds, and what has no set for that."""
    names = [name for name in COLLECTIONS if name != "fields_set"]
    return write(tmp_path_factory.mktemp("masked"), "mask", 3, *names)


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    return tmp_path


def stored(path: Path) -> dict[str, list[str]]:
    said = json.loads(checksums.beside(path).read_text())
    return {one["name"]: one.get("records", [one.get("sum")]) for one in said["variables"]}


def last_value(file: Path) -> bytes:
    """Of 'salt' in the record that is changed, as it lies in the file."""
    values = conform.expected("salt", conform.fields("cdf5", NY, NX), "block", CHANGED + 1)
    return values.reshape(-1)[-1:].astype(">f8" if "set" in file.name or "cdf5" in file.name else "<f8").tobytes()


def flip_byte(file: Path) -> None:
    """One bit of one value; in a store of the object that has it."""
    (holder,) = [path for path in files_in(file) if path.read_bytes().count(last_value(file)) == 1]
    data = bytearray(holder.read_bytes())
    data[data.index(last_value(file)) + 3] ^= 4
    holder.write_bytes(data)


def files_in(path: Path) -> Iterator[Path]:
    return (one for one in (path.rglob("*") if path.is_dir() else [path]) if one.is_file())


def change_value(file: Path) -> None:
    """As a program would that writes into the file: nothing in the file itself tells of it."""
    with netCDF4.Dataset(file, "r+") as opened:
        opened.set_auto_maskandscale(False)
        opened["salt"][CHANGED, -1, -1, -1] *= -1


@pytest.mark.parametrize("name", FILES)
def test_what_was_written_is_found_as_written(run: Path, name: str) -> None:
    done = thalweg("verify", run / name)
    assert (done.code, done.err) == (0, "")
    assert f"{27 if name == 'fields_rounded.nc' else 26} variables as written, by the checksums" in done.out
    assert "would not be seen" not in done.out


@pytest.mark.parametrize("name", FILES)
def test_a_changed_value_is_found(copy: Path, name: str) -> None:
    file = FILES[name]
    (change_value if name in ("fields_zstd.nc", "fields_rounded.nc") else flip_byte)(copy / file)
    done = thalweg("verify", "--memory", "1 MiB", "--json", copy / name)
    assert done.code == 1, done.out
    problems = [found["text"] for found in done.json["findings"] if found["level"] == "problem"]
    assert len(problems) == 1, problems
    was = stored(copy / file)["salt"][CHANGED]
    assert f"'{file}', variable 'salt', record {CHANGED}: the checksum of what was written is {was}" in problems[0]


@pytest.mark.parametrize("mode", MODES)
def test_sums_do_not_depend_on_the_way(mode: str, request: pytest.FixtureRequest) -> None:
    """Formats, patterns, layouts, engines: the same values have the same sums."""
    folder = request.getfixturevalue("run" if mode == "block" else "masked")
    wanted = stored(folder / "fields_cdf5.nc")
    content = conform.fields("cdf5", NY, NX)
    for name, variable in content.variables.items():
        steps = range(1, RECORDS + 1) if variable.has_record else [0]
        assert wanted[name] == [checksums.sum_of(conform.expected(name, content, mode, step)) for step in steps], name
    for name in ("fields_netcdf4.nc", "fields_zstd.nc", "fields_zarr.zarr", "fields_fortran.nc", "fields_library.nc"):
        assert stored(folder / name) == wanted, name
    rounded = stored(folder / "fields_rounded.nc")
    assert rounded["salt"] != wanted["salt"]
    assert rounded["flags"] == wanted["flags"]


@pytest.mark.parametrize("name", ["fields_rounded.nc", "fields_zarr.zarr", "fields_fortran.nc", "fields_master.nc"])
def test_holes_are_summed_with_the_values(masked: Path, name: str) -> None:
    done = thalweg("verify", masked / name)
    assert done.code == 0, done.out
    assert "as written" in done.out


def test_a_file_without_checksums_is_told_to_have_none(run: Path) -> None:
    assert not checksums.beside(run / "fields_without.nc").exists()
    done = thalweg("verify", run / "fields_without.nc")
    assert done.code == 0
    assert "none for 26 variables" in done.out
    assert "unless 'record-checksums' is false" in done.out


def test_only_variables_that_are_asked_for_are_compared(copy: Path) -> None:
    flip_byte(copy / "fields_cdf5.nc")
    assert thalweg("verify", "--variables", "temp,area", copy / "fields_cdf5.nc").code == 0
    assert thalweg("verify", "--variables", "temp,salt", copy / "fields_cdf5.nc").code == 1


def test_changed_attributes_are_no_changed_values(copy: Path) -> None:
    with netCDF4.Dataset(copy / "fields_netcdf4.nc", "r+") as file:
        file.history = "an attribute of later" * 100
    done = thalweg("verify", copy / "fields_netcdf4.nc")
    assert done.code == 0
    assert "it was changed since" in done.out


def test_another_file_of_the_name_is_found(copy: Path) -> None:
    shutil.copy(copy / "fields_rounded.nc", copy / "fields_netcdf4.nc")
    done = thalweg("verify", copy / "fields_netcdf4.nc")
    assert done.code == 1
    assert "or it is another file, which the companion is not of" in done.out


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('"thalweg_checksums": 1', '"thalweg_checksums": 2', "is of version 2, known is 1"),
        ('"variables"', '"variable"', "cannot be understood"),
        ('"type": "float64"', '"type": "float65"', "cannot be understood"),
        ('"elements": 7', '"elements": 8', "has 7 elements, 8 were written"),
        ('"name": "salt"', '"name": "pepper"', "variable 'pepper', which was written, is not there"),
        ('"type": "int16"', '"type": "int32"', "is of type int16, int32 was written"),
    ],
)
def test_a_companion_that_does_not_fit_is_a_problem(copy: Path, old: str, new: str, text: str) -> None:
    path = checksums.beside(copy / "fields_netcdf4.nc")
    path.write_text(path.read_text().replace(old, new))
    done = thalweg("verify", copy / "fields_netcdf4.nc")
    assert done.code == 1
    assert text in done.out


def test_a_file_of_others_beside_it_is_no_companion(copy: Path) -> None:
    checksums.beside(copy / "fields_netcdf4.nc").write_text("d41d8cd98f00b204e9800998ecf8427e  fields_netcdf4.nc\n")
    done = thalweg("verify", copy / "fields_netcdf4.nc")
    assert done.code == 0
    assert "none for 26 variables" in done.out


@pytest.mark.parametrize(
    ("written", "said_of_temp"),
    [
        (RECORDS + 1, f"has {RECORDS} of the {RECORDS + 1} records that were written"),
        (RECORDS - 1, f"has {RECORDS} records, of which {RECORDS - 1} were written by Thalweg"),
    ],
    ids=["lost", "added"],
)
def test_records_that_were_lost_or_added_are_found(copy: Path, written: int, said_of_temp: str) -> None:
    path = checksums.beside(copy / "fields_zarr.zarr")
    said = json.loads(path.read_text())
    for one in said["variables"]:
        if "records" in one:
            one["records"] = [*one["records"], "0" * 16][:written]
    said["records"] = written
    path.write_text(json.dumps(said))
    done = thalweg("verify", copy / "fields_zarr.zarr")
    assert done.code == 1
    assert f"variable 'temp' {said_of_temp}" in done.out


def test_a_companion_with_too_few_sums_is_damaged(copy: Path) -> None:
    path = checksums.beside(copy / "fields_zarr.zarr")
    said = json.loads(path.read_text())
    next(one for one in said["variables"] if "records" in one)["records"].pop()
    path.write_text(json.dumps(said))
    done = thalweg("verify", copy / "fields_zarr.zarr")
    assert done.code == 1
    assert "cannot be understood" in done.out


@pytest.mark.parametrize("where", [10_000, -1])
def test_a_damaged_fortran_file_is_one_clear_line_or_a_finding(copy: Path, where: int) -> None:
    path = copy / "fields_fortran.nc"
    data = bytearray(path.read_bytes())
    if where < 0:
        path.write_bytes(data[:-5])
        done = thalweg("verify", path)
        assert (done.code, done.out) == (3, "")
        assert "by its companion" in done.err
        return
    data[:4] = b"\0\0\0\0"
    path.write_bytes(data)
    done = thalweg("verify", path)
    assert done.code == 1
    assert "the marker at byte 0 is not" in done.out


def test_other_readers_of_a_store_find_nothing_strange(run: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", zarr.errors.UnstableSpecificationWarning)  # of characters
        group = zarr.open_group(run / "fields_zarr.zarr", mode="r", use_consolidated=False)
        assert len(list(group.array_keys())) == 26
