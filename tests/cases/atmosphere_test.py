# ctest: LABELS mpi TIMEOUT 200
"""The example atmosphere in Python and its twin in C: files on any number of ranks, restarts, physics, CF.

What is in the files is compared bit for bit with the model computed within the test's own process.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import xarray
from support import atmosphere, python
from support.command import thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

RANKS = (1, 2, 3, 4)
DAY_S = 86400
STEPS = DAY_S // atmosphere.STEP_S
DAY = ("--days", 1, "--report", "report.json")
# Restarts lie within the interval of the mean.
CONFIGURATION: dict[str, Any] = {
    "reference-date": "2000-02-28",
    "calendar": "noleap",
    "time-step": f"{atmosphere.STEP_S} s",
    "collections": {
        "history": {"file": "history_%m-%d.nc", "every": "6 h", "new-file": "1 d", "format": "cdf5"},
        "restart": {"file": "restart_%d_%H.nc", "every": "8 h", "new-file": "8 h", "format": "cdf5"},
    },
}
OUTPUT = ["history_02-28.nc", "restart_28_00.nc", "restart_28_08.nc", "restart_28_16.nc"]


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """A day on each number of ranks."""
    folder = tmp_path_factory.mktemp("day")
    return {ranks: atmosphere.run(ranks, folder / str(ranks), CONFIGURATION, *DAY) for ranks in RANKS}


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("c")
    (folder / "thalweg.yaml").write_text(json.dumps(CONFIGURATION | {"report": "none"}))
    return atmosphere.run_c(1, folder, 1)


def contents(path: Path) -> dict[str, np.ndarray]:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return {name: np.asarray(variable[...]) for name, variable in file.variables.items()}


def names_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.nc"))


def test_a_day_is_the_same_bytes_on_any_number_of_ranks(days: dict[int, Path]) -> None:
    for ranks in RANKS:
        assert names_of(days[ranks]) == OUTPUT
        assert [name for name in OUTPUT if (days[ranks] / name).read_bytes() != (days[1] / name).read_bytes()] == []


def test_what_is_said_of_mass_and_energy_does_not_depend_on_the_number_of_ranks(days: dict[int, Path]) -> None:
    told = [json.loads((days[ranks] / "report.json").read_text()) for ranks in RANKS]
    said = [{name: report[name] for name in ("days", "mass_change", "energy_change", "wind_m_s")} for report in told]
    assert said == [said[0]] * len(RANKS)
    assert said[0]["days"] == 1.0 and said[0]["energy_change"] != 0.0


def test_ranks_that_only_write_change_nothing(days: dict[int, Path], tmp_path: Path) -> None:
    atmosphere.run(3, tmp_path, CONFIGURATION | {"writers": {"ranks": 1}}, "--days", 1)
    assert [name for name in OUTPUT if (tmp_path / name).read_bytes() != (days[1] / name).read_bytes()] == []


def test_files_hold_what_the_model_has(days: dict[int, Path]) -> None:
    history = contents(days[4] / OUTPUT[0])
    restarts = [contents(days[4] / name) for name in OUTPUT[1:]]
    total = np.zeros((atmosphere.ROWS, atmosphere.COLUMNS))
    since = 0
    for step, state in atmosphere.states(STEPS):
        total += state["height"]
        if step % (STEPS // 4) == 0:
            record = step // (STEPS // 4) - 1
            state["height_mean"] = total / (step - since)
            for name, values in state.items():
                assert history[name][record].tobytes() == values.astype(np.float32).tobytes(), (name, record)
            total, since = np.zeros_like(total), step
        if step % (STEPS // 3) == 0:
            restart = restarts[step // (STEPS // 3) - 1]
            for name, values in {**{name: state[name] for name in ("height", "u", "v")}, "height_total": total}.items():
                assert restart[name][0].tobytes() == values.tobytes(), (name, step)
            assert restart["total_steps"].tolist() == [step - since]
            assert restart["total_since"].tolist() == [since * atmosphere.STEP_S]
    assert len(history["time"]) == 4


def test_a_run_from_a_restart_goes_on_as_the_run_that_wrote_it(days: dict[int, Path], tmp_path: Path) -> None:
    begun = days[4] / "restart_28_08.nc"  # after 16 hours: four hours into an interval of the mean
    atmosphere.run(2, tmp_path / "rest", CONFIGURATION, "--days", 4 / 3, "--restart", begun)
    atmosphere.run(1, tmp_path / "whole", CONFIGURATION, "--days", 2)
    complete = names_of(tmp_path / "rest")
    assert complete[0] == OUTPUT[0] and len(complete) == 6
    for name in complete[1:]:
        assert (tmp_path / "rest" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    rest, whole = (contents(tmp_path / run / OUTPUT[0]) for run in ("rest", "whole"))
    assert rest["time_bnds"].tolist() == [[43200, 64800], [64800, 86400]]
    for name in ("time", "time_bnds", "height", "u", "v", "vorticity", "height_mean"):
        assert rest[name].tobytes() == whole[name][2:].tobytes(), name


def test_verify_finds_two_runs_equal_and_two_days_different(days: dict[int, Path], tmp_path: Path) -> None:
    done = thalweg("verify", days[1] / OUTPUT[0], days[3] / OUTPUT[0])
    assert done.code == 0 and "equal" in done.out
    assert thalweg("verify", days[3] / OUTPUT[0]).code == 0
    assert thalweg("verify", days[1] / OUTPUT[1], days[1] / OUTPUT[2]).code == 1


def test_xarray_decodes_times_and_finds_coordinates(days: dict[int, Path]) -> None:
    coder = xarray.coders.CFDatetimeCoder(use_cftime=True)
    with xarray.open_dataset(days[2] / OUTPUT[0], decode_times=coder) as file:
        assert [str(time) for time in file.time.values] == [
            "2000-02-28 06:00:00",
            "2000-02-28 12:00:00",
            "2000-02-28 18:00:00",
            "2000-03-01 00:00:00",
        ]
        assert file.time.values[0].calendar == "noleap"
        assert [str(time) for time in file.time_bnds.values[3]] == ["2000-02-28 18:00:00", "2000-03-01 00:00:00"]
        assert set(file.coords) >= {"time", "lat", "lon", "lat_v", "lon_u"}
        assert file.u.sel(lat=3.75, lon_u=7.5).dims == ("time",)
        assert file.lat.values.tolist() == [-86.25 + 7.5 * row for row in range(24)]
        assert file.lat_v.values.tolist() == [-82.5 + 7.5 * row for row in range(23)]
        assert file.lon.values.tolist() == [3.75 + 7.5 * column for column in range(48)]
        assert file.lon_u.values.tolist() == [7.5 * column for column in range(48)]


def test_attributes_follow_cf(days: dict[int, Path]) -> None:
    with netCDF4.Dataset(days[2] / OUTPUT[0]) as file:
        assert file.Conventions == "CF-1.11"
        assert {name: file[name].axis for name in ("time", "lat", "lon")} == {"time": "T", "lat": "Y", "lon": "X"}
        assert file["time"].bounds == "time_bnds"
        fields = {name: v for name, v in file.variables.items() if len(v.dimensions) == 3}
        assert {name: (v.standard_name, v.units, v.cell_methods, v.dtype) for name, v in fields.items()} == {
            "height": ("geopotential_height", "m", "time: point", np.float32),
            "u": ("eastward_wind", "m s-1", "time: point", np.float32),
            "v": ("northward_wind", "m s-1", "time: point", np.float32),
            "vorticity": ("atmosphere_upward_relative_vorticity", "s-1", "time: point", np.float32),
            "height_mean": ("geopotential_height", "m", "time: mean", np.float32),
        }
        assert not [name for name in file.dimensions if name != "bnds" and not hasattr(file[name], "units")]


def test_mass_is_conserved_to_rounding_and_energy_by_the_scheme() -> None:
    model = atmosphere.model()
    mass, energy = model.mass(), model.energy()
    for _ in range(STEPS):
        model.step(atmosphere.STEP_S)
    assert abs(model.mass() / mass - 1) < 1e-14
    assert abs(model.energy() / energy - 1) < 1e-6


def wave_error(columns: int, rows: int) -> float:
    """At the beginning winds change as if the wave moved without changing its form: what the scheme makes of it."""
    model = atmosphere.model(columns, rows)
    before = model.state[1:-1].copy()
    model.step(1.0)
    change = model.state[1:-1, 1] - before[:, 1]
    speed = np.radians(atmosphere.rossby_haurwitz.THEORY_DEG_A_DAY) / DAY_S
    lat = np.radians(-90 + (np.arange(rows) + 0.5) * 180 / rows)
    lon = np.radians(np.arange(columns) * 360 / columns)
    expected = atmosphere.rossby_haurwitz.wind_u(lat, lon - speed) - before[:, 1]
    weights = np.cos(lat)[:, np.newaxis]
    return float(np.sqrt((weights * (change - expected) ** 2).sum() / (weights * expected**2).sum()))


def test_errors_become_four_times_smaller_on_half_the_distance() -> None:
    coarse, fine = wave_error(48, 24), wave_error(96, 48)
    assert fine < 0.2  # of a change that is what large terms leave of each other
    assert 3.2 < coarse / fine < 4.8


def test_the_wave_moves_eastward_a_little_slower_than_without_divergence() -> None:
    model = atmosphere.model()

    def phase_deg() -> float:
        return float(-np.degrees(np.angle(np.fft.rfft(model.height[atmosphere.ROWS * 3 // 4])[4])) / 4)

    before = phase_deg()
    for _ in range(2 * STEPS):
        model.step(atmosphere.STEP_S)
    assert 10.0 < (phase_deg() - before) / 2 < atmosphere.rossby_haurwitz.THEORY_DEG_A_DAY


def test_c_writes_the_same_files_to_rounding(days: dict[int, Path], in_c: Path) -> None:
    assert names_of(in_c) == OUTPUT
    for name in OUTPUT:
        tolerance = 2e-7 if name == OUTPUT[0] else 1e-10
        words = ("--rtol", tolerance, "--atol", 1e-10, "--ignore-attributes", "source")
        done = thalweg("verify", *words, in_c / name, days[2] / name)
        assert done.code == 0, done.out
        with netCDF4.Dataset(in_c / name) as file:
            assert file.source.endswith("in C")


def test_c_writes_the_same_bytes_on_three_ranks(in_c: Path, tmp_path: Path) -> None:
    (tmp_path / "thalweg.yaml").write_text((in_c / "thalweg.yaml").read_text())
    atmosphere.run_c(3, tmp_path, 1)
    assert [name for name in OUTPUT if (tmp_path / name).read_bytes() != (in_c / name).read_bytes()] == []


def test_python_goes_on_from_a_restart_of_c(days: dict[int, Path], in_c: Path, tmp_path: Path) -> None:
    atmosphere.run(2, tmp_path, CONFIGURATION, "--days", 1 / 3, "--restart", in_c / "restart_28_08.nc")
    words = ("--rtol", 1e-9, "--atol", 1e-9)
    assert thalweg("verify", *words, tmp_path / OUTPUT[3], days[1] / OUTPUT[3]).code == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--step", 1200), "--step 1200 s is too long: on 48x24"),
        (("--grid", "8x4"), "4 rows on 3 ranks: each needs 2 or more"),
        (("--grid", "96x48", "--restart", "RESTART"), "is of a grid of 48x24: say --grid 48x24"),
    ],
)
def test_a_run_that_cannot_be_is_refused_on_all_ranks(
    days: dict[int, Path], tmp_path: Path, words: tuple[object, ...], reason: str
) -> None:
    words = tuple(days[1] / OUTPUT[1] if word == "RESTART" else word for word in words)
    every = (*atmosphere.GRID, "--config", "thalweg.yaml", *words)
    done = python.start(atmosphere.EXAMPLE / "atmosphere.py", 3, tmp_path, CONFIGURATION, *every)
    assert done.returncode not in (0, 124)
    assert reason in done.stderr


def test_the_configuration_beside_it_is_right() -> None:
    done = thalweg("check", atmosphere.EXAMPLE / "atmosphere.yaml", "--ranks", 4)
    assert done.code == 0 and "restart_2000-01-01.nc" in done.out, done
