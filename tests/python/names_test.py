# ctest: SHORT TIMEOUT 120
"""What a run does with the files that other runs have left under its names."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import python

FORMATS = ["netcdf4", "cdf5", "zarr"]


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    done = python.start("names.py", 1, tmp_path_factory.mktemp("names"), limit_s=90)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["case"]: line for line in lines} | {"said": {"text": done.stderr}}


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_run_that_goes_on_does_not_destroy_the_first_half(met: dict[str, dict[str, Any]], file_format: str) -> None:
    assert met[f"first {file_format}"]["error"] == ""
    continued = met[f"continued {file_format}"]
    assert "from before the start of this run (2000-01-01 03:00:00)" in continued["error"]
    assert "append: new" in continued["error"]
    assert continued["same"]


@pytest.mark.parametrize("file_format", FORMATS)
def test_what_is_said_to_be_replaced_is_and_so_is_a_run_that_is_made_again(
    met: dict[str, dict[str, Any]], file_format: str
) -> None:
    assert met[f"replaced {file_format}"] == {"case": f"replaced {file_format}", "error": "", "same": False}
    assert met[f"repeated {file_format}"] == {"case": f"repeated {file_format}", "error": "", "same": False}
    assert "replaces the complete one of that name" in met["said"]["text"]


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_run_without_a_record_leaves_a_complete_file(met: dict[str, dict[str, Any]], file_format: str) -> None:
    assert met[f"empty {file_format}"] == {"case": f"empty {file_format}", "error": "", "same": True}
    assert "this run had no record for" in met["said"]["text"]


def test_names_that_meet_at_run_time_are_refused(met: dict[str, dict[str, Any]]) -> None:
    error = met["two collections"]["error"]
    assert "o_2000.nc" in error
    assert "collection 'a'" in error or "another collection" in error


def test_relative_names_are_meant_from_where_the_run_started(met: dict[str, dict[str, Any]]) -> None:
    assert met["folder"] == {"case": "folder", "error": "", "there": True}


def test_a_profile_follows_no_link_and_replaces_nothing_but_profiles(met: dict[str, dict[str, Any]]) -> None:
    assert met["link"] == {"case": "link", "error": "", "replaced": True, "target": "{precious"}
    assert met["profile"]["same"]
    assert "is no profile, so it is not replaced" in met["said"]["text"]


def test_no_output_is_the_configuration_or_the_profile(met: dict[str, dict[str, Any]]) -> None:
    assert "'p.nc' is the file of 'profile'" in met["own"]["error"]
    assert "'run.yaml' is the configuration itself" in met["configuration"]["error"]


def test_nothing_is_left_but_files_and_their_companions(met: dict[str, dict[str, Any]]) -> None:
    given_up = [name for name in met["left"]["files"] if name.startswith("o_2000")]  # by a session that met an error
    for name in set(met["left"]["files"]) - set(given_up):
        assert not name.endswith((".partial", ".journal", ".lock")), met["left"]["files"]
