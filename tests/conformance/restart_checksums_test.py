# ctest: LABELS mpi TIMEOUT 240
"""Restarts have the attribute `checksum` that FMS computes: a Fortran program says it, and NumPy of the values read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from numpy.typing import NDArray
from support import checksums, mpi, ways
from support.command import thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

FORMATS = ["cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr"]
CHUNKED = "chunks: {y: 7, x: 11}"
COMPRESSED = f"{CHUNKED}, compression: {{codec: zstd, checksum: true}}"
ROUNDED = f"{CHUNKED}, compression: {{keep-digits: 4}}"
LAYOUTS = ["pattern: single", "pattern: shared, layout: [2, 2]", "pattern: shared, layout: [3, 1]"]
MACHINES = [(1, ""), (4, "emulate-nodes: 2"), (4, "writers: sync"), (5, "writers: {ranks: 2}"),
            (6, "emulate-nodes: 3\nwriters: {nodes: 1}")]  # fmt: skip
FIELDS = {"area", "temp", "ssh", "mean"}


def write(folder: Path, ranks: int, top: str, settings: str, records: int = 2) -> str:
    (folder / "thalweg.yaml").write_text(
        f"report: none\ntime-step: 1 h\n{top}\ncollections: {{restart: {{checksum-attributes: true, {settings}}}}}\n"
    )
    return mpi.run("restart", ranks, folder, records)


def said_by_fortran(output: str, record: int) -> dict[str, str]:
    """Of the variables without records, too, which the program names under 0."""
    lines = re.findall(r"^(\w+) (\d+) \|(.{16})\|$", output, re.MULTILINE)
    return {name: text for name, of, text in lines if int(of) in (0, record)}


def held_by(path: Path) -> tuple[dict[str, str], dict[str, NDArray]]:
    """The attributes of a file or a store, and its values."""
    if path.suffix == ".zarr":
        arrays = dict(zarr.open_group(path, mode="r").arrays())
        texts = {name: dict(array.attrs) for name, array in arrays.items()}
        by_itself = {name: dict(zarr.open_array(path / name, mode="r").attrs) for name in arrays}
        assert texts == by_itself  # root and arrays
        return named(texts), {name: np.asarray(array[...]) for name, array in arrays.items()}
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        values = {name: variable[...] for name, variable in file.variables.items()}
        native = {name: of.astype(of.dtype.newbyteorder("=")) for name, of in values.items()}
        return named({name: variable.__dict__ for name, variable in file.variables.items()}), native


def named(attributes: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    return {name: str(of["checksum"]) for name, of in attributes.items() if "checksum" in of}


def by_numpy(values: NDArray) -> str:
    return f"{int(values.reshape(-1).view('u8').sum(dtype=np.uint64)):16X}"


def check(path: Path, said: Mapping[str, str] | None) -> None:
    texts, values = held_by(path)
    assert set(texts) == FIELDS
    assert texts == {name: by_numpy(values[name]) for name in FIELDS}
    assert said is None or texts == said
    assert texts["mean"].startswith(12 * " ")  # FMS compares texts, to which zeros in front would be others
    checksums.check_written(path)
    done = thalweg("verify", path)
    assert done.code == 0
    assert "'checksum', which FMS compares, is right for 4 variables" in done.out


@pytest.mark.parametrize(("format_name", "layout", "machine"), ways.ways(FORMATS, LAYOUTS, MACHINES))
def test_every_format_has_what_fms_would_write(
    tmp_path: Path, format_name: str, layout: str, machine: tuple[int, str]
) -> None:
    ending = "zarr" if format_name == "zarr" else "nc"
    output = write(tmp_path, *machine, f"file: out-%H.{ending}, format: {format_name}, {layout}")
    for record in (1, 2):
        check(tmp_path / f"out-{record:02}.{ending}", said_by_fortran(output, record))


@pytest.mark.parametrize("more", [CHUNKED, COMPRESSED, ROUNDED, "durability: record"])
@pytest.mark.parametrize("format_name", ["netcdf4", "zarr"])
def test_what_is_compressed_or_rounded_has_it_of_what_is_stored(tmp_path: Path, format_name: str, more: str) -> None:
    ending = "zarr" if format_name == "zarr" else "nc"
    output = write(tmp_path, 4, "emulate-nodes: 2", f"file: out-%H.{ending}, format: {format_name}, {more}")
    check(tmp_path / f"out-01.{ending}", None if more == ROUNDED else said_by_fortran(output, 1))


def test_it_needs_no_companion(tmp_path: Path) -> None:
    output = write(tmp_path, 2, "", "file: out-%H.nc, format: cdf5, header-reserve: 0 B, record-checksums: false")
    assert held_by(tmp_path / "out-02.nc")[0] == said_by_fortran(output, 2)
    assert not checksums.beside(tmp_path / "out-02.nc").exists()
    assert thalweg("verify", tmp_path / "out-02.nc").code == 0


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
def test_verify_finds_a_value_that_was_changed_since(tmp_path: Path, format_name: str) -> None:
    write(tmp_path, 2, "", f"file: out-%H.nc, format: {format_name}, record-checksums: false")
    path = tmp_path / "out-01.nc"
    with netCDF4.Dataset(path, "r+") as file:
        file["ssh"][0, 3, 4] += 1.0
    done = thalweg("verify", path)
    assert done.code == 1
    assert re.search(r"problem +attributes +'out-01.nc', variable 'ssh': its attribute 'checksum' says", done.out)
    assert "FMS refuses to read it" in done.out


def test_a_second_record_of_a_file_is_refused_and_the_first_is_kept(tmp_path: Path) -> None:
    (tmp_path / "thalweg.yaml").write_text(
        "report: none\ncollections: {restart: {checksum-attributes: true, file: out.nc, format: cdf5}}\n"
    )
    done = mpi.start("restart", 2, tmp_path, 2)
    assert done.returncode != 0
    assert "would be record 2 of a file, but with checksum-attributes each file has one" in done.stderr
