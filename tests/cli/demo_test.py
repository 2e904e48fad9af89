# ctest: LABELS cli mpi TIMEOUT 120
"""thalweg demo: the atmosphere's runs are compared, the ocean is left to its script, what is missing is said."""

from __future__ import annotations

import sys
from pathlib import Path

import netCDF4
import pytest
from support import mpi
from support.command import refused, thalweg, use_programs
from thalweg import programs
from thalweg.cli.demo import atmosphere, ocean

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

# A model that writes its number of the way, and other numbers where the text says so.
MODEL = """\
import json, os, sys
from pathlib import Path
import netCDF4
way = os.environ.get("THALWEG_WRITERS", "none")
if way != "none":
    with netCDF4.Dataset("history.nc", "w") as file:
        for dim, size in {{"time": 2, "lat": 8, "lon": 16}}.items():
            file.createDimension(dim, size)
        file.createVariable("time", "f8", ("time",))[:] = [0.0, 3600.0]
        file.createVariable("height", "f4", ("time", "lat", "lon"))[:] = {height}
told = {{"wall_s": 1.0, "output_s": 0.5, "mass_change": 0.0, "energy_change": 0.0}}
Path("report.json").write_text(json.dumps(told))
"""


@pytest.fixture
def a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program can be put in place of the atmosphere."""
    monkeypatch.setattr(atmosphere, "PLACES", (tmp_path, tmp_path))
    return tmp_path / "atmosphere.py"


def test_the_atmosphere_runs_three_times_and_writes_the_same(tmp_path: Path) -> None:
    done = thalweg("demo", "--model", "atmosphere", "--quick", "-n", 2, "--out", tmp_path, "--json")
    assert done.code == 0, done.err
    told = done.json
    assert (told["model"], told["ranks"], told["grid"], told["step_s"], told["days"]) == (
        "atmosphere",
        2,
        "48x24",
        720,
        1.0,
    )
    assert list(told["results"]) == ["none", "sync", "thread"]
    sizes = {way: sum(path.stat().st_size for path in (tmp_path / way).glob("*.nc")) for way in told["results"]}
    assert {way: result["bytes"] for way, result in told["results"].items()} == sizes
    assert sizes["none"] == 0 and sizes["thread"] > 100_000
    assert told["equal"] is True
    with netCDF4.Dataset(tmp_path / "thread" / "history.nc") as history:
        assert len(history.dimensions["time"]) == 24
        values = sum(variable.size for variable in history.variables.values())
    with netCDF4.Dataset(tmp_path / "sync" / "restart.nc") as restart:
        values += sum(variable.size for variable in restart.variables.values())
    assert told["compared"] == values
    assert 10.0 < told["wave_deg_a_day"] < 12.2
    for result in told["results"].values():
        assert abs(result["mass_change"]) < 1e-14 and abs(result["energy_change"]) < 1e-6


def test_the_text_shows_the_runs_and_the_height(tmp_path: Path) -> None:
    words = ("--grid", "32x16", "--days", 0.25, "--format", "zarr", "-n", 1, "--out", tmp_path)
    done = thalweg("demo", "--model", "atmosphere", *words)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "The atmosphere of 32x16 cells for 0.25 days on 1 rank: 3 runs"
    assert [line.split("  ")[0] for line in lines[2:5]] == ["no output", "Thalweg, sync", "Thalweg, thread"]
    picture = [line for line in lines if line.startswith("  ") and len(line) == 34 and "/" not in line]
    assert len(picture) == 16 and picture[0] != picture[8]
    assert f"  thalweg verify {tmp_path}/thread/history.zarr" in lines
    assert f"  {atmosphere.PLACES[1]}/output.py: what a model has to say" in lines


def test_files_that_differ_are_a_finding(tmp_path: Path, a_model: Path) -> None:
    a_model.write_text(MODEL.format(height="1.0 if way == 'sync' else 2.0"))
    done = thalweg("demo", "--model", "atmosphere", "-n", 1, "--out", tmp_path / "out", "--json")
    assert (done.code, done.json["equal"]) == (1, False)
    assert "differ: see 'thalweg verify" in done.err
    a_model.write_text(MODEL.format(height="2.0"))
    assert thalweg("demo", "--model", "atmosphere", "-n", 1, "--out", tmp_path / "out", "--json").code == 0


def test_a_model_that_fails_is_said_with_its_reason(tmp_path: Path, a_model: Path) -> None:
    a_model.write_text("raise ArithmeticError('the wave broke')\n")
    said = refused(4, "demo", "--model", "atmosphere", "-n", 1, "--out", tmp_path / "out", "--json")
    assert "ArithmeticError: the wave broke" in said and "log.txt" in said


def test_a_model_that_does_not_end_is_ended(tmp_path: Path, a_model: Path) -> None:
    a_model.write_text("import time\ntime.sleep(100)\n")
    said = refused(4, "demo", "--model", "atmosphere", "-n", 1, "--out", tmp_path / "out", "--json", "--limit", 1)
    assert "did not end within 1 s; --limit allows more" in said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--grid", "144"), "--grid: '144' is no grid"),
        (("--grid", "32x8", "-n", 5), "--grid: '32x8' is too small: at least 16x8, and 2 rows for each of 5 ranks"),
        (("--grid", "99999x8"), "'99999x8' would need steps of less than a second"),
        (("--model", "ocean", "--days", 2), "--days is for '--model atmosphere'; the ocean has --quick"),
        (("--model", "ocean", "--format", "zarr"), "--format zarr is for '--model atmosphere'"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: tuple[object, ...], reason: str) -> None:
    model = () if "--model" in words else ("--model", "atmosphere")
    assert reason in refused(2, "demo", *model, *words)


def test_under_mpiexec_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "4")
    assert "demo starts mpiexec by itself" in refused(2, "demo")


def test_the_ocean_gets_its_options_and_its_result_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "demo.py"
    script.write_text(
        "import json, sys\nfrom pathlib import Path\nout = Path(sys.argv[sys.argv.index('--out') + 1])\n"
        "out.mkdir(exist_ok=True)\n(out / 'result.json').write_text(json.dumps({'words': sys.argv[1:]}))\n"
        "sys.exit(1 if 'cdf5' in sys.argv else 0)\n"
    )
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ocean").symlink_to(sys.executable)
    monkeypatch.setattr(ocean, "SCRIPT", script)
    monkeypatch.setattr(programs, "folders", lambda: [tmp_path / "bin"])
    out = tmp_path / "out"
    common = ["--build-dir", str(tmp_path), "--out", str(out), "--ranks"]
    done = thalweg("demo", "--quick", "--out", out, "--json")
    assert (done.code, done.json["model"], done.json["ranks"]) == (0, "ocean", 4)
    assert done.json["ways"] == {"words": [*common, "4", "--format", "netcdf4", "--quick"]}
    done = thalweg("demo", "--model", "ocean", "-n", 2, "--format", "cdf5", "--out", out, "--json")
    assert (done.code, done.json["ways"]) == (1, {"words": [*common, "2", "--format", "cdf5"]})
    script.write_text("raise SystemExit(1)\n")
    assert "ended with code 1" in refused(4, "demo", "--model", "ocean", "--out", out, "--json")


def test_an_ocean_that_is_not_here_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "folders", lambda: [tmp_path])
    assert "it is built by 'make build' in these sources" in refused(4, "demo", "--model", "ocean")
    monkeypatch.setattr(ocean, "SCRIPT", tmp_path / "demo.py")
    said = refused(4, "demo", "--model", "ocean")
    assert "it comes with Thalweg's sources, in which 'make demo' builds and runs it" in said
    assert "'thalweg demo --model atmosphere' runs here" in said


def test_the_ocean_is_where_the_command_looks_for_it() -> None:
    assert ocean.SCRIPT == mpi.SOURCE / "examples" / "ocean" / "demo.py"
    assert ocean.SCRIPT.is_file()
