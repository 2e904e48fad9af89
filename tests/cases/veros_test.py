# ctest: TIMEOUT 300
"""Veros, an ocean model in Python, writes its diagnostics and restarts through Thalweg (examples/veros).

Each value is compared bit for bit with what Veros itself writes on one process. Its results do not depend on the number
of processes where no sums go over all of them: without the streamfunction (line integrals around islands) and without
the conservation of energy (a sum of dissipation). The diagnostics that are such sums, "energy" and parts of
"overturning", are compared with what the ranks hold when they hand it over.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
from support import mpi

EXAMPLE = mpi.SOURCE / "examples" / "veros"
SETUPS = mpi.SOURCE / "tests" / "cases" / "setups"
VENV = mpi.SOURCE / ".cache" / "veros-venv"
PATHS = {"PYTHONPATH": f"{mpi.BUILD / 'python'}:{EXAMPLE}"}
DAYS = 86400
WITHOUT_SUMS = ["-s", "enable_streamfunction", 0, "-s", "enable_conserve_energy", 0]
PROCESSES = {1: (1, 1), 2: (1, 2), 4: (2, 2)}
UNREACHABLE = ("Failed to establish", "NewConnectionError", "ConnectTimeout", "name resolution", "No route", "proxy")


@pytest.fixture(scope="module")
def veros() -> Path:
    """The command of a Veros that is installed for these tests, with the versions that the example names."""
    requirements = EXAMPLE / "requirements.txt"
    key, stamp = hashlib.sha256(requirements.read_bytes()).hexdigest(), VENV / "requirements.sha256"
    if not stamp.is_file() or stamp.read_text() != key:
        venv.create(VENV, clear=True, with_pip=True)
        command = [mpi.SOURCE / "tools" / "install_wheels.sh", VENV / "bin" / "python", "-r", requirements]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        if any(sign in done.stdout + done.stderr for sign in UNREACHABLE) and done.returncode != 0:
            pytest.skip(f"pip reaches no package index, from which to install {requirements}")
        assert done.returncode == 0, done.stdout + done.stderr
        stamp.write_text(key)
    return VENV / "bin" / "veros"


def start(
    veros: Path, setup: Path, ranks: int, folder: Path, days: float, *words: object
) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    if not (folder / "thalweg.yaml").exists():
        (folder / "thalweg.yaml").write_text("report: none\n" + (EXAMPLE / "thalweg.yaml").read_text())
    command = [veros, "run", setup, "-n", *PROCESSES[ranks], "-s", "runlen", days * DAYS, *words]
    # Veros on several processes looks for PETSc otherwise.
    return mpi.launch(["-n", ranks, *command], folder, 60, PATHS | {"VEROS_LINEAR_SOLVER": "scipy"})


def run(veros: Path, setup: Path, ranks: int, folder: Path, days: float, *words: object) -> Path:
    done = start(veros, setup, ranks, folder, days, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(folder.glob("*.partial*"))
    return folder


@pytest.fixture(scope="module")
def plain(veros: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(veros, SETUPS / "plain.py", 1, tmp_path_factory.mktemp("veros") / "plain", 4, *WITHOUT_SUMS)


def contents(path: Path) -> dict[str, np.ndarray]:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return {name: np.asarray(variable[...]) for name, variable in file.variables.items()}


def equal(first: np.ndarray, second: np.ndarray) -> bool:
    return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()


def assert_same_file(ours: Path, theirs: Path, but: tuple[str, ...] = ()) -> None:
    """All that Veros wrote is there, but axes that no variable has."""
    found, expected = contents(ours), contents(theirs)
    expected["time"] = expected.pop("Time")
    with netCDF4.Dataset(theirs) as file:
        used = {dim for name, variable in file.variables.items() for dim in variable.dimensions if dim != name}
        expected = {name: data for name, data in expected.items() if name not in file.dimensions or name in used}
    assert expected.keys() == found.keys() - {"time_bounds"}
    assert [name for name, data in expected.items() if name not in but and not equal(found[name], data)] == []


def assert_as_held(folder: Path, name: str, ranks: int) -> None:
    """The records of a diagnostic are what the ranks handed over; the first along x hold what varies along y only."""
    along_x = PROCESSES[ranks][0]
    file = contents(folder / f"acc.{name}.nc")
    for record in range(len(file["time"])):
        parts = [np.load(folder / f"{name}.{record}.{rank}.npz") for rank in range(0, ranks, along_x)]
        for key in parts[0].files:
            if key == "sigma":
                continue
            whole = parts[0][key]
            if whole.ndim == 2:
                whole = np.concatenate([part[key][2:-2] for part in parts]).T
            assert file[key][record].tobytes() == whole.tobytes(), key


def restart_contents(path: Path, *, with_ghosts: bool = True) -> dict[str, np.ndarray]:
    """As Veros reads it, by groups."""
    found: dict[str, np.ndarray] = {}
    with h5py.File(path) as file:
        for group in ("core", "averages", "energy", "overturning", "snapshot", "tracer_monitor"):
            for key, data in file[group].items():
                rim = () if with_ghosts else tuple(slice(2, -2) for extent in data.shape[:2] if extent in (34, 46))
                found[f"{group}/{key}"] = data[...][rim]
    return found


def assert_same_restart(ours: Path, theirs: Path, *, with_ghosts: bool = True, but: tuple[str, ...] = ()) -> None:
    found = restart_contents(ours, with_ghosts=with_ghosts)
    expected = restart_contents(theirs, with_ghosts=with_ghosts)
    assert found.keys() == expected.keys()
    assert [key for key, data in expected.items() if key not in but and not equal(found[key], data)] == []


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_any_number_of_processes_writes_what_veros_writes_on_one(
    veros: Path, plain: Path, tmp_path: Path, ranks: int
) -> None:
    run(veros, SETUPS / "held.py", ranks, tmp_path, 4, *WITHOUT_SUMS)
    assert len(contents(tmp_path / "acc.snapshot.nc")["time"]) == 4
    for name in ("snapshot", "averages"):
        assert_same_file(tmp_path / f"acc.{name}.nc", plain / f"acc.{name}.nc")
    zonal_sums = ("zarea", "trans", "vsf_iso", "vsf_depth", "bolus_iso", "bolus_depth") if ranks == 4 else ()
    sums = tuple(contents(tmp_path / "acc.energy.nc").keys() - {"time"}) if ranks > 1 else ()
    assert_same_file(tmp_path / "acc.overturning.nc", plain / "acc.overturning.nc", zonal_sums)
    assert_same_file(tmp_path / "acc.energy.nc", plain / "acc.energy.nc", sums)
    for name in ("energy", "overturning"):
        assert_as_held(tmp_path, name, ranks)
    restart = "acc_0008.restart.h5"
    assert_same_restart(tmp_path / restart, plain / restart, but=("overturning/zarea",) if ranks == 4 else ())


def test_veros_by_itself_does_not_write_on_two_processes(veros: Path, tmp_path: Path) -> None:
    done = start(veros, SETUPS / "plain.py", 2, tmp_path, 1)
    assert done.returncode != 0
    assert "h5py was built without MPI support" in done.stderr


def test_a_run_from_a_restart_goes_on_as_the_run_that_wrote_it(veros: Path, tmp_path: Path) -> None:
    """With the set-up as it is: with the streamfunction, and all sums."""
    whole = ["-s", "restart_frequency", 2 * DAYS]
    rest = ["-s", "identifier", "rest", "-s", "restart_input_filename"]
    one = run(veros, EXAMPLE / "acc.py", 1, tmp_path / "one", 3, *whole)
    itself = run(veros, SETUPS / "plain.py", 1, tmp_path / "plain", 3, *whole)
    for name in ("snapshot", "averages", "overturning", "energy"):
        assert_same_file(one / f"acc.{name}.nc", itself / f"acc.{name}.nc")
    run(veros, EXAMPLE / "acc.py", 1, one, 1, *rest, "acc_0004.restart.h5")
    run(veros, SETUPS / "plain.py", 1, itself, 1, *rest, one / "acc_0004.restart.h5")
    for folder in (one, itself):
        assert_same_restart(folder / "rest_0002.restart.h5", itself / "acc_0006.restart.h5")

    # On several processes Veros exchanges the outermost ghost cells when it reads, and not in each step.
    two = run(veros, EXAMPLE / "acc.py", 2, tmp_path / "two", 3, *whole)
    run(veros, EXAMPLE / "acc.py", 2, two, 1, *rest, "acc_0004.restart.h5")
    assert_same_restart(two / "rest_0002.restart.h5", two / "acc_0006.restart.h5", with_ghosts=False)
    run_on, uninterrupted = (contents(two / f"{name}.snapshot.nc") for name in ("rest", "acc"))
    assert run_on["time"].tolist() == [3.0]
    with netCDF4.Dataset(two / "acc.snapshot.nc") as file:
        records = {name for name, variable in file.variables.items() if "time" in variable.dimensions}
    assert [key for key in records if not equal(run_on[key], uninterrupted[key][-1:])] == []


def test_attributes_follow_cf(veros: Path, tmp_path: Path) -> None:
    run(veros, EXAMPLE / "acc.py", 1, tmp_path, 2)
    coder = xarray.coders.CFDatetimeCoder(use_cftime=True)
    with xarray.open_dataset(tmp_path / "acc.averages.nc", decode_times=coder) as file:
        assert file.attrs["Conventions"] == "CF-1.11"
        assert file.attrs["setup_identifier"] == "acc"
        assert file.attrs["setup_code"] == (EXAMPLE / "acc.py").read_text()
        assert [str(time) for time in file.time.values] == ["1900-01-03 00:00:00"]
        assert file.time.values[0].calendar == "360_day"
        assert [str(time) for time in file.time_bounds.values[0]] == ["1900-01-01 00:00:00", "1900-01-03 00:00:00"]
        assert {name: file[name].attrs["axis"] for name in ("time", "zt", "yu", "xu")} == {
            "time": "T",
            "zt": "Z",
            "yu": "Y",
            "xu": "X",
        }
        temp = file["temp"]
        assert temp.dims == ("time", "zt", "yt", "xt")
        assert (temp.attrs["units"], temp.attrs["cell_methods"]) == ("degC", "time: mean")
        assert temp.attrs["standard_name"] == "sea_water_conservative_temperature"
        land = temp.isnull().values[0, -1]
        assert 0 < land.sum() < land.size
    with netCDF4.Dataset(tmp_path / "acc.snapshot.nc") as file:
        units = {variable.units for variable in file.variables.values()}
        assert not [text for text in units if "deg C" in text or "(" in text or not text]
        assert not [name for name in file.dimensions if hasattr(file[name], "_FillValue")]
        assert file["temp"].filters()["zstd"]


def run_alone(command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Without mpiexec."""
    return subprocess.run(
        command, cwd=folder, env=mpi.OUTSIDE | PATHS, capture_output=True, text=True, timeout=60, check=False
    )


def test_an_error_on_one_process_ends_the_job_and_leaves_the_records(veros: Path, tmp_path: Path) -> None:
    config = {
        "report": "none",
        "writers": "sync",
        "collections": {"snapshot": {"format": "netcdf4", "write-behind": {"below": "0 B"}}},
    }
    (tmp_path / "thalweg.yaml").write_text(json.dumps(config))
    done = start(veros, SETUPS / "failing.py", 2, tmp_path, 4)
    assert done.returncode not in (0, 124), done.stderr
    assert "ArithmeticError: the model has failed" in done.stderr
    assert not list(tmp_path.glob("*.restart.h5"))
    recover = "import thalweg; print(thalweg.recover('acc.snapshot.nc.partial'))"
    told = run_alone([sys.executable, "-c", recover], tmp_path)
    assert told.stdout == "2\n", told.stderr
    assert contents(tmp_path / "acc.snapshot.nc")["time"].tolist() == [1.0, 2.0]


def test_what_veros_decides_is_not_configured(veros: Path, tmp_path: Path) -> None:
    refused = {
        "config.yaml: leave out 'every' of 'snapshot': its frequency is set in Veros": {
            "collections": {"snapshot": {"every": "1 d"}}
        },
        "config.yaml: leave out 'time-step', which Veros says": {"time-step": "1 h"},
        "config.yaml: collections: no diagnostic 'snapshots'; there are restart, snapshot": {
            "collections": {"snapshots": {}}
        },
        "config.yaml: 'writers: {'ranks': 1}': all ranks compute in Veros; possible are thread and sync": {
            "writers": {"ranks": 1}
        },
        "accepted": {"writers": "sync", "collections": {"snapshot": {"format": "cdf5"}, "restart": {}}},
    }
    (tmp_path / "cases.json").write_text(json.dumps(list(refused.values())))
    done = run_alone([veros.with_name("python"), SETUPS / "refusals.py", "cases.json"], tmp_path)
    assert done.stdout.splitlines() == list(refused), done.stderr
