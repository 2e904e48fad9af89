# ctest: SHORT TIMEOUT 180
"""The mini-app for users of AsyncIO: every value that it writes by hand and through Thalweg, and its table."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from numpy.typing import NDArray
from support import fortran_file, mpi
from support.checksums import with_companions

NX, NY, NZ, STEPS, EVERY = 13, 11, 5, 6, 2
SHAPES = {3: (NZ, NY, NX), 2: (NY, NX), 1: (NZ,), 0: ()}
# Of each file its variables in their order: name, type, dimensions, number in the formula.
FILES = {
    "microphysics": [("cloud_type", "int32", 3, 1)]
    + [(name, "float32", 3, 2 + n) for n, name in enumerate(("vapour", "cloud", "rain", "ice", "snow"))],
    "surface": [("wet_steps", "int32", 2, 7), ("rainfall", "float32", 2, 8), ("heat_flux", "float64", 2, 9)],
    "dynamics": [("level_type", "int32", 3, 10)]
    + [(name, "float64", 3, 11 + n) for n, name in enumerate(("u", "v", "w", "theta", "pressure"))],
    "profiles": [("cloudy_cells", "int32", 1, 16), ("humidity", "float32", 1, 17), ("mean_theta", "float64", 1, 18)],
    "scalars": [("storms", "int32", 0, 19), ("largest_wind", "float32", 0, 20), ("energy", "float64", 0, 21)],
}
NETCDF = ("surface", "profiles")
OUTPUTS = range(EVERY, STEPS + 1, EVERY)


def run(folder: Path, ranks: int, settings: str, *options: object) -> str:
    collections = "".join(
        f"  {name}: {{file: {name}.nc, format: netcdf4}}\n"
        if name in NETCDF
        else f"  {name}: {{file: {name}.dat, format: fortran}}\n"
        for name in FILES
    )
    (folder / "asyncio_demo.yaml").write_text(f"report: none\n{settings}collections:\n{collections}")
    size = (f"--nx={NX}", f"--ny={NY}", f"--nz={NZ}", f"--steps={STEPS}", f"--every={EVERY}", "--work=0")
    return mpi.run("asyncio_demo", ranks, folder, *size, *options)


def values(variable: tuple[str, str, int, int], step: int) -> NDArray:
    _, type_name, rank, number = variable
    shape = SHAPES[rank]
    cell = np.arange(int(np.prod(shape))).reshape(shape)
    whole = (cell + 4099 * number) % 65521 + number * step
    return np.asarray(whole if type_name == "int32" else whole / 1024).astype(type_name)


def assert_same(found: NDArray, expected: NDArray, what: str) -> None:
    assert found.dtype == expected.dtype, what
    assert found.shape == expected.shape, what
    assert found.tobytes() == expected.tobytes(), what


def assert_fortran(path: Path, variables: list[tuple[str, str, int, int]]) -> None:
    kinds = {name: (type_name, SHAPES[rank]) for name, type_name, rank, _ in variables} | {"time": ("float64", ())}
    data = path.read_bytes()
    assert fortran_file.length_of(data) == len(data), f"{path.name}: something behind its last array"
    _, records = fortran_file.read(path, {}, kinds)
    assert len(records) == len(OUTPUTS), path.name
    for step, record in zip(OUTPUTS, records, strict=True):
        assert record["time"] == 6.0 * step
        for variable in variables:
            assert_same(record[variable[0]], values(variable, step), f"{path.name} {variable[0]} step {step}")


def assert_netcdf(path: Path, variables: list[tuple[str, str, int, int]]) -> None:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        assert file["time"][:].tolist() == [6.0 * step for step in OUTPUTS]
        assert set(file.variables) == {name for name, *_ in variables} | {"time"}
        for variable in variables:
            expected = np.stack([values(variable, step) for step in OUTPUTS])
            assert_same(np.asarray(file[variable[0]][:]), expected, f"{path.name} {variable[0]}")


def assert_table(text: str) -> None:
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.split()}
    for name in FILES:
        assert len(rows[name]) == 7, rows[name]  # MiB, then minimum, mean, maximum of both
        _, *pauses = map(float, rows[name])
        for least, mean, most in (pauses[:3], pauses[3:]):
            assert 0 <= least <= mean <= most
    assert len(rows["advance"]) == len(rows["flush"]) == 3


@pytest.mark.parametrize(
    ("ranks", "settings", "options"),
    [
        (2, "writers: thread\n", ()),
        (4, "writers: sync\n", ("--flush-mib=1",)),
        (4, "writers: thread\nemulate-nodes: 2\nstaging: 8 MiB\n", ()),
    ],
)
def test_both_ways_write_every_value(tmp_path: Path, ranks: int, settings: str, options: tuple[str, ...]) -> None:
    assert_table(run(tmp_path, ranks, settings, *options))
    for name, variables in FILES.items():
        assert_fortran(tmp_path / f"original_{name}.dat", variables)
        if name in NETCDF:
            assert_netcdf(tmp_path / f"{name}.nc", variables)
        else:
            assert (tmp_path / f"{name}.dat").read_bytes() == (tmp_path / f"original_{name}.dat").read_bytes(), name


def test_one_way_alone_leaves_no_file_of_the_other(tmp_path: Path) -> None:
    run(tmp_path, 3, "", "--output", "thalweg")
    endings = {name: "nc" if name in NETCDF else "dat" for name in FILES}
    assert {path.name for path in tmp_path.iterdir()} == {
        "asyncio_demo.yaml",
        *with_companions(f"{name}.{ending}" for name, ending in endings.items()),
    }
    assert_fortran(tmp_path / "dynamics.dat", FILES["dynamics"])
