# ctest: SHORT LABELS mpi TIMEOUT 180
"""The calls of netCDF (thalweg_netcdf.h): what they refuse, and what becomes of the other files then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import mpi, python

LIBRARY = mpi.BUILD / "lib" / "libthalweg.so"
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "thread": (2, {"writers": "thread"}),
    "two_nodes": (2, {"writers": "thread", "emulate-nodes": [1, 1]}),
}

NO_TYPE = "which is none of NC_BYTE (nf90_byte, 1) to NC_UINT64 (nf90_uint64, 11) of netCDF"
WRONG = (
    f"nc_def_var: 1: type is 0, {NO_TYPE}",
    f"nc_def_var: 1: type is 12, {NO_TYPE}",
    f"nc_put_att: 1: type is 12, {NO_TYPE}",
    f"nc_put_vara: 1: type is -1, {NO_TYPE}",
    "nc_def_dim: 4: dimension 'wrong' has -1 elements; give at least 1, or 0 (NC_UNLIMITED, nf90_unlimited)",
)


def run(folder: Path, case: str, way: str, configuration: dict[str, Any] | None = None) -> list[str]:
    """What the first rank was told, without what is the same on the other one."""
    ranks, settings = WAYS[way]
    chosen = {"deadline": "20 s"} | settings | (configuration or {})
    told = python.run("netcdf_calls.py", ranks, folder, chosen, LIBRARY, case)
    return [line for line in told.splitlines() if line.startswith("rank ")]


def of_rank(told: list[str], rank: int) -> list[str]:
    return [line.split(": ", 1)[1] for line in told if line.startswith(f"rank {rank}: ")]


def value(path: Path, name: str = "temp") -> float:
    """That a variable has in all of its cells."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        values = np.unique(file[name][...])
    assert values.size == 1, f"{path.name}: {values}"
    return float(values[0])


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_cannot_be_harms_no_other(tmp_path: Path, way: str) -> None:
    with netCDF4.Dataset(tmp_path / "twice_1.nc", "w") as file:
        file.createDimension("precious", 3)
    told = of_rank(run(tmp_path, "failed", way), 0)
    assert [line.split(":")[0] for line in told] == ["nc_close", "nc_close", "nc_close", "finish"]
    assert "x,x) must have dimension 'x' of the decomposition once" in told[0]
    assert "variable 'v' has type int64, but cdf1 holds" in told[1]
    assert "is closed" in told[2]
    assert "variable 'v' has type int64" in told[3]
    for number, name in enumerate(("ok_1", "good_1", "ok_2")):
        assert value(tmp_path / f"{name}.nc") == number + 1
    with netCDF4.Dataset(tmp_path / "twice_1.nc") as file:
        assert list(file.dimensions) == ["precious"]
    assert not (tmp_path / "int64_1.nc").exists()


@pytest.mark.parametrize("way", WAYS)
def test_wholes_with_other_values_are_named(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    done = python.start("netcdf_calls.py", ranks, tmp_path, settings, LIBRARY, "differing")
    assert done.returncode == 0 and done.stdout == "", done.stdout
    warned = [line for line in done.stderr.splitlines() if "different values" in line]
    assert [line.split("variable ")[1].split(":")[0] for line in warned] == ["'of_rank'", "'ends'"]
    assert all("file 'differing_1.nc'" in line and "ranks 0 and 1" in line for line in warned)
    assert value(tmp_path / "differing_1.nc", "scalar") == 5


@pytest.mark.parametrize("way", WAYS)
def test_wholes_that_differ_later_are_the_lowest_ranks(tmp_path: Path, way: str) -> None:
    assert not run(tmp_path, "masters", way)
    for name in ("one", "two", "three"):
        assert value(tmp_path / f"{name}_1.nc", f"{name}_temp") == 5
        assert value(tmp_path / f"{name}_1.nc", "seconds") == 5


@pytest.mark.parametrize("way", WAYS)
def test_a_record_of_one_rank_alone_is_closed_by_the_sync_of_all(tmp_path: Path, way: str) -> None:
    assert not run(tmp_path, "sometimes", way)
    with netCDF4.Dataset(tmp_path / "sometimes_1.nc") as file:
        rows = np.ma.filled(file["temp"][:, :, 0], np.nan)
    nan = np.nan
    np.testing.assert_array_equal(rows, [[1, 1], [nan, 2], [3, nan], [nan, 4]])


@pytest.mark.parametrize("way", WAYS)
def test_files_follow_each_other_where_they_are_alike(tmp_path: Path, way: str) -> None:
    with netCDF4.Dataset(tmp_path / "his_2.nc", "w") as file:
        file.createDimension("precious", 3)
    told = of_rank(run(tmp_path, "follow", way, {"report": "table"}), 0)
    assert [line.split(": ")[:2] for line in told] == [["nc_create", "-35"]] * 2
    assert all("'his_2.nc' is there, and NC_NOCLOBBER (nf90_noclobber) in the mode keeps it" in line for line in told)
    assert value(tmp_path / "none_2.nc") == 2
    with netCDF4.Dataset(tmp_path / "his_2.nc") as file:
        assert list(file.dimensions) == ["precious"]
    for number in (1, 3, *range(4, 13)):
        assert value(tmp_path / f"his_{number}.nc") == number
    with netCDF4.Dataset(tmp_path / "his_3.nc") as file:
        assert file.data_model == "NETCDF4"
    with netCDF4.Dataset(tmp_path / "his_4.nc") as file:
        assert len(file.note) == 20000


def test_arguments_are_taken_as_netcdf_takes_them(tmp_path: Path) -> None:
    told = run(tmp_path, "odd", "thread")
    first = of_rank(told, 0)
    assert [line.split(":")[0] for line in first] == ["nc_put_vara", "nc_put_vara", "nc_sync", "nc_close", "finish"]
    assert "-1 cannot be held by the variable's type uint8" in first[0]
    assert "is not within the variable's extents (-1, 2, 4)" in first[1]
    assert "variable 'time': one rank has put all of it, and the others nothing" in first[2]
    assert "variable 'time': one rank has put all of it, and the others nothing" in first[4]
    assert not (tmp_path / "odd_1.nc").exists()


def test_types_have_the_numbers_of_netcdf(tmp_path: Path) -> None:
    for line, name in zip(told := of_rank(run(tmp_path, "types", "thread"), 0), WRONG, strict=True):
        assert line.startswith(name), told
    with netCDF4.Dataset(tmp_path / "types_1.nc") as file:
        file.set_auto_mask(False)
        file.set_auto_chartostring(False)
        kinds = [file[f"of_{number}"].dtype.str.lstrip("<|") for number in range(1, 12)]
        assert kinds == ["i1", "S1", "i2", "i4", "f4", "f8", "u1", "u2", "u4", "i8", "u8"]
        for number, kind in enumerate(kinds, 1):
            variable = file[f"of_{number}"]
            if kind == "S1":
                assert variable.value == "tex"
                assert variable[:].tobytes() == b"text"
                continue
            assert variable.value.dtype == variable.dtype
            np.testing.assert_array_equal(variable.value, [1, 2, 3])
            np.testing.assert_array_equal(variable[:], [1, 2, 3, 4])


@pytest.mark.parametrize("way", WAYS)
def test_an_error_of_one_rank_is_no_other_s(tmp_path: Path, way: str) -> None:
    told = run(tmp_path, "partly", way)
    assert of_rank(told, 0) == []
    assert ["put twice" in line for line in of_rank(told, 1)] == [True]
    assert value(tmp_path / "partly_1.nc", "second") == 3.0
    assert value(tmp_path / "partly_1.nc", "first") == 1.0


def test_a_variable_without_records_may_be_put_again(tmp_path: Path) -> None:
    told = run(tmp_path, "rewritten", "thread")
    for rank in range(2):
        (line,) = of_rank(told, rank)
        assert "variable 'steps': other values than those that are in the file since its first record" in line
    assert value(tmp_path / "again_1.nc", "mask") == 4.0
    assert value(tmp_path / "again_1.nc", "steps") == 3.0
    assert value(tmp_path / "one.nc", "state") == 2.0


def test_a_value_out_of_range_is_the_error_of_its_rank(tmp_path: Path) -> None:
    told = run(tmp_path, "ranges", "thread")
    assert of_rank(told, 0) == []
    assert ["300 cannot be held by the variable's type int8" in line for line in of_rank(told, 1)] == [True, True]
    for wrong in range(2):
        with netCDF4.Dataset(tmp_path / f"range{wrong}.nc") as file:
            file.set_auto_mask(False)
            expected = np.full((2, 2, 4), 7)
            expected[wrong, 1] = netCDF4.default_fillvals["i1"]
            np.testing.assert_array_equal(file["small"][:], expected)


def test_the_configuration_prevails_over_the_mode(tmp_path: Path) -> None:
    (tmp_path / "his_2.nc").write_bytes(b"")
    told = of_rank(run(tmp_path, "follow", "thread", {"collections": {"his": {"append": "new"}}}), 0)
    assert ["'his_2.nc' is there" in line for line in told] == [True], "the second one, of a file of this run"


@pytest.mark.parametrize("way", WAYS)
def test_settings_of_a_name_are_those_of_all_its_files(tmp_path: Path, way: str) -> None:
    told = of_rank(run(tmp_path, "again", way, {"collections": {"rst": {"format": "netcdf4"}}}), 0)
    assert "file 'rst_1.nc' was made by this run already" in told[0]
    assert "a control character is in its name" in told[1]
    for number in range(3):
        assert value(tmp_path / f"rst_{number}.nc", "state") == number
        with netCDF4.Dataset(tmp_path / f"rst_{number}.nc") as file:
            assert file.data_model == "NETCDF4"
            assert list(file.dimensions) == ["x", "y"]


@pytest.mark.parametrize("way", WAYS)
def test_values_without_records_change_from_file_to_file(tmp_path: Path, way: str) -> None:
    """Within one collection: there is no memory for others."""
    assert run(tmp_path, "moving", way, {"staging": "1 MiB"}) == []
    for number in range(40):
        path = tmp_path / f"moving_{number:04}.nc"
        assert value(path) == number
        assert value(path, "mask") == (3 if number == 4 else number)


@pytest.mark.parametrize("way", WAYS)
def test_files_without_an_unlimited_dimension_share_their_memory(tmp_path: Path, way: str) -> None:
    """Which has room for one collection alone."""
    assert run(tmp_path, "snapshots", way, {"staging": "1 MiB"}) == []
    for number in range(40):
        path = tmp_path / f"snap_{number:04}.nc"
        assert value(path, "state") == value(path, "record") == number
        with netCDF4.Dataset(path) as file:
            assert list(file.dimensions) == ["x", "y"]
            assert file.note == f"file {number:03}"


@pytest.mark.parametrize("way", WAYS)
def test_one_rank_may_put_records_that_all_ranks_sync(tmp_path: Path, way: str) -> None:
    assert not run(tmp_path, "alone", way)
    for number in range(2):
        assert value(tmp_path / f"alone_{number}.nc") == number + 1
        with netCDF4.Dataset(tmp_path / f"alone_{number}.nc") as file:
            assert file["temp"].shape == (3, 2, 4)


@pytest.mark.parametrize("way", WAYS)
def test_records_that_some_ranks_put_and_nobody_syncs_are_an_error_of_all(tmp_path: Path, way: str) -> None:
    told = run(tmp_path, "unsynced", way)
    alone = "rank 1 has put values of the record of 'unsynced.nc' that is open, and rank 0 has put none: every rank"
    for rank, calls in enumerate((["nc_close"], ["nc_put_vara", "nc_close"])):
        errors = of_rank(told, rank)
        assert [line.split(":")[0] for line in errors] == [*calls, "nc_sync", "nc_close", "finish"]
        assert all(
            ": 6: calls and definitions of netCDF for 'unsynced.nc' differ" in line for line in errors[: len(calls)]
        )
        assert all("variable 'time': one rank has put all of it" in line for line in errors[len(calls) : -1])
        assert "finish: 6: calls and definitions of netCDF for 'unsynced.nc' differ" in errors[-1]
    assert any(line.startswith(alone) for line in told), told
    assert not (tmp_path / "unsynced.nc").exists()
    assert not (tmp_path / "scalar.nc").exists()


@pytest.mark.parametrize("way", WAYS)
def test_ranks_in_calls_that_wait_for_each_other_are_told_with_their_calls(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    told = python.run("netcdf_calls.py", ranks, tmp_path, settings | {"deadline": "2 s"}, LIBRARY, "apart")
    sync = "in nf90_sync (thalweg_nc_sync) of 'apart.nc'"
    if way == "thread":
        assert f"rank 0: {sync}, waiting for the other ranks" in told, told
        assert "rank 1: in thalweg_wait, waiting for the other ranks" in told, told
    else:
        assert f"rank 0 waited {sync} for longest" in told or "rank 1 waited in thalweg_wait for longest" in told, told
    assert "computing" not in told.replace("was computing or stopped", "").replace("it computes", ""), told


@pytest.mark.parametrize("way", WAYS)
def test_a_rank_that_is_late_for_a_call_hears_in_which_one_the_others_gave_up(tmp_path: Path, way: str) -> None:
    told = run(tmp_path, "late", way, {"deadline": "2 s"})
    gave_up = "nc_sync: 9: rank 0 gave up in nf90_sync (thalweg_nc_sync) of 'late.nc' after 2.0 s"
    for rank in range(2):
        assert of_rank(told, rank)[0].startswith(gave_up), told


@pytest.mark.parametrize(
    ("case", "call"),
    [
        ("left", "in thalweg_finish (without nf90_close) of 'left.nc'"),
        ("closed_alone", "in nf90_sync (thalweg_nc_sync) of 'mine_1.nc'"),
    ],
)
def test_a_file_of_one_rank_alone_is_told_on_all(tmp_path: Path, case: str, call: str) -> None:
    ranks, settings = WAYS["thread"]
    told = python.run("netcdf_calls.py", ranks, tmp_path, settings | {"deadline": "2 s"}, LIBRARY, case)
    for rank in range(ranks):
        assert f"rank {rank}: finish: 9: rank " in told
    assert f"  rank 0: {call}, waiting for the other ranks" in told
    written = {path.name for path in tmp_path.glob("*.nc*")}
    assert written == ({"before_1.nc", "before_1.nc.checksums"} if case == "closed_alone" else set())


def test_a_node_that_is_silent_is_told_as_silent(tmp_path: Path) -> None:
    """What call its ranks were in when it was last heard of is not said."""
    ranks, settings = WAYS["two_nodes"]
    told = python.run("netcdf_calls.py", ranks, tmp_path, settings | {"deadline": "2 s"}, LIBRARY, "late")
    of_first = told[told.index("rank 0: nc_sync: 9") :].split("\nrank ")[0]
    assert "  node of rank 1: nothing was heard of it" in of_first, told
    assert "thalweg_ready" not in of_first, told


@pytest.mark.parametrize("way", WAYS)
def test_ranks_with_different_records_hear_of_it_in_the_call_and_keep_what_is_closed(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    told = python.run("netcdf_calls.py", ranks, tmp_path, settings | {"deadline": "20 s"}, LIBRARY, "fewer")
    assert "  rank 1 has: a call that closes the file 'fewer.nc'" in told, told
    assert "  rank 0 has: a call that closes record 2 of 'fewer.nc'" in told, told
    errors = [line for line in told.splitlines() if ": 6: calls and definitions of netCDF for 'fewer.nc'" in line]
    calls = {rank: [line.split(":")[0] for line in of_rank(errors, rank)] for rank in range(ranks)}
    assert calls == {0: ["nc_sync", "nc_close", "finish"], 1: ["nc_close", "finish"]}, told
    with netCDF4.Dataset(tmp_path / "fewer.nc") as file:
        assert file["temp"].shape[0] == 2


def test_a_name_that_storage_does_not_take_is_refused_when_the_file_is_made(tmp_path: Path) -> None:
    (tmp_path / "folder.nc").mkdir()
    told = run(tmp_path, "nowhere", "thread")
    for rank in range(2):
        missing, folder, long = of_rank(told, rank)
        assert "there is no folder" in missing and "make it, or give nf90_create another path" in missing
        assert "is a folder; give nf90_create another name" in folder
        assert "its name is too long" in long
    assert value(tmp_path / "f_1.nc") == 1.0


@pytest.mark.parametrize("keys", [{"new-file": "1 d"}, {"cycle": 2}, {"record-dimension": "none"}])
def test_defaults_of_other_collections_stop_none_of_the_calls(tmp_path: Path, keys: dict[str, Any]) -> None:
    same = {"format": "cdf5", "new-file": "never", "cycle": "none"}
    collections = {"f": same if "record-dimension" not in keys else {"format": "cdf5"}, "g": {"format": "cdf5"}}
    told = run(tmp_path, "opened", "thread", {"time-step": "1 h", "defaults": keys, "collections": collections})
    for rank in range(2):
        (line,) = of_rank(told, rank)
        assert line.startswith("open_collection: "), "that collection is the program's own"
    assert value(tmp_path / "f_1.nc") == 1.0
    with netCDF4.Dataset(tmp_path / "f_1.nc") as file:
        assert file.data_model == "NETCDF3_64BIT_DATA"


def test_a_key_that_the_calls_say_is_refused_by_the_first_of_them(tmp_path: Path) -> None:
    told = run(tmp_path, "created", "thread", {"time-step": "1 h", "collections": {"f": {"every": "6 h"}}})
    for rank in range(2):
        (line,) = of_rank(told, rank)
        assert line.startswith("nc_create: ")
        assert "every: collection 'f' is written by netCDF's calls" in line
