# ctest: TIMEOUT 180
"""What thalweg init makes of other systems' configurations, run: names of files, times, bounds and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import netCDF4
import numpy as np
import pytest
from support import python
from support.command import thalweg, use_programs
from support.translated_values import CELLS, values
from translate_tables import DIAG_TABLE, DIAG_TABLE_YAML, HISTORY, XIOS

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

Array = np.ndarray[Any, Any]
HOUR = 3600
ENDED = [(0, 6), (6, 12)]  # intervals of 6 h that a run of 14 h ends


def steps(field: int, begin: int, end: int) -> Array:
    """What was put in the interval (begin, end]."""
    return np.stack([values(field, hour) for hour in range(begin + 1, end + 1)])


def of_all(operation: Any, field: int, intervals: list[tuple[int, int]]) -> Array:
    return np.stack([operation(steps(field, *interval), axis=0) for interval in intervals])


def instants(field: int, hours: Any) -> Array:
    return np.stack([values(field, hour) for hour in hours])


class File(NamedTuple):
    variables: dict[str, Array]
    times: Sequence[float] = ()
    intervals: Sequence[tuple[int, int]] = ()
    dimension: str = "time"


class Job(NamedTuple):
    files: dict[str, str]  # what is there, the first of them translated
    fields: list[str]
    hours: int
    ranks: int
    wanted: dict[str, File]
    rounded: tuple[str, ...] = ()  # variables that the last bit may differ of


def rounded_std(field: int, intervals: list[tuple[int, int]]) -> Array:
    return np.stack([np.std(steps(field, *interval), axis=0) for interval in intervals])


def quotient(intervals: list[tuple[int, int]]) -> Array:
    return np.stack(
        [np.mean(steps(0, *of) * steps(1, *of), axis=0) / np.mean(steps(1, *of), axis=0) for of in intervals]
    )


STATIC = values(2, 1)[None]
MIDDLES = [3 * HOUR, 9 * HOUR]
DAY = [(0, 6), (6, 12), (12, 18), (18, 24)]

JOBS = {
    "diag_table": Job(
        {"diag_table": DIAG_TABLE},
        ["ocean_model/temp", "ocean_model/salt", "static/area"],
        14,
        2,
        {
            "20000101.ocean_6h.nc": File(
                {"temp": of_all(np.mean, 0, ENDED), "temp_max": of_all(np.max, 0, ENDED), "area": STATIC},
                MIDDLES,
                ENDED,
            ),
            "20000101.ocean_snap.nc": File(
                {"sst": instants(0, (3, 6, 9, 12))}, [3 * HOUR, 6 * HOUR, 9 * HOUR, 12 * HOUR], dimension="Time"
            ),
            "20000101.ocean_static.nc": File({"area": STATIC}),
            "each_2000_01_01_03.nc": File({"salt": of_all(np.mean, 1, ENDED[:1])}, MIDDLES[:1], ENDED[:1]),
            "each_2000_01_01_09.nc": File({"salt": of_all(np.mean, 1, ENDED[1:])}, MIDDLES[1:], ENDED[1:]),
            "days__2000_001_00.nc": File({"salt": instants(1, range(1, 13))}, [HOUR * h for h in range(1, 13)]),
            "days__2000_001_12.nc": File({"salt": instants(1, (13, 14))}, [13 * HOUR, 14 * HOUR]),
        },
    ),
    "diag_table.yaml": Job(
        {"diag_table.yaml": DIAG_TABLE_YAML},
        ["atm/t"],
        14,
        1,
        {
            "20000101.atmos.nc": File(
                {"t": of_all(np.mean, 0, ENDED), "tmin": of_all(np.min, 0, ENDED)}, MIDDLES, ENDED, "records"
            ),
            "each_2000_01_01_06.nc": File({"t": of_all(np.sum, 0, ENDED[:1])}, MIDDLES[:1], ENDED[:1]),
            "each_2000_01_01_12.nc": File({"t": of_all(np.sum, 0, ENDED[1:])}, MIDDLES[1:], ENDED[1:]),
        },
    ),
    "HISTORY.rc": Job(
        {"HISTORY.rc": HISTORY},
        ["DYN/T", "DYN/U", "DYN/V"],
        24,
        2,
        {
            **{
                f"exp1.inst3.{day}_{hour % 24:02}00z.nc4": File(
                    {"T": instants(0, [hour]), "uu": instants(1, [hour]), "vv": instants(2, [hour])}, [hour * HOUR]
                )
                for day, hour in [*(("20000101", hour) for hour in range(3, 24, 3)), ("20000102", 24)]
            },
            **{
                f"exp1.tavg6.x.20000101_{begin + 3:02}00z.nc4": File(
                    {
                        "t": of_all(np.mean, 0, [(begin, end)]),
                        "tmax": of_all(np.max, 0, [(begin, end)]),
                        "uacc": of_all(np.sum, 1, [(begin, end)]),
                        "w": 2 * of_all(np.mean, 1, [(begin, end)]) + of_all(np.mean, 2, [(begin, end)]),
                    },
                    [(begin + 3) * HOUR],
                    [(begin, end)],
                )
                for begin, end in DAY
            },
            "exp1.month.200001.nc4": File({"T": np.empty((0, CELLS))}),  # no month has ended
            "exp1.days.20000101.nc4": File({"T": instants(0, (6, 12, 18, 24))}, [6 * HOUR * n for n in (1, 2, 3, 4)]),
        },
    ),
    "iodef.xml": Job(
        XIOS,
        ["sst", "e3t"],
        14,
        2,
        {
            "EXPNAME_6h_20000101_grid_T.nc": File(
                {
                    "tos": of_all(np.mean, 0, ENDED),
                    "tosmin": of_all(np.min, 0, ENDED),
                    "tosstd": rounded_std(0, ENDED),
                    "so": quotient(ENDED),
                    "sst2": np.stack([np.mean(steps(0, *of) ** 2, axis=0) for of in ENDED]),
                    "heat": of_all(np.mean, 0, ENDED) * 513,
                },
                MIDDLES,
                ENDED,
                "time_counter",
            ),
            "EXPNAME_6h_20000101_grid_T_instants.nc": File(
                {"snap": instants(0, (6, 12))}, [6 * HOUR, 12 * HOUR], dimension="time_counter"
            ),
            "EXPNAME_12h_20000101_split.nc": File(
                {"sst": of_all(np.sum, 0, [(0, 12)])}, [6 * HOUR], [(0, 12)], "time_counter"
            ),
        },
        ("tosstd", "so"),
    ),
}


def check(path: Path, wanted: File, rounded: tuple[str, ...]) -> None:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        made = {name for name in file.variables if not name.startswith("quantization_info")}
        assert made - {wanted.dimension, f"{wanted.dimension}_bnds"} == set(wanted.variables), path.name
        if wanted.times:
            assert file[wanted.dimension][:].tolist() == list(wanted.times), path.name
        if wanted.intervals:
            bounds = [[begin * HOUR, end * HOUR] for begin, end in wanted.intervals]
            assert file[f"{wanted.dimension}_bnds"][:].tolist() == bounds, path.name
        for name, truth in wanted.variables.items():
            stored = file[name][:]
            exact = truth.reshape(stored.shape).astype(stored.dtype)
            bound = 1e-6 if name in rounded else 0
            np.testing.assert_allclose(stored, exact, rtol=bound, err_msg=f"{path.name}: {name}")


@pytest.mark.parametrize("name", JOBS)
def test_files_are_those_of_the_original(tmp_path: Path, name: str) -> None:
    job = JOBS[name]
    for file, text in job.files.items():
        (tmp_path / file).write_text(text)
    done = thalweg("init", "--from", tmp_path / name, "-o", tmp_path / "thalweg.yaml")
    assert done.code == 0, done
    text = (tmp_path / "thalweg.yaml").read_text()
    (tmp_path / "thalweg.yaml").write_text(re.sub("time-step: .*", "time-step: 1 h", text))
    assert thalweg("check", tmp_path / "thalweg.yaml").code == 0
    run = python.start("translated.py", job.ranks, tmp_path, None, job.hours, *job.fields, limit_s=60)
    run.check_returncode()
    made = {path.name for path in tmp_path.iterdir() if ".nc" in path.name and path.suffix != ".checksums"}
    assert made == set(job.wanted)
    for file, wanted in job.wanted.items():
        check(tmp_path / file, wanted, job.rounded)
