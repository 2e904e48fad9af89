# ctest: SHORT TIMEOUT 60
"""Restarts that are only good together begin from the newest time of which all have a complete file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import netCDF4
import pytest
from support import python

HOUR_S = 3600.0
EACH = {"every": "1 h", "record-dimension": "none", "restart-set": "state"}
ICE: dict[str, Any] = EACH | {"file": "ice_%Y%m%d%H.nc"}
# How the ocean's restarts lie; those of the ice are a file for each hour, in each of the cases.
OCEANS: dict[str, dict[str, Any]] = {
    "a file for each hour": EACH | {"file": "ocean_%Y%m%d%H.nc"},
    "one file of all records": {"every": "1 h", "file": "ocean.nc", "format": "netcdf4", "restart-set": "state"},
    "two stores in turn": EACH | {"file": "ocean_%n.zarr", "format": "zarr", "cycle": 2},
}


def configured(ocean: dict[str, Any], **others: dict[str, Any]) -> dict[str, Any]:
    every = {"ocean": ocean, "ice": ICE} | others
    return {"time-step": "1 h", "collections": {name: one | {"append": "new"} for name, one in every.items()}}


def restored(
    folder: Path, ranks: int, settings: dict[str, Any], *record: int, how: str = "restore"
) -> tuple[dict[str, Any], str]:
    done = python.start("restart_sets.py", ranks, folder, settings, how, *record)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.parametrize("way", OCEANS)
def test_both_are_of_the_newest_time_that_both_have(tmp_path: Path, way: str) -> None:
    ocean = OCEANS[way]
    first = {"time-step": "1 h", "collections": {"ocean": ocean, "ice": ICE}}
    python.run("restart_sets.py", 2, tmp_path, first, "write", 3)
    found, said = restored(tmp_path, 3, configured(ocean))
    assert found == {"ocean": [3 * HOUR_S, True], "ice": [3 * HOUR_S, True]}, said
    ice = tmp_path / "ice_2000010103.nc"
    ice.rename(f"{ice}.partial")  # as a run leaves it that was killed before the ice was complete
    found, said = restored(tmp_path, 1, configured(ocean))
    assert found == {"ocean": [2 * HOUR_S, True], "ice": [2 * HOUR_S, True]}, said
    for part in ("2000-01-01 02:00:00, the newest time", "of 2000-01-01 03:00:00 there is nothing of 'ice'", ice.name):
        assert part in said, said
    alone = configured(ocean | {"restart-set": "none"})
    assert restored(tmp_path, 2, alone)[0]["ocean"] == [3 * HOUR_S, True]


def test_all_of_a_set_are_of_one_time_also_where_a_newer_one_comes_meanwhile(tmp_path: Path) -> None:
    settings = configured(OCEANS["a file for each hour"])
    python.run("restart_sets.py", 2, tmp_path, settings, "write", 3)
    ice = tmp_path / "ice_2000010103.nc"
    ice.rename(f"{ice}.partial")
    found, said = restored(tmp_path, 2, settings, how="late")
    first, then = [2 * HOUR_S, True], [3 * HOUR_S, True]
    assert found == {"ocean": first, "ice": first, "ocean again": then, "ice again": then}, said


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


def of_another_time(path: Path) -> None:
    shutil.copy(path.with_name("ice_2000010101.nc"), path)
    path.with_name(f"{path.name}.checksums").unlink()


@pytest.mark.parametrize("harm", [damaged, of_another_time, Path.unlink])
def test_a_file_that_is_not_what_its_name_says_is_none(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    ocean = OCEANS["a file for each hour"]
    python.run("restart_sets.py", 2, tmp_path, configured(ocean), "write", 2)
    harm(tmp_path / "ice_2000010102.nc")
    found, said = restored(tmp_path, 2, configured(ocean))
    assert found == {"ocean": [HOUR_S, True], "ice": [HOUR_S, True]}, said


def test_what_has_no_time_together_is_refused(tmp_path: Path) -> None:
    ocean = OCEANS["a file for each hour"]
    python.run("restart_sets.py", 2, tmp_path, configured(ocean), "write", 2)
    found, _ = restored(tmp_path, 2, configured(ocean), 0)
    assert all(code == "ARGUMENT" and "record 0" in text and "'state'" in text for code, text in found.values()), found
    land = {"file": "land_%Y%m%d%H.nc", "restart-set": "state"}  # which the program does not even open
    found, _ = restored(tmp_path, 2, configured(ocean, land=land))
    for code, text in found.values():
        assert code == "STORAGE" and "no time of which all collections of the restart set 'state'" in text, text
        assert "of 2000-01-01 02:00:00 there is nothing of 'land'" in text, text


def test_what_is_gathered_may_belong_to_a_set(tmp_path: Path) -> None:
    every = {
        "state": {"file": "state_%Y%m%d%H.nc", "every": "1 h", "record-dimension": "none", "restart-set": "all"},
        "checkpoint": {"restart-set": "all"},
        "mean": {"every": "6 h", "fields": [{"from": "t", "operation": "mean"}], "append": "continue"},
    }
    settings: dict[str, Any] = {"time-step": "1 h", "collections": every}
    assert float(python.run("checkpointed_restart.py", 2, tmp_path, settings, 3)) == 0.0
    every["state"]["append"] = "new"  # the third hour, of which there is no checkpoint, is computed again
    assert float(python.run("checkpointed_restart.py", 3, tmp_path, settings, 6)) == 2 * HOUR_S
    with netCDF4.Dataset(tmp_path / "mean.nc") as file:
        assert file["time"][:].tolist() == [3 * HOUR_S]
        assert (file["t"][:] == 3.5).all() and file["t"].shape == (1, 6, 3)
