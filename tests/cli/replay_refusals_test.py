# ctest: LABELS cli mpi TIMEOUT 200
"""thalweg replay and convert: what a file cannot give, and what is wrong with a call, is said in a line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi
from support.checksums import with_companions
from support.command import bad_inputs, refused, thalweg, use_programs, without_root
from support.small_files import write_one

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


@pytest.fixture
def field(tmp_path: Path) -> Path:
    return write_one(tmp_path / "field.nc", np.arange(15 * 20, dtype="f8").reshape(15, 20), units="m")


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A field and what Thalweg cannot hold beside it."""
    with netCDF4.Dataset(tmp_path / "letters.nc", "w") as file:
        for name, size in (("y", 12), ("x", 10), ("n", 3), ("none", 0)):
            file.createDimension(name, size) if size else file.createDimension(name, None)
        file.createVariable("a", "f4", ("y", "x"))[...] = np.ones((12, 10))
        file.createVariable("name", "S1", ("n",))[...] = np.array(list("abc"), "S1")
        file["a"].setncattr_string("words", ["one", "two"])
        file["a"].empty = np.array([], "i4")
        file["a"].setncattr("units", b"\xb0C")
        clouds = file.createEnumType("u1", "cloud_t", {"clear": 0, "stratus": 1})
        file.createVariable("cloud", clouds, ("n",), fill_value=None)[...] = [1, 0, 1]
    return tmp_path / "letters.nc"


@pytest.mark.parametrize("words", [("replay",), ("convert", "--force")])
def test_what_is_no_file_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    target = (tmp_path / "out.nc",) if words[0] == "convert" else ()
    for name, path in bad_inputs(tmp_path).items():
        assert name in refused(3, words[0], path, *target, *words[1:])
    assert not (tmp_path / "out.nc").exists()


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
def test_a_file_that_was_cut_short_is_refused(tmp_path: Path, format_name: str) -> None:
    path = write_one(tmp_path / "a.nc", np.ones((100, 100)), format_name)
    os.truncate(path, path.stat().st_size - 5000)
    assert "cut short" in refused(3, "replay", path)
    assert "cut short" in refused(3, "convert", path, tmp_path / "b.nc")


def test_a_dimension_that_comes_twice_is_not_cut(tmp_path: Path) -> None:
    """But where files hold sections of it: there it is refused by name."""
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        for name, size in (("y", 12), ("x", 30)):
            file.createDimension(name, size)
        file.createVariable("covariance", "f8", ("x", "x"))[...] = np.arange(900.0).reshape(30, 30)
        file.createVariable("a", "f4", ("y", "x"))[...] = np.ones((12, 30))
    done = thalweg("convert", "-n", 2, tmp_path / "a.nc", tmp_path / "b.zarr")
    assert "all 1260 values of 2 variables and all attributes are equal" in done.out, done
    said = refused(3, "convert", "-n", 2, "--pattern", "per-rank", tmp_path / "a.nc", tmp_path / "c.nc")
    assert "variable 'covariance': it has the dimension 'x' twice" in said
    assert not (tmp_path / "c.nc").exists()


def test_a_file_that_may_not_be_read_is_refused(field: Path) -> None:
    field.chmod(0)
    with without_root():
        refused(3, "replay", field)


def test_more_ranks_than_points_are_refused(tmp_path: Path) -> None:
    path = write_one(tmp_path / "a.nc", np.ones((3, 5)))
    assert "16 ranks are more than the 15 points" in refused(2, "replay", "-n", 16, path)
    assert thalweg("replay", "--no-classic", "-n", 15, path).code == 0


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("--format", "cdf6"), 2, "'cdf6' is none that can be compared"),
        (("--set", "staging"), 2, "write KEY=VALUE"),
        (("--set", "stagin=1 GiB"), 2, "unknown key 'stagin'; did you mean 'staging'?"),
        (("--set", "collections=1"), 2, "keys below it have values already"),
        (("--set", "collections.replay.format.x=1"), 2, "has a value already"),
        (("--compression", "zst"), 2, "'zst' is none of none, zstd, deflate"),
        (("--cut", "lat"), 3, "has no dimension 'lat' to cut; it has d0, d1"),
        (("--record-dim", "d1"), 3, "'d1' is not the first dimension"),
        (("--record-dim", "t"), 3, "has no dimension 't'"),
        (("--keep", "/dev/null/kept"), 3, "no folder can be made there: Not a directory"),
        (("--memory", "much"), 2, "'much' is no size"),
    ],
)
def test_wrong_options_are_refused(field: Path, words: tuple[str, ...], code: int, text: str) -> None:
    assert text in refused(code, "replay", "-n", 2, *words, field)


def test_a_full_disk_is_said(field: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", str(mpi.BUILD / "lib" / "libslow_pwrite.so"))
    monkeypatch.setenv("THALWEG_TEST_PWRITE_ERRNO", str(errno.ENOSPC))
    assert "No space left on device" in refused(4, "replay", "-n", 2, field)
    assert "No space left on device" in refused(4, "convert", field, tmp_path / "b.nc")
    assert not (tmp_path / "b.nc").exists()


def test_the_time_limit_is_kept(field: Path) -> None:
    words = ("--record-dim", "d0", "--step-time", 30, "--limit", 2)
    assert "not written within 2 s; --limit allows more" in refused(4, "replay", "-n", 2, *words, field)


def test_what_cannot_be_held_is_named_and_left_out(letters: Path, tmp_path: Path) -> None:
    done = thalweg("replay", "--json", "-n", 2, letters)
    assert done.code == 1
    (found,) = done.json
    assert found["left_out"] == {
        "cloud": "the enumeration 'cloud_t': Thalweg has no such types",
        "a:units": "its text is no UTF-8, which Thalweg's texts are",
        "a:words": "a list of strings: Thalweg's attributes are one text, or numbers",
    }
    assert found["comparison"]["equal"]
    assert found["comparison"]["variables"]["a"]["compared"] == 120
    assert thalweg("replay", "--skip", "-n", 2, letters).code == 0
    text = refused(3, "convert", letters, tmp_path / "b.nc")
    assert "variable 'cloud' (the enumeration 'cloud_t': Thalweg has no such types)" in text
    assert thalweg("convert", "--skip", letters, tmp_path / "b.nc").code == 0
    with netCDF4.Dataset(tmp_path / "b.nc") as made:
        assert list(made.variables) == ["a", "name"]


def test_a_file_of_which_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createVariable("cloud", file.createEnumType("u1", "cloud_t", {"clear": 0}), (), fill_value=None)
    assert "no variable that can be written: variable 'cloud' (the enumeration" in refused(3, "replay", path)


def test_one_bad_file_does_not_keep_the_others_from_being_played(field: Path, tmp_path: Path) -> None:
    done = thalweg("replay", "--json", "-n", 2, tmp_path / "missing.nc", field)
    assert done.code == 3
    assert "missing.nc' does not exist" in done.err
    assert [found["comparison"]["equal"] for found in done.json] == [True]


def test_a_file_that_exists_is_replaced_only_by_force(field: Path, tmp_path: Path) -> None:
    other = write_one(tmp_path / "other.nc", np.zeros(4))
    before = other.read_bytes()
    assert "exists; --force replaces it" in refused(3, "convert", field, other)
    assert other.read_bytes() == before
    assert thalweg("convert", "--force", field, other).code == 0
    assert thalweg("verify", "--variables", "a", field, other).code == 0
    assert [path.name for path in tmp_path.glob(".thalweg*")] == []


@pytest.mark.parametrize("command", ["convert", "replay"])
def test_not_even_force_replaces_what_is_no_output(field: Path, tmp_path: Path, command: str) -> None:
    def name_of(suffix: str) -> Path:
        return tmp_path / f"field-{'zarr.zarr' if suffix == '.zarr' else 'netcdf4.nc'}"

    def words(target: Path) -> tuple[object, ...]:
        if command == "convert":
            return ("convert", "--force", field, target)
        format_name = "zarr" if target.suffix == ".zarr" else "netcdf4"
        return ("replay", "-n", 1, "--no-classic", "--force", "--format", format_name, "--keep", tmp_path, field)

    folder, store = name_of(".nc"), name_of(".zarr")
    folder.mkdir()
    (folder / "precious").write_text("x")
    assert "is a folder and no Zarr store, so it is not replaced" in refused(3, *words(folder))
    assert (folder / "precious").read_text() == "x"
    store.mkdir()
    (store / "zarr.json").write_text("{}")
    (store / "notes.txt").write_text("y")
    assert "something in it that is no part of a Zarr store" in refused(3, *words(store))
    assert (store / "notes.txt").read_text() == "y"


def test_what_is_kept_replaces_only_by_force(field: Path, tmp_path: Path) -> None:
    kept = tmp_path / "field-cdf5.nc"
    kept.write_text("precious")
    words = ("replay", "-n", 1, "--no-classic", "--format", "cdf5", "--keep", tmp_path)
    assert "exists; --force replaces it" in refused(3, *words, field)
    assert kept.read_text() == "precious"
    assert thalweg(*words, "--force", field).code == 0
    assert thalweg("verify", "--variables", "a", field, kept).code == 0


def test_a_store_is_replaced_by_a_store(field: Path, tmp_path: Path) -> None:
    store = tmp_path / "one.zarr"
    for _ in range(2):
        assert thalweg("convert", "--force", field, store).code == 0
    assert thalweg("verify", "--variables", "a", field, store).code == 0
    assert [path.name for path in tmp_path.glob(".thalweg*")] == []


def test_a_store_is_replaced_whatever_its_variables_are_called(tmp_path: Path) -> None:
    """Chunks of Zarr have names such as 'c' and '100' themselves; the only chunk of a scalar is a file 'c'."""
    mixed, store = tmp_path / "mixed.nc", tmp_path / "mixed.zarr"
    with netCDF4.Dataset(mixed, "w") as file:
        file.createDimension("x", 3)
        for name in ("c", "100", "field"):
            file.createVariable(name, "f8", ("x",))[:] = [1, 2, 3]
        file.createVariable("scalar", "i4", ())[...] = 7
    for _ in range(2):
        assert thalweg("convert", "--force", mixed, store).code == 0
    assert thalweg("verify", mixed, store).code == 0
    for foreign in ("1", "scalar/d", "field/c/notes", "c/c/c"):
        (store / foreign).write_text("precious")
        assert f"no part of a Zarr store: '{store / foreign}'" in refused(3, "convert", "--force", mixed, store)
        (store / foreign).unlink()


def test_what_is_kept_is_what_was_compared(field: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "here"
    words = ("--format", "netcdf4,zarr", "--pattern", "auto", "--keep", kept)
    assert thalweg("replay", "-n", 2, *words, field).code == 0
    made = with_companions(("field-netcdf4.nc", "field-zarr.zarr"))
    assert {path.name for path in kept.iterdir()} == made
    assert "as written" in thalweg("verify", kept / "field-netcdf4.nc").out
    assert thalweg("verify", "--variables", "a", field, kept / "field-zarr.zarr").code == 0
