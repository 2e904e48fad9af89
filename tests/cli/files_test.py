# ctest: SHORT LABELS cli mpi TIMEOUT 120
"""thalweg verify, recover and combine with what Thalweg itself writes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import netCDF4
import pytest
from support import checksums, mpi
from support import file_sets as sets
from support.checksums import without_companions
from support.command import bad_inputs, refused, thalweg, use_programs, without_root
from support.locks import owned
from thalweg import programs
from thalweg.cli import verify_virtual
from thalweg.data import virtual

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

CONFIGURATION = """
report: none
collections:
  fields_netcdf4: {format: netcdf4}
  fields_zstd: {format: netcdf4, compression: {codec: zstd, checksum: true}}
  fields_cdf5: {format: cdf5}
  fields_zarr: {format: zarr}
  fields_shards: {format: zarr, sharding: true, compression: zstd, chunks: {y: 16, x: 16}, layout: [2, 2]}
  fields_master: {format: netcdf4, pattern: per-domain, layout: [2, 2]}
  fields_set: {format: cdf5, pattern: per-rank}
"""
WRITTEN = {
    "zstd": "fields_zstd.nc",
    "cdf5": "fields_cdf5.nc",
    "zarr": "fields_zarr.zarr",
    "shards": "fields_shards.zarr",
    "virtual master": "fields_master.nc",
    "set": "fields_set.nc",
}
GROWING = ("fields_netcdf4.nc", "fields_cdf5.nc", "fields_zarr.zarr")
RECORDS = 3


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run, which has copies of its growing files after each step."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "thalweg.yaml").write_text(CONFIGURATION)
    names = ",".join(line.split(":")[0].strip() for line in CONFIGURATION.splitlines() if line.startswith("  "))
    words = (f"collections={names}", f"snapshot={','.join(GROWING)}", f"records={RECORDS}", "shape=31,43")
    mpi.run("conform", 4, folder, "thalweg.yaml", *words)
    return folder


@pytest.fixture
def killed(run: Path, tmp_path: Path) -> Path:
    """A folder with what a run leaves that is killed after its second record."""
    for name in GROWING:
        source, target = run / f"{name}.step2", tmp_path / f"{name}.partial"
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    return tmp_path


@pytest.mark.parametrize("name", WRITTEN.values(), ids=WRITTEN)
def test_all_formats_hold_the_same(run: Path, name: str) -> None:
    done = thalweg("verify", run / "fields_netcdf4.nc", run / name)
    assert (done.code, done.err) == (0, "")
    assert "equal: " in done.out


@pytest.mark.parametrize("name", ["fields_netcdf4.nc", *WRITTEN.values()])
def test_what_was_written_is_whole(run: Path, name: str) -> None:
    done = thalweg("verify", "--json", run / name)
    assert (done.code, done.json["whole"]) == (0, True)
    assert done.json["dimensions"]["time"] == RECORDS
    assert all(not read["fault"] for read in done.json["variables"])


@pytest.mark.parametrize(("name", "checksum"), [("fields_zstd.nc", "Fletcher32"), ("fields_zarr.zarr", "crc32c")])
def test_checksums_of_chunks_are_told(run: Path, name: str, checksum: str) -> None:
    read = {one["variable"]: one["checksum"] for one in thalweg("verify", "--json", run / name).json["variables"]}
    assert (read["temp"], read["total"]) == (checksum, "")


def test_a_master_without_one_of_its_files_is_a_problem(run: Path, tmp_path: Path) -> None:
    for path in run.glob("fields_master.nc*"):
        shutil.copy(path, tmp_path)
    (tmp_path / "fields_master.nc.0001").unlink()
    done = thalweg("verify", tmp_path / "fields_master.nc")
    assert done.code == 1
    assert "1 of 4 files are missing (fields_master.nc.0001)" in done.out


def test_a_growing_file_is_compared_with_the_complete_one(run: Path, killed: Path) -> None:
    done = thalweg("verify", "--json", killed / "fields_cdf5.nc.partial", run / "fields_cdf5.nc")
    assert done.code == 1
    assert done.json["structure"] == [f"dimension 'time': 2 in A, {RECORDS} in B"]
    assert sum(found["different"] for found in done.json["variables"].values()) == 0


# ---- recover


def test_a_folder_of_growing_files_is_recovered(run: Path, killed: Path) -> None:
    done = thalweg("recover", killed)
    assert (done.code, done.err) == (0, "")
    assert sorted(path.name for path in killed.iterdir()) == sorted(GROWING)
    for name in GROWING:
        assert f"{killed / name}: 2 whole records" in done.out
        found = thalweg("verify", "--json", killed / name, run / name).json
        assert found["structure"] == [f"dimension 'time': 2 in A, {RECORDS} in B"]
        assert sum(values["different"] for values in found["variables"].values()) == 0


def test_a_dry_run_recovers_nothing(killed: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in killed.rglob("*")}
    done = thalweg("recover", "--dry-run", "--json", killed)
    assert done.code == 0
    assert [Path(line["target"]).name for line in done.json] == sorted(GROWING)
    assert {path: path.stat().st_mtime_ns for path in killed.rglob("*")} == before


@pytest.mark.parametrize("word", ["fields_cdf5.nc.partial", "fields_cdf5.nc", "*cdf5*"])
def test_a_file_is_named_in_many_ways(killed: Path, word: str) -> None:
    done = thalweg("recover", "--json", killed / word)
    assert done.code == 0
    assert done.json == [
        {"partial": str(killed / "fields_cdf5.nc.partial"), "target": str(killed / "fields_cdf5.nc"), "records": 2,
         "text": ""}
    ]  # fmt: skip


def test_a_name_that_exists_stays_and_the_others_are_recovered(killed: Path) -> None:
    (killed / "fields_cdf5.nc").write_text("mine")
    done = thalweg("recover", killed)
    assert done.code == 3
    assert "fields_cdf5.nc' exists already; move it away" in done.err
    assert (killed / "fields_cdf5.nc").read_text() == "mine"
    assert (killed / "fields_netcdf4.nc").exists()


def test_a_file_that_somebody_still_writes_is_left_to_him(killed: Path) -> None:
    with owned(killed / "fields_cdf5.nc"), owned(killed / "fields_zarr.zarr"):
        done = thalweg("recover", killed)
    assert done.code == 3
    said = f"'{killed / 'fields_cdf5.nc'}' is being written by another job"
    owner = "host ours, process 12, since 2026-01-01T00:00:00Z"
    assert f"{said}, or by another collection of this one ({owner})" in done.err
    assert sorted(path.name for path in killed.iterdir()) == [
        "fields_cdf5.nc.partial",
        "fields_netcdf4.nc",
        "fields_zarr.zarr.partial",
    ]
    assert thalweg("recover", killed).code == 0


def test_all_below_a_folder_are_recovered_but_stores_are_not_looked_into(killed: Path, tmp_path: Path) -> None:
    below = tmp_path / "run" / "deep"
    below.mkdir(parents=True)
    for name in GROWING:
        (killed / f"{name}.partial").rename(below / f"{name}.partial")
    (below / "fields_zarr.zarr.partial" / "temp" / "x.partial").write_text("unfinished object")
    nothing = thalweg("recover", tmp_path)
    assert (nothing.code, nothing.out) == (0, "")
    assert "nothing was left behind there; --all looks into its folders too" in nothing.err
    done = thalweg("recover", "--all", tmp_path)
    assert done.code == 0, done.err
    assert sorted(path.name for path in below.iterdir()) == ["fields_cdf5.nc", "fields_netcdf4.nc", "fields_zarr.zarr"]


def test_it_is_said_where_no_record_tells_what_was_written(tmp_path: Path) -> None:
    growing = tmp_path / "early.nc.partial"
    with netCDF4.Dataset(growing, "w", format="NETCDF3_64BIT_DATA") as file:
        file.createDimension("time", None)
        file.createDimension("y", 3)
        file.createVariable("mask", "i4", ("y",))
    done = thalweg("recover", growing)
    assert done.code == 0, done.err
    assert "early.nc: 0 whole records" in done.out
    assert "nothing says which of its values without records were written" in done.out


def test_what_is_recovered_has_no_checksums_of_an_earlier_file(run: Path, killed: Path) -> None:
    for name in GROWING:
        shutil.copy(checksums.beside(run / name), killed)
    assert thalweg("recover", killed).code == 0
    assert sorted(path.name for path in killed.iterdir()) == sorted(GROWING)


def test_a_combined_set_leaves_no_checksums(run: Path, tmp_path: Path) -> None:
    for path in run.glob("fields_set.nc.*"):
        shutil.copy(path, tmp_path)
    shutil.copy(checksums.beside(run / "fields_cdf5.nc"), tmp_path / "fields_set.nc.checksums")
    assert thalweg("combine", "--remove", tmp_path / "fields_set.nc").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["fields_set.nc"]


@pytest.mark.parametrize("word", ["fields_set.nc", "fields_set.nc.0000", "fields_set.nc.0001.partial"])
def test_files_of_a_set_are_recovered_and_joined(run: Path, tmp_path: Path, word: str) -> None:
    for path in without_companions(run.glob("fields_set.nc.*")):
        shutil.copy(path, tmp_path / f"{path.name}.partial")
    assert "still grow or were left by a killed run" in refused(3, "combine", tmp_path / "fields_set.nc")
    done = thalweg("recover", tmp_path / word)
    assert done.code == 0
    assert not list(tmp_path.glob("*.partial"))
    assert f"thalweg combine {tmp_path / 'fields_set.nc'}" in done.out
    assert thalweg("combine", tmp_path / "fields_set.nc").code == 0
    assert thalweg("verify", tmp_path / "fields_set.nc", run / "fields_cdf5.nc").code == 0


def test_without_h5py_a_master_s_checksums_are_not_said_to_be_none(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(path: Path) -> list[str]:
        raise ImportError

    monkeypatch.setattr(virtual, "files_shown", missing)
    monkeypatch.setattr(verify_virtual, "files_shown", missing)
    done = thalweg("verify", run / "fields_master.nc")
    assert done.code == 0, done.out
    assert "whether it is a virtual master cannot be seen" in done.out
    assert "of a master only its files have some" in done.out
    assert "would not be seen" not in done.out


def test_a_master_is_not_recovered_without_its_parts(run: Path, tmp_path: Path) -> None:
    for path in without_companions(run.glob("fields_master.nc*")):
        shutil.copy(path, tmp_path / f"{path.name}.partial")
    master = tmp_path / "fields_master.nc.partial"
    alone = subprocess.run([programs.required("thalweg-recover"), master], capture_output=True, text=True, check=False)
    assert alone.returncode == 1 and "parts are not recovered yet" in alone.stderr, alone.stderr
    done = thalweg("recover", "--json", tmp_path / "fields_master.nc")
    assert done.code == 0, done.err
    assert [line["records"] for line in done.json] == 5 * [RECORDS]
    assert thalweg("verify", tmp_path / "fields_master.nc", run / "fields_cdf5.nc").code == 0


def test_a_set_that_somebody_writes_again_is_left_to_him(run: Path, tmp_path: Path) -> None:
    for path in without_companions(run.glob("fields_set.nc.*")):
        shutil.copy(path, tmp_path / path.name)
        shutil.copy(path, tmp_path / f"{path.name}.partial")
    with owned(tmp_path / "fields_set.nc.0001"):
        done = thalweg("recover", tmp_path)
    assert done.code == 3
    assert "a run writes the set" in done.err and "host ours, process 12" in done.err


@pytest.mark.parametrize("options", [(), ("--all",), ("--json",), ("--dry-run", "--json"), ("--dry-run",)])
def test_a_folder_in_which_nothing_was_left_is_all_right(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "complete.nc").write_text("")
    done = thalweg("recover", *options, tmp_path)
    assert done.code == 0
    assert "nothing was left behind there" in done.err
    assert str(tmp_path) in done.err
    assert done.out == ("[]\n" if "--json" in options else "")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("text.nc.partial", "is neither a netCDF classic"),
        ("empty.nc.partial", "it has 0 bytes"),
        ("missing.nc.partial", "does not exist"),
        ("missing.nc", "exists"),
        ("text.nc", "is complete"),
        ("no*such", "no '.partial' file matches"),
    ],
)
def test_what_cannot_be_recovered_is_one_clear_line(tmp_path: Path, name: str, part: str) -> None:
    for path in bad_inputs(tmp_path).values():
        if path.is_file() and name.endswith(".partial"):
            path.rename(f"{path}.partial")
    text = refused(3, "recover", tmp_path / name)
    assert part in text
    assert str(tmp_path) in text


# ---- combine


@pytest.mark.parametrize("format_name", ["cdf1", "cdf5", "netcdf4"])
@pytest.mark.parametrize("word", ["a.nc", "a.nc.0003", "a.nc.*"])
def test_a_set_is_joined(tmp_path: Path, format_name: str, word: str) -> None:
    whole = sets.make_whole(format_name)
    sets.write_set(tmp_path / "a.nc", whole, format_name, sets.parts_of((1, 9), (7,)))
    plan = thalweg("combine", "--dry-run", "--json", tmp_path / word)
    assert not (tmp_path / "a.nc").exists()
    done = thalweg("combine", "--json", tmp_path / word)
    assert done.code == 0
    kind = "virtual master" if format_name == "netcdf4" else "copy"
    assert done.json == {"output": str(tmp_path / "a.nc"), "kind": kind, "files": 6, "records": 3, "notes": []}
    assert (plan.json["kind"], plan.json["output"], plan.json["files"]) == (kind, done.json["output"], 6)
    sets.check(sets.read(tmp_path / "a.nc"), whole)
    for words in ((), ("--dry-run",)):
        assert "exists already" in refused(3, "combine", *words, tmp_path / word)


def test_a_copy_gets_the_name_that_is_asked_for_and_the_set_is_removed(tmp_path: Path) -> None:
    whole = sets.make_whole("netcdf4")
    sets.write_set(tmp_path / "a.nc", whole, "netcdf4", sets.parts_of((4,), ()))
    done = thalweg("combine", "--copy", "--remove", "-o", tmp_path / "b.nc", tmp_path / "a.nc")
    assert done.code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["b.nc"]
    sets.check(sets.read(tmp_path / "b.nc"), whole)


def test_a_set_that_does_not_fit_together_is_one_clear_line(tmp_path: Path) -> None:
    files = sets.write_set(tmp_path / "a.nc", sets.make_whole("cdf5"), "cdf5", sets.parts_of((4,), ()))
    shutil.copy(files[0], files[1])
    text = refused(3, "combine", tmp_path / "a.nc")
    assert "a.nc.0000" in text
    assert not (tmp_path / "a.nc").exists()


@pytest.mark.parametrize("name", ["text.nc", "missing.nc", "folder"])
def test_what_is_no_set_is_one_clear_line(tmp_path: Path, name: str) -> None:
    bad_inputs(tmp_path)
    assert f"'{tmp_path / name}' is no set" in refused(3, "combine", tmp_path / name)


def test_a_foreign_file_in_a_set_is_one_clear_line(tmp_path: Path) -> None:
    sets.write_set(tmp_path / "a.nc", sets.make_whole("cdf5"), "cdf5", sets.parts_of((4,), ()))
    (tmp_path / "a.nc.0001").write_text("not a file of the set")
    assert "a.nc.0001" in refused(3, "combine", tmp_path / "a.nc")
    assert "a.nc.0001" in refused(3, "combine", "--dry-run", tmp_path / "a.nc")


def test_of_what_a_program_says_its_own_lines_count() -> None:
    from thalweg import programs

    noise = "[vm:1] mca_sharedfp_sm: cannot open\n"
    own = f"{noise}thalweg-combine: warning: 2 left out\nthalweg: 'a' is short: 3\n"
    assert programs.said(own, "thalweg-combine") == ["warning: 2 left out", "'a' is short: 3"]
    assert programs.said(noise, "thalweg-combine") == ["[vm:1] mca_sharedfp_sm: cannot open"]
    assert programs.remarks(noise, "thalweg-combine") == []


def test_a_program_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from thalweg import programs

    (tmp_path / "a.nc.partial").touch()
    monkeypatch.setattr(programs, "folders", list)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert "the program 'thalweg-recover' is not found" in refused(4, "recover", tmp_path / "a.nc.partial")


def test_a_folder_without_permission_is_one_clear_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("closed")
    for parent in [folder, *folder.parents][:3]:
        parent.chmod(0o755)
    (folder / "inner").mkdir(mode=0)
    with without_root():
        assert "Permission denied" in refused(3, "recover", folder / "inner")
        assert "Permission denied" in refused(3, "verify", folder / "inner" / "a.nc")
