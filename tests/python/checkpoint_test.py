# ctest: LABELS mpi TIMEOUT 300
"""Runs that go on from each other's checkpoints write what one run would, bit for bit, on any ranks, in any layout,
also when one was killed; a collection that cannot go on is refused by name, and the others go on."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import netCDF4
import pytest
from support import python

FIELDS = ["surface", "levels", "steps", "listed", "average", "parted", "masked", "depth"]
SOME = ["surface", "levels", "depth"]
EXPRESSIONS = [
    {"name": "size", "expression": "abs(surface)"},
    {"name": "change", "expression": "difference(surface) / max(surface)"},
    {"name": "ratio", "expression": "mean(surface * surface) / std(surface) + max(surface)"},
]
REGION = {
    "x": {"index": {"from": 1, "to": 11, "step": 5}},
    "y": {"index": [0, 4, 5, 8]},
    "z": {"index": [0, 2]},
}
WINDOW = {"from": "2000-01-01 04:00:00", "until": "2000-01-01 17:00:00"}
HEIGHTS = {"coordinate": "heights", "to": [5, 12.5], "name": "height"}
AT_HEIGHTS: list[dict[str, Any]] = [
    {"from": "levels", "vertical": HEIGHTS},
    {"from": "levels", "name": "one", "vertical": HEIGHTS | {"to": 10, "name": "z", "outside": "nearest"}},
    {"from": "levels", "name": "some", "vertical": HEIGHTS, "region": {"x": REGION["x"]}},
]
FORMATS = ["netcdf4", "cdf5", "zarr"]
ENDINGS = {"netcdf4": "nc", "cdf5": "nc", "zarr": "zarr"}
LAST = 22
SPLITS = 3


def gathering(file: str, form: str, **keys: Any) -> dict[str, Any]:
    said = {"file": f"{file}.{ENDINGS[form]}", "format": form, "append": "continue", "fields": FIELDS}
    return said | {key.replace("_", "-"): value for key, value in keys.items()}


def some(file: str, form: str, **keys: Any) -> dict[str, Any]:
    return gathering(file, form, fields=SOME, **keys)


COLLECTIONS: dict[str, dict[str, Any]] = {
    "mean": gathering("mean", "netcdf4", every="6 h", operation="mean"),
    "std": gathering("std", "cdf5", every="6 h", operation="std"),
    "min": gathering("min", "zarr", every="6 h", operation="min"),
    "max": some("max", "netcdf4", every="6 h", operation="max", anchor="reference"),
    "rms": some("rms", "cdf5", every="6 h", operation="rms", valid=0.9),
    "rows": some("rows", "netcdf4", every="6 h", operation="mean", grid={"mean": ["x"]}),
    "one": some("one", "cdf5", every="6 h", operation="std", grid={"mean": ["y", "x"]}),
    "count": gathering("count", "cdf5", every="6 h", operation="count"),
    "difference": gathering("difference", "cdf5", every="6 h", operation="difference"),
    "changes": some("changes_%v_%Y%m%d%H", "netcdf4", every="2 h", new_file="6 h", operation="difference"),
    "from_start": some("from_start", "zarr", every="5 h", anchor="start", operation="difference", missing="propagate"),
    "diurnal": gathering("diurnal", "cdf5", every="1 d", operation="diurnal 8"),
    "hours": some("hours", "zarr", every="end", operation="diurnal 24", anchor="start", sample="2 h"),
    "window": gathering("window", "cdf5", every="6 h", operation="std", **WINDOW),
    "windows": some("windows_%Y%m%d%H", "netcdf4", every="2 h", new_file="6 h", operation="difference", **WINDOW),
    "late": some("late", "zarr", every="3 h", operation="max", **{"from": "2000-01-01 15:00:00"}),
    "early": some("early", "cdf5", every="3 h", operation="mean", until="2000-01-01 05:00:00"),
    "in_window": some("in_window", "netcdf4", every="3 h", **WINDOW),
    "series": some("series_%Y%m%d%H", "cdf5", every="4 h", new_file="8 h", operation="std"),
    "stores": some("stores_%Y%m%d%H", "zarr", every="3 h", new_file="6 h", operation="max"),
    "alone": some("alone_%v_%Y%m%d%H", "cdf5", every="6 h", new_file="12 h", operation="mean"),
    "counted": some("counted", "netcdf4", every="5 steps", operation="sum"),
    "started": some("started", "cdf5", every="7 h", anchor="start", operation="mean", missing="propagate"),
    "sampled": some("sampled", "cdf5", every="6 h", sample="3 h", sample_offset="1 h", anchor="start", operation="rms"),
    "skipping": some("skipping", "netcdf4", every="2 h", operation="max", when_not_put="skip"),
    "joined": gathering("joined", "cdf5", every="6 h", operation="std", repeat="last"),
    "split": gathering("split", "cdf5", every="150 min", straddle="split", operation="std"),
    "made": gathering("made", "netcdf4", every="6 h", operation="mean", fields=EXPRESSIONS),
    "parts": gathering("parts", "cdf5", every="6 h", operation="std", region=REGION),
    "day_parts": gathering("day_parts", "netcdf4", every="1 d", operation="diurnal 6", region=REGION),
    "others": gathering("others_%v", "netcdf4", every="5 h", operation="max", repeat="mean", region=REGION),
    "own": gathering(
        "own",
        "cdf5",
        every="6 h",
        operation="std",
        fields=[
            "levels",
            {"from": "levels", "region": REGION, "name": "some"},
            {"from": "surface", "operation": "difference", "region": {"x": {"index": [3, 8]}}, "name": "columns"},
        ],
    ),
    "at_heights": gathering("at_heights", "cdf5", every="6 h", operation="std", fields=AT_HEIGHTS),
    "cut": gathering("cut", "zarr", every="6 h", operation="mean", fields=EXPRESSIONS, region={"y": {"index": [1, 7]}}),
    "whole": some("whole", "netcdf4", every="end", operation="mean", valid=0.6),
    "at_times": some("at_times", "cdf5", every="6 h"),
}
KEPT: list[dict[str, Any]] = [
    {},
    {"format": "netcdf4", "compression": "deflate"},
    {"format": "zarr", "file": "kept.%n.zarr", "cycle": 3},
]
WAYS: list[dict[str, Any]] = [{}, {"writers": "sync"}, {"writers": {"ranks": 1}}, {"emulate-nodes": 2}]


def run(folder: str, first: int, last: int, ranks: int = 2, **keys: Any) -> dict[str, Any]:
    said = {"folder": folder, "first": first, "last": last, "ranks": ranks, "keeps": []} | keys
    collections = keys.get("collections", COLLECTIONS)
    said["settings"] = {"report": "none", "time-step": "1 h", "collections": collections} | keys.get("settings", {})
    return said


def started(folder: Path, runs: list[dict[str, Any]], ranks: int = 4) -> str:
    (folder / "runs.json").write_text(json.dumps(runs))
    done = python.start("checkpoints.py", ranks, folder, None, "runs.json", limit_s=240)
    dies = any(one.get("dies") for one in runs)
    assert dies == (done.returncode != 0), f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def pieces(folder: str, seed: int) -> list[dict[str, Any]]:
    """One run in several, each of which began where one before it had a checkpoint, and not always its last."""
    chance = random.Random(seed)
    runs, first = [], 0
    while first < LAST:
        keeps = min(LAST, first + chance.randint(3, 9))
        last = min(LAST, keeps + chance.randint(0, 3))
        way = chance.choice(WAYS)
        ranks = chance.randint(1, 3) + (way.get("writers", "sync") != "sync" or "emulate-nodes" in way)
        layout = {} if chance.random() < 0.5 else {"layout": [chance.randint(1, 2), 1]}
        collections = {name: of | (layout if of["format"] == "cdf5" else {}) for name, of in COLLECTIONS.items()}
        settings = way | {"collections": collections | {"checkpoint": KEPT[seed % len(KEPT)]}}
        if not KEPT[seed % len(KEPT)]:
            settings["collections"].pop("checkpoint")
        runs.append(run(folder, first, last, ranks, keeps=sorted({(first + keeps) // 2, keeps}), settings=settings))
        first = keeps
    return runs


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoints")
    runs = [run("one", 0, LAST)]
    for seed in range(SPLITS):
        runs += pieces(f"split{seed}", seed)
    started(folder, runs)
    return folder


def names(folder: Path) -> list[str]:
    """All that was written, but for checkpoints and what of killed runs is kept aside."""
    found = [one.name for one in folder.iterdir() if ".old" not in one.name]
    return sorted(name for name in found if not name.startswith(("checkpoint", "kept")))


def content(path: Path) -> dict[str, bytes]:
    files = path.rglob("*") if path.is_dir() else [path]
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


def require_equal(one: Path, other: Path) -> None:
    assert names(one) == names(other) != []
    for name in names(one):
        assert content(one / name) == content(other / name), name


@pytest.mark.parametrize("seed", range(SPLITS))
def test_runs_in_pieces_write_what_one_run_does(written: Path, seed: int) -> None:
    require_equal(written / "one", written / f"split{seed}")


CASE = {
    "m": some("m", "cdf5", every="6 h", operation="mean"),
    "x": some("x", "netcdf4", every="6 h", operation="max"),
    "z": gathering("z", "cdf5", every="6 h", operation="mean", fields=AT_HEIGHTS[:1]),
}


def case(folder: str, first: int, last: int, ranks: int = 2, **keys: Any) -> dict[str, Any]:
    return run(folder, first, last, ranks, **({"collections": CASE} | keys))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one run writes, what one leaves behind 3 h, and what one that was killed at 11 h leaves."""
    folder = tmp_path_factory.mktemp("begun")
    runs = [case("one", 0, 12), case("ended", 0, 3, keeps=[3]), case("late", 0, 9, keeps=[9])]
    started(folder, [*runs, case("killed", 0, 11, 3, keeps=[3, 8], dies=True)])
    assert (folder / "killed" / "m.nc.partial").exists()
    return folder


@pytest.fixture
def later(begun: Path, tmp_path: Path) -> Path:
    """All of it for runs that go on."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    shutil.copytree(begun / "killed", tmp_path / "again")
    return tmp_path


def test_steps_behind_a_checkpoint_are_made_again(later: Path) -> None:
    other = CASE | {"m": CASE["m"] | {"layout": [2, 1]}}
    said = started(
        later,
        [
            case("ended", 3, 12, 3, collections=other),
            case("killed", 8, 12, 1, settings={"emulate-nodes": 1}),
            case("again", 3, 12, 4, settings={"writers": {"ranks": 1}}),
        ],
    )
    for folder in ("ended", "killed", "again"):
        require_equal(later / "one", later / folder)
    assert "goes on with the first interval of" in said and "1 record, up to 2000-01-01 01:30:00, left out" in said
    assert "goes on from the checkpoint" in said or "go on from the checkpoint" in said


def test_a_collection_that_cannot_go_on_is_refused_and_others_go_on(begun: Path, later: Path) -> None:
    for name in ("time", "none", "both", "more", "part", "heights"):
        shutil.copytree(later / "ended", later / name)
    for file in (later / "none").glob("checkpoint*"):
        file.unlink()
    every = CASE | {"m": CASE["m"] | {"every": "12 h"}}
    both = CASE | {"m": CASE["m"] | {"operation": "max"}, "x": CASE["x"] | {"missing": "propagate"}}
    part = CASE | {"x": CASE["x"] | {"region": {"y": {"index": 1}}}}
    heights = [{"from": "levels", "vertical": HEIGHTS | {"to": [5, 15]}}]
    at_others = CASE | {"z": CASE["z"] | {"fields": heights}}
    more = CASE | {"more": some("more", "cdf5", every="4 h", operation="sum")}
    runs = [
        case(
            "ended", 3, 12, collections=every, wanted=["'m'", "'every' is 6 h in the checkpoint and 12 h in this run"]
        ),
        case("time", 2, 4, wanted=["'m'", "'x'", "starts at 2000-01-01 02:00:00", "is of 2000-01-01 03:00:00"]),
        case("none", 3, 4, wanted=["there is no checkpoint", "m.nc' is there", "x.nc' is there"]),
        case(
            "both",
            3,
            4,
            collections=both,
            wanted=["'surface' is mean of", "max of", "'missing' is skip in", "propagate"],
        ),
        case(
            "part",
            3,
            4,
            collections=part,
            wanted=["'x'", "'region' is not in the checkpoint, and is {y: {index: [1]}}"],
        ),
        case(
            "heights",
            3,
            4,
            collections=at_others,
            wanted=["'z'", "mean of ocean/levels at ocean/heights = 5, 12.5(height = 2", "heights = 5, 15(height = 2"],
        ),
        case("more", 3, 12, collections=more),
    ]
    started(later, runs)
    untouched = {
        "ended": ["m.nc"],
        "time": ["m.nc", "x.nc"],
        "none": ["m.nc", "x.nc"],
        "both": ["m.nc", "x.nc"],
        "part": ["x.nc"],
        "heights": ["z.nc"],
    }
    for folder, files in untouched.items():
        for file in files:
            assert (later / folder / file).read_bytes() == (begun / "ended" / file).read_bytes(), (folder, file)
    for folder in ("ended", "more"):
        assert (later / folder / "x.nc").read_bytes() == (begun / "one" / "x.nc").read_bytes()
    with netCDF4.Dataset(later / "more" / "more.nc") as file:
        assert file["time_bnds"][:].tolist() == [[3 * 3600, 4 * 3600], [4 * 3600, 8 * 3600], [8 * 3600, 12 * 3600]]


def test_what_cannot_be_is_an_error(later: Path) -> None:
    """A file without the records that were before its checkpoint, one that cannot be read again, and calls where they
    must not be."""
    (later / "late" / "m.nc").unlink()
    lost = "its checkpoint goes on behind 1 record of"
    unread = CASE | {"checkpoint": {"format": "fortran", "cycle": 2, "file": "kept.%n"}}
    rounded = CASE | {"checkpoint": {"format": "netcdf4", "compression": {"codec": "zstd", "keep-digits": 3}}}
    (later / "unread").mkdir()
    started(
        later,
        [
            case("late", 9, 9, wanted=[lost], fails=True),
            case("misused", 0, 7, misuse=True),
            case("unread", 0, 0, collections=unread, wanted=["files of its format cannot be read again"], fails=True),
            case("unread", 0, 0, collections=rounded, wanted=["its values are not rounded"], fails=True),
        ],
    )
    assert [file.name for file in (later / "misused").glob("checkpoint*.nc")] == ["checkpoint.1.nc"]
