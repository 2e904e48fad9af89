# ctest: SHORT TIMEOUT 60
"""On Lustre a file gets its striping by the command lfs; both are stand-ins here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calls import OUT, Ended, ended, singleton
from killed_job import assert_exact
from launch import BIN, BUILD_DIR, environment, file_of, history
from support.mpi import SANITIZER

SHAPE = (2, 4, 8)
MAGIC = {"v1": 0x0BD10BD0, "composite": 0x0BD60BD0}
LOG = "lfs.log"
MAKES = 'set -C; : > "$file"'
"""an empty file, which must not be there"""
LEAVES = "leaves a file"
SAYS = {
    "works": MAKES,
    "fails": "exit 1",
    LEAVES: f"{MAKES}; exit 1",
    "is missing": None,
}


FAILURES = [("fails", "cdf5"), ("is missing", "cdf5"), *((LEAVES, name) for name in ("cdf5", "netcdf4"))]


def put_lfs_first(folder: Path, does: str) -> str:
    """A command of that name in a folder of its own, which writes its words down; returns what PATH is to be."""
    place = folder / "bin"
    place.mkdir()
    script = SAYS[does]
    if script is not None:
        words = f'for file; do printf "%s " "$file"; done >> "{folder / LOG}"; echo >> "{folder / LOG}"'
        (place / "lfs").write_text(f"#!/bin/sh\n{words}\n{script}\n")
        (place / "lfs").chmod(0o755)
    return f"{place}:{environment()['PATH']}"


def run(folder: Path, does: str, layout: str = "v1", **settings: object) -> Ended:
    (folder / OUT).mkdir()
    file = f"{OUT}/{file_of(str(settings['format']))}"
    text = history("thread", "profile: profile.json\n", file=file, records_ahead=4, **settings)
    (folder / "thalweg.yaml").write_text(text)
    lustre = {
        "LD_PRELOAD": f"{SANITIZER}:{BUILD_DIR}/lib/liblustre.so",
        "THALWEG_TEST_LUSTRE_UNDER": f"/{OUT}",
        "THALWEG_TEST_LUSTRE_STRIPES": "6",
        "THALWEG_TEST_LUSTRE_MAGIC": str(MAGIC[layout]),
        "PATH": put_lfs_first(folder, does),
    }
    return ended([BIN / "steady", 2, 0, *SHAPE], folder, lustre | singleton(folder))


def commands(folder: Path) -> list[str]:
    log = folder / LOG
    return log.read_text().splitlines() if log.exists() else []


def setstripe(folder: Path, words: str, file_format: str) -> str:
    return f"setstripe {words} {folder / OUT / file_of(file_format)}.partial "


@pytest.mark.parametrize(
    ("striping", "words"),
    [
        ("{count: 8, size: 4 MiB}", "-c 8 -S 4194304"),
        ("{count: 3}", "-c 3"),
        ("{size: 64 KiB}", "-S 65536"),
        ("none", ""),
    ],
)
@pytest.mark.parametrize("file_format", ["cdf5", "netcdf4"])
def test_a_file_is_made_by_one_command(tmp_path: Path, striping: str, words: str, file_format: str) -> None:
    """Without striping by none: it is striped as its folder is."""
    done = run(tmp_path, "works", format=file_format, striping=striping)
    assert (done.code, done.output) == (0, "")
    assert commands(tmp_path) == ([setstripe(tmp_path, words, file_format)] if words else [])
    assert_exact(tmp_path / OUT / "history.nc", 2, SHAPE)


@pytest.mark.parametrize(("does", "file_format"), FAILURES)
def test_a_file_is_as_its_folder_is_where_the_command_fails(tmp_path: Path, does: str, file_format: str) -> None:
    done = run(tmp_path, does, format=file_format, striping="{count: 8, size: 4 MiB}")
    assert done.code == 0, done.output
    assert done.output.count("'lfs setstripe' does not succeed; the file is striped as its folder is") == 1
    calls = [setstripe(tmp_path, "-c 8 -S 4194304", file_format)]
    assert commands(tmp_path) == ([] if does == "is missing" else calls)
    assert_exact(tmp_path / OUT / file_of(file_format), 2, SHAPE)


@pytest.mark.parametrize(("layout", "stripes"), [("v1", 6), ("composite", 0)])
def test_with_a_library_it_is_said_by_hints(tmp_path: Path, layout: str, stripes: int) -> None:
    """And how many stripes there are is asked of Lustre, whose answer is not known where the layout has parts."""
    settings = {"format": "cdf5", "engine": "library", "striping": "{count: 8, size: 4 MiB}"}
    done = run(tmp_path, "works", layout, **settings)
    assert done.code == 0, done.output
    assert commands(tmp_path) == []
    collection = json.loads((tmp_path / "profile.json").read_text())["ranks"][0]["collections"][0]
    (report,) = collection["library_files"]
    assert report["asked"] == {"striping_factor": "8", "striping_unit": "4194304"}
    assert report["stripes"] == stripes
    assert (", 6 stripes; hints" in done.output) == (stripes == 6)
    assert_exact(tmp_path / OUT / "history.nc", 2, SHAPE)
