"""The commands of the pages for beginners, one after the other, in an environment that has nothing of ours."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import netCDF4
import pytest
from support import mpi

PAGES = mpi.SOURCE / "docs" / "start"


@pytest.mark.parametrize(
    "page", [pytest.param(name, marks=pytest.mark.timeout(200)) for name in ("c", "fortran", "python")]
)
def test_what_a_page_says_can_be_done_line_by_line(tmp_path: Path, page: str) -> None:
    text = (PAGES / f"{page}.md").read_text()
    commands = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    project = re.findall(r"^```cmake\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert commands
    (tmp_path / "first").mkdir()
    for lines in project:
        (tmp_path / "first" / "CMakeLists.txt").write_text(lines)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-euxc", "".join(commands)], cwd=mpi.SOURCE, env=environment, timeout=180,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "float height(time, y, x)" in done.stdout
    with netCDF4.Dataset(tmp_path / "first" / "history.nc") as file:
        assert file["height"].shape == (3, 12, 8)
        assert file["height"][2, 11, 7] == 3095.0
