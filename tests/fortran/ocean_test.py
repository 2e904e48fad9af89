"""The example ocean: its values must depend neither on how it is cut over ranks nor on what writes them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi

sys.path.append(str(mpi.SOURCE / "examples" / "ocean"))
from compare import compare_files
from make_wind import write_wind

FILES = ("history.nc", "restart.nc")
MASK = mpi.SOURCE / "examples" / "ocean" / "mask_1deg.nc"


@dataclass
class Run:
    folder: Path
    text: str

    @property
    def report(self) -> dict:
        return json.loads((self.folder / "report.json").read_text())


def start(folder: Path, ranks: int, grid: str = "", physics: str = "", files: str = "") -> subprocess.CompletedProcess:
    folder.mkdir()
    (folder / "ocean.nml").write_text(
        f'&grid mask_file = "{MASK}", levels = 3, {grid} /\n'
        f"&physics dt_s = 1800.0, tracer_every = 2, steps = 12, viscosity = 4000.0, {physics} /\n"
        f'&files output = "classic", output_every = 4, report_file = "report.json", {files} /\n'
    )
    return mpi.start("ocean", ranks, folder)


def run_thalweg(folder: Path, ranks: int, writers: str, steps: int = 12, **settings: str) -> Run:
    """As run, but through Thalweg, with the records that the classic output writes."""
    configuration = folder.with_suffix(".yaml")
    configuration.write_text(
        f"writers: {writers}\nreport: none\n{settings.pop('more', '')}collections:\n"
        f"  history: {{file: history.nc, every: 4 steps, format: cdf5}}\n"
        f"  restart: {{file: restart.nc, every: {steps} steps, format: cdf5}}\n"
    )
    files = f'output = "thalweg", thalweg_config = "{configuration}", {settings.pop("files", "")}'
    return run(folder, ranks, files=files, **settings)


def run(folder: Path, ranks: int, **settings: str) -> Run:
    done = start(folder, ranks, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return Run(folder, done.stdout)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The reference: one rank."""
    return run(tmp_path_factory.mktemp("ocean") / "alone", 1)


@dataclass
class Continent:
    """A coarse world, closed beyond 60 degrees, whose continent fills a block of a 3 x 6 layout and more."""

    settings: dict[str, str]
    alone: Run


@pytest.fixture(scope="module")
def continent(tmp_path_factory: pytest.TempPathFactory) -> Continent:
    folder = tmp_path_factory.mktemp("continent")
    wet = np.ones((24, 36), dtype=np.int8)
    wet[8:13, 11:25] = 0
    wet[15, 3] = 0
    with netCDF4.Dataset(folder / "mask.nc", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("lat", 24)
        file.createDimension("lon", 36)
        file.createVariable("wet", "i1", ("lat", "lon"))[:] = wet
    settings = {"grid": f'mask_file = "{folder}/mask.nc", latitude_limit = 60.0', "physics": "eddies = 2"}
    return Continent(settings, run(folder / "alone", 1, **settings))


def assert_same_files(one: Run, other: Run) -> None:
    for name in FILES:
        assert (one.folder / name).read_bytes() == (other.folder / name).read_bytes(), f"{name} differs"


@pytest.mark.parametrize(
    ("ranks", "grid"),
    [(2, ""), (3, "px = 1, py = 3"), (4, "px = 2, py = 2"), (4, "px = 4, py = 1"), (7, "px = 7, py = 1")],
)
def test_files_are_the_same_bits_on_any_number_of_ranks(alone: Run, tmp_path: Path, ranks: int, grid: str) -> None:
    assert_same_files(alone, run(tmp_path / "cut", ranks, grid=grid))


def test_blocks_that_are_all_land_need_no_rank(continent: Continent, tmp_path: Path) -> None:
    """A hole in the middle: the halo of a corner cannot take the way through the block beside it."""
    cut = run(tmp_path / "cut", 11, **continent.settings | {"grid": continent.settings["grid"] + ", px = 3, py = 6"})
    assert cut.report["land_blocks"] == 7
    assert cut.report["idle_ranks"] == 0
    assert_same_files(continent.alone, cut)


def test_a_chosen_layout_makes_use_of_land_blocks(continent: Continent, tmp_path: Path) -> None:
    cut = run(tmp_path / "cut", 8, **continent.settings)
    assert cut.report["land_blocks"] > 0
    assert cut.report["idle_ranks"] == 0
    assert_same_files(continent.alone, cut)


def test_idle_ranks_change_nothing(alone: Run, tmp_path: Path) -> None:
    cut = run(tmp_path / "cut", 5, grid="px = 2, py = 2")
    assert cut.report["idle_ranks"] == 1
    assert_same_files(alone, cut)


def test_volume_is_conserved_to_rounding(alone: Run) -> None:
    before, after = alone.report["volume_m3"]
    assert abs(after - before) / before < 1e-13
    assert before > 1e17


def test_tracer_content_is_conserved_to_rounding_without_relaxation(tmp_path: Path) -> None:
    text = run(tmp_path / "closed", 2, physics="relaxation_days = 0.0").text
    start_line, end_line = (line for line in text.splitlines() if "mean temperature" in line)
    for name in ("temperature", "salinity"):
        before, after = (float(line.split(f"mean {name}")[1].split()[0]) for line in (start_line, end_line))
        assert abs(after - before) / before < 1e-12, name


def test_the_flow_moves(alone: Run) -> None:
    with netCDF4.Dataset(alone.folder / "history.nc") as file:
        first, last = file["temp"][0], file["temp"][-1]
        assert np.abs(last - first).max() > 1e-3
        assert 0.05 < np.abs(file["u"][-1]).max() < 3.0
        assert np.ma.count_masked(file["ssh"][-1]) > 0.3 * file["ssh"][-1].size


def test_a_restart_continues_bit_for_bit(alone: Run, tmp_path: Path) -> None:
    half = run(tmp_path / "half", 2, physics="steps = 8")
    rest = run(
        tmp_path / "rest", 3, physics="steps = 4", files=f'restart_from = "{half.folder}/restart.nc", restart_every = 4'
    )
    assert (rest.folder / "restart.nc").read_bytes() == (alone.folder / "restart.nc").read_bytes()


def test_a_layout_with_more_wet_blocks_than_ranks_is_refused_with_the_numbers(tmp_path: Path) -> None:
    done = start(tmp_path / "refused", 2, grid="px = 3, py = 1")
    assert done.returncode != 0
    assert "the layout 3 x 1 has 3 blocks with water, but only 2 ranks compute" in done.stderr


def test_a_time_step_that_is_too_long_is_refused(tmp_path: Path) -> None:
    done = start(tmp_path / "refused", 2, physics="dt_s = 18000.0")
    assert done.returncode != 0
    assert "must stay below 1.73" in done.stderr


@pytest.mark.parametrize("writers", ["sync", "thread"])
@pytest.mark.parametrize(("ranks", "layout"), [(11, ", px = 3, py = 6"), (5, ", px = 2, py = 2"), (1, "")])
def test_thalweg_writes_the_same_values(
    continent: Continent, tmp_path: Path, writers: str, ranks: int, layout: str
) -> None:
    """With land blocks that nobody holds, with an idle rank, and with one rank."""
    settings = continent.settings | {"grid": continent.settings["grid"] + layout}
    written = run_thalweg(tmp_path / "written", ranks, writers, **settings)
    for name in FILES:
        comparison = compare_files(continent.alone.folder / name, written.folder / name)
        assert comparison.equal, comparison.differences


def test_a_restart_through_thalweg_continues_bit_for_bit(alone: Run, tmp_path: Path) -> None:
    half = run_thalweg(tmp_path / "half", 2, "thread", steps=8, physics="steps = 8")
    files = f'restart_from = "{half.folder}/restart.nc"'
    rest = run_thalweg(tmp_path / "rest", 3, "thread", steps=4, physics="steps = 4", files=files)
    comparison = compare_files(alone.folder / "restart.nc", rest.folder / "restart.nc")
    assert comparison.equal, comparison.differences


@pytest.fixture(scope="module")
def blown(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The reference under a wind that is read: one rank, by hand, until after a record of the wind."""
    folder = tmp_path_factory.mktemp("wind")
    write_wind(folder / "wind.nc", MASK, 8 * 3600)
    return run(folder / "alone", 1, physics='steps = 16, wind = "../wind.nc"')


def test_a_wind_that_is_read_by_hand_is_the_same_on_any_number_of_ranks(blown: Run, alone: Run, tmp_path: Path) -> None:
    wind = f'wind = "{blown.folder}/../wind.nc"'
    assert_same_files(blown, run(tmp_path / "cut", 5, grid="px = 2, py = 2", physics=f"steps = 16, {wind}"))
    with netCDF4.Dataset(blown.folder / "history.nc") as under_it, netCDF4.Dataset(alone.folder / "history.nc") as calm:
        assert not np.array_equal(under_it["u"][2], calm["u"][2])


@pytest.mark.parametrize(
    ("writers", "ranks", "layout", "reading"),
    [("sync", 1, "", "auto"), ("thread", 5, "px = 2, py = 2", "domain"), ("{ranks: 1}", 4, "", "independent")],
)
def test_thalweg_reads_the_same_mask_wind_and_restart(
    blown: Run, tmp_path: Path, writers: str, ranks: int, layout: str, reading: str
) -> None:
    """With an idle rank, and beside a server; the second half begins from the restart of the first."""
    more = f"reading: {reading}\nforcing: {{wind: {{file: {blown.folder}/../wind.nc}}}}\n"
    physics = 'steps = 8, wind = "wind"'
    half = run_thalweg(tmp_path / "half", 2, "thread", steps=8, physics=physics, more=more)
    files = f'restart_from = "{half.folder}/restart.nc"'
    rest = run_thalweg(tmp_path / "rest", ranks, writers, steps=8, grid=layout, physics=physics, files=files, more=more)
    comparison = compare_files(blown.folder / "restart.nc", rest.folder / "restart.nc")
    assert comparison.equal, comparison.differences


def test_a_restart_of_another_program_is_refused_with_what_it_lacks(blown: Run, tmp_path: Path) -> None:
    folder = tmp_path / "refused"
    configuration = tmp_path / "thalweg.yaml"
    configuration.write_text("report: none\ncollections: {history: {file: a.nc}, restart: {file: b.nc}}\n")
    files = f'restart_from = "{blown.folder}/history.nc", thalweg_config = "{configuration}", output = "thalweg"'
    done = start(folder, 2, files=files)
    assert done.returncode != 0
    assert "has no variable 'h'" in done.stderr


def is_same(values: np.ma.MaskedArray, expected: np.ma.MaskedArray) -> bool:
    return np.array_equal(values.mask, expected.mask) and np.array_equal(values.compressed(), expected.compressed())


@pytest.mark.parametrize("ranks", [1, 5])
def test_fields_that_are_put_once_a_step_become_what_the_configuration_says(tmp_path: Path, ranks: int) -> None:
    """Beside the history of every step, of which the same is computed here; with an idle rank, too."""
    configuration = tmp_path / "thalweg.yaml"
    configuration.write_text(
        "writers: thread\nreport: none\ntime-step: 30 min\ncollections:\n"
        "  history: {file: history.nc, every: 1 steps, format: cdf5}\n"
        "  restart: {file: restart.nc, every: 12 steps, format: cdf5}\n"
        "  means: {file: means.nc, every: 3 h, operation: mean, fields: [temp, u]}\n"
        "  most: {file: most.nc, every: 3 h, operation: max, fields: [ssh, vorticity]}\n"
        "  some: {file: some.nc, every: 3 h, fields: [salt]}\n"
    )
    grid = "px = 2, py = 2" if ranks == 5 else ""
    files = f'output = "thalweg", thalweg_config = "{configuration}"'
    folder = run(tmp_path / "run", ranks, grid=grid, files=files).folder
    steps = {}
    with netCDF4.Dataset(folder / "history.nc") as history:
        for name in ("temp", "salt", "ssh", "u", "vorticity"):
            steps[name] = history[name][:].reshape(2, 6, *history[name].shape[1:])
            assert np.ma.count_masked(steps[name]) > 0
    with netCDF4.Dataset(folder / "most.nc") as file:
        for name in ("ssh", "vorticity"):
            assert is_same(file[name][:], steps[name].max(axis=1))
    with netCDF4.Dataset(folder / "some.nc") as file:
        assert is_same(file["salt"][:], steps["salt"][:, -1])
    with netCDF4.Dataset(folder / "means.nc") as file:
        for name in ("temp", "u"):
            every = steps[name].astype("float64")  # rounded to float32 once each, as the mean is
            assert np.array_equal(file[name][:].mask, every.mean(axis=1).mask)
            assert np.all(abs(file[name][:] - every.mean(axis=1)) <= 1.3e-7 * abs(every).mean(axis=1))


def test_the_demo_takes_turns_and_tells_medians(tmp_path: Path) -> None:
    script = mpi.SOURCE / "examples" / "ocean" / "demo.py"
    words = ["--quick", "--ranks", "2", "--rounds", "2", "--ways", "none", "classic", "thread"]
    command = [sys.executable, script, "--build-dir", mpi.BUILD, "--out", tmp_path / "out", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    turns = re.findall(r"round (\d), (\S+)", done.stdout)
    first = [("1", "no"), ("1", "gathered"), ("1", "Thalweg,")]
    assert turns == [*first, ("2", "gathered"), ("2", "Thalweg,"), ("2", "no")]
    assert "all files hold the same values" in done.stdout
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    for way in result.values():
        assert way["stall_from_s"] <= way["stall_s_per_record"] <= way["stall_to_s"]
        assert all(seconds > 0 for seconds in way["read"].values())
        assert way["read"]["wind_s"] >= way["read"]["longest_wind_s"]
    shown = done.stdout[done.stdout.index("How long the model waits for what it reads") :]
    assert all(way in shown for way in ("by hand (no output)", "by hand (gathered on rank 0)", "Thalweg, thread"))
    assert "3 records of wind.nc" in " ".join(shown.split())
    assert "daily.nc 2" in " ".join(done.stdout[done.stdout.index("One put a step, 2 days") :].split())
    assert (tmp_path / "out" / "map.png").stat().st_size > 10_000
