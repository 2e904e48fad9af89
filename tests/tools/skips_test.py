# ctest: SHORT TIMEOUT 30
"""A test that is skipped fails in continuous integration, unless the list has it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.skips import LIST, entries

TESTS = Path(__file__).resolve().parents[1]
SKIPPED = {
    "one_test.py": "import pytest\n\ndef test_one():\n    pytest.skip('no disk can be mounted')\n",
    "whole_test.py": "import pytest\n\npytest.importorskip('thalweg_has_no_such_module')\n\ndef test_it():\n    pass\n",
    "marked_test.py": "import pytest\n\n@pytest.mark.skipif(True, reason='no network')\ndef test_it():\n    pass\n",
}


def run(folder: Path, name: str, listed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    (folder / name).write_text(SKIPPED[name])
    (folder / "skips.txt").write_text(listed)
    outside = {key: value for key, value in os.environ.items() if key != "CI"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:zarr", "--rootdir", folder, name],
        cwd=folder,
        env=outside | {"PYTHONPATH": str(TESTS), "THALWEG_TEST_SKIPS": str(folder / "skips.txt")} | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("name", SKIPPED)
def test_a_skip_fails_where_it_is_not_listed(tmp_path: Path, name: str) -> None:
    done = run(tmp_path, name, "other_test.py | no | a reason\n", CI="true")
    assert done.returncode != 0, done.stdout
    assert "does not allow" in done.stdout


@pytest.mark.parametrize(("listed", "variables"), [("one_test.py | be mounted | a reason\n", {"CI": "true"}), ("", {})])
def test_a_skip_is_one_where_it_is_listed_and_where_no_integration_is(
    tmp_path: Path, listed: str, variables: dict[str, str]
) -> None:
    done = run(tmp_path, "one_test.py", listed, **variables)
    assert done.returncode == 0, done.stdout
    assert "1 skipped" in done.stdout


def test_the_list_names_what_there_is() -> None:
    for place, _ in entries(LIST):
        assert not place.startswith("tests/") or (TESTS.parent / place).exists(), place
