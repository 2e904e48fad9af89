# ctest: LABELS mpi TIMEOUT 200
"""Values that are rounded to compress better are those that netCDF-C rounds, bit for bit, and so are the attributes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import xarray
import zarr
from numpy.typing import NDArray
from support import checksums, conform, mpi

FIELDS = conform.fields("netcdf4")
STEPS = [1, 2]
MODES = {"keep-digits": "GranularBitRound", "keep-bits": "BitRound"}
ATTRIBUTES = {
    "keep-digits": "_QuantizeGranularBitRoundNumberOfSignificantDigits",
    "keep-bits": "_QuantizeBitRoundNumberOfSignificantBits",
}
CONTAINERS = {"keep-digits": "quantization_info_granular_bitround", "keep-bits": "quantization_info_bitround"}
CF_KEPT = {"keep-digits": "quantization_nsd", "keep-bits": "quantization_nsb"}
# Where a type has no more, nothing is rounded. netCDF-C makes a wrong last bit of the seventh digit of a float.
MOST = {("keep-digits", "float32"): 6, ("keep-digits", "float64"): 15,
        ("keep-bits", "float32"): 22, ("keep-bits", "float64"): 51}  # fmt: skip
KEPT = pytest.mark.parametrize(
    ("key", "keep"),
    [("keep-digits", n) for n in (1, 3, 6, 7, 12, 15)] + [("keep-bits", n) for n in (1, 7, 12, 22, 23, 51, 52)],
)


def wanted(name: str, mode: str) -> NDArray:
    return conform.expected(name, FIELDS, mode, tuple(STEPS))


def by_netcdf(path: Path, values: dict[str, NDArray], key: str, keep: int) -> dict[str, NDArray]:
    """What netCDF-C makes of the values, as others would have had them written."""
    with netCDF4.Dataset(path, "w") as file:
        for name, of in values.items():
            dims = [f"{name}{d}" for d in range(of.ndim)]
            for dim, size in zip(dims, of.shape, strict=True):
                file.createDimension(dim, size)
            variable = file.createVariable(name, of.dtype, dims, significant_digits=keep, quantize_mode=MODES[key],
                                           fill_value=conform.FILL.get(name), zlib=True)  # fmt: skip
            variable.set_auto_maskandscale(False)
            variable[...] = of
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        for name in values:
            assert file[name].getncattr(ATTRIBUTES[key]) == keep
        return {name: conform.native(file[name][...]) for name in values}


def write(folder: Path, settings: str, mode: str, types: str = "all", nodes: str = "2") -> None:
    (folder / "c.yaml").write_text(f"report: none\nemulate-nodes: {nodes}\ncollections: {{fields: {{{settings}}}}}\n")
    words = ("collections=fields", f"records={len(STEPS)}", f"mode={mode}", f"types={types}")
    done = mpi.start("conform", 4, folder, "c.yaml", *words)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "not put" not in said, f"what nobody can put is missed:\n{said}"


def rounding_words(attributes: dict[str, object]) -> dict[str, object]:
    """What attributes say of rounding, by netCDF-C's names and by those of CF."""
    words = {a: v for a, v in attributes.items() if a.startswith(("_Quantize", "quantization"))}
    return {a: v if isinstance(v, str) else int(v) for a, v in words.items()}


def rounded_by(key: str, keep: int) -> dict[str, object]:
    return {ATTRIBUTES[key]: keep, "quantization": CONTAINERS[key], CF_KEPT[key]: keep}


def check(
    values: dict[str, NDArray], attributes: dict[str, dict], mode: str, key: str, keep: int, folder: Path
) -> None:
    """Reals with records are rounded as by netCDF-C, and nothing else is."""
    rounded = {
        name: wanted(name, mode)
        for name, variable in FIELDS.variables.items()
        if variable.has_record and keep <= MOST.get((key, variable.type), 0)
    }
    assert ("temp" in rounded) == (keep <= MOST[key, "float32"])
    theirs = by_netcdf(folder / "theirs.nc", rounded, key, keep)
    for name, variable in FIELDS.variables.items():
        exact = wanted(name, mode) if variable.has_record else conform.expected(name, FIELDS, mode, 0)
        expected = theirs.get(name, exact)
        assert conform.same_bits(values[name], expected), f"{name}: {conform.differences(values[name], expected)}"
        assert rounding_words(attributes[name]) == (rounded_by(key, keep) if name in rounded else {}), name
        if name == "temp" and name in rounded:
            assert not conform.same_bits(expected, exact), "nothing was rounded"


@KEPT
def test_netcdf4_files_hold_what_netcdf_would_round(tmp_path: Path, key: str, keep: int) -> None:
    compression = f"compression: {{codec: zstd, {key}: {keep}}}"
    write(tmp_path, f"file: ours.nc, {compression}, chunks: {{x: 17, y: 9}}, pattern: shared", "mask")
    with netCDF4.Dataset(tmp_path / "ours.nc") as file:
        file.set_auto_maskandscale(False)
        values = {name: conform.native(file[name][...]) for name in FIELDS.variables}
        attributes = {name: {a: file[name].getncattr(a) for a in file[name].ncattrs()} for name in FIELDS.variables}
        assert list(file["time"][...]) == [conform.STEP_S * step for step in STEPS], "times are not rounded"
        assert not [name for name in file["time"].ncattrs() if "uantiz" in name]
        rounds = any(rounding_words(of) for of in attributes.values())
        own = {CONTAINERS[key]} if rounds else set()
        assert set(file.variables) == set(FIELDS.variables) | {"time"} | own
    # A difference in type is one in the attribute.
    kept = (ATTRIBUTES[key], CF_KEPT[key])
    assert {type(v) for of in attributes.values() for a, v in of.items() if a in kept} <= {np.int32}
    check(values, attributes, "mask", key, keep, tmp_path)
    checksums.check_written(tmp_path / "ours.nc")


@pytest.mark.parametrize(("key", "keep"), [("keep-digits", 4), ("keep-bits", 9)])
def test_zarr_stores_hold_what_netcdf_would_round(tmp_path: Path, key: str, keep: int) -> None:
    write(
        tmp_path,
        f"format: zarr, file: ours.zarr, pattern: shared, compression: {{codec: zstd, {key}: {keep}}}",
        "block",
    )
    group = zarr.open_group(tmp_path / "ours.zarr", mode="r")
    values = {name: conform.native(np.asarray(group[name][...])) for name in FIELDS.variables}
    attributes = {name: dict(group[name].attrs) for name in FIELDS.variables}
    check(values, attributes, "block", key, keep, tmp_path)
    checksums.check_written(tmp_path / "ours.zarr")


def test_values_are_rounded_without_a_codec_too(tmp_path: Path) -> None:
    write(tmp_path, "file: ours.nc, pattern: shared, compression: {codec: none, keep-digits: 3}", "block")
    with netCDF4.Dataset(tmp_path / "ours.nc") as file:
        file.set_auto_maskandscale(False)
        values = conform.native(file["salt"][...])
    theirs = by_netcdf(tmp_path / "theirs.nc", {"salt": wanted("salt", "block")}, "keep-digits", 3)["salt"]
    assert conform.same_bits(values, theirs), conform.differences(values, theirs)
    checksums.check_written(tmp_path / "ours.nc")


def test_a_variable_may_be_rounded_in_its_own_way(tmp_path: Path) -> None:
    own = "variables: {salt: {compression: {keep-bits: 20}}, area: {compression: {keep-digits: 5}}}"
    write(tmp_path, f"file: ours.nc, pattern: shared, compression: {{codec: deflate, keep-digits: 2}}, {own}", "block")
    how = {"salt": ("keep-bits", 20), "temp": ("keep-digits", 2), "area": ("keep-digits", 5)}
    with netCDF4.Dataset(tmp_path / "ours.nc") as file:
        file.set_auto_maskandscale(False)
        for name, (key, keep) in how.items():
            exact = wanted(name, "block") if name != "area" else conform.expected(name, FIELDS, "block", 0)
            theirs = by_netcdf(tmp_path / f"{name}.nc", {name: exact}, key, keep)[name]
            assert conform.same_bits(conform.native(file[name][...]), theirs), name
            assert file[name].getncattr(ATTRIBUTES[key]) == keep


@dataclass(frozen=True)
class Stored:
    """A variable as a reader has it."""

    values: NDArray
    attributes: dict[str, object]


def by_netcdf4(path: Path) -> dict[str, Stored]:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return {n: Stored(conform.native(v[...]), {a: v.getncattr(a) for a in v.ncattrs()})
                for n, v in file.variables.items()}  # fmt: skip


def by_zarr(path: Path) -> dict[str, Stored]:
    group = zarr.open_group(path, mode="r")
    return {n: Stored(conform.native(np.asarray(v[...])), dict(v.attrs)) for n, v in group.arrays()}


def by_xarray(path: Path) -> dict[str, Stored]:
    engine = "zarr" if path.is_dir() else "netcdf4"
    with xarray.open_dataset(path, engine=engine, mask_and_scale=False, decode_times=False) as file:
        return {str(n): Stored(conform.native(v.values), dict(v.attrs)) for n, v in file.variables.items()}


@pytest.mark.parametrize(
    ("settings", "types", "nodes"),
    [
        pytest.param("file: ours.nc, format: netcdf4, pattern: shared", "all", "[1, 2, 1]", id="netcdf4, three nodes"),
        pytest.param("file: ours.nc, format: netcdf4, pattern: per-rank", "all", "2", id="netcdf4, a set of files"),
        pytest.param("file: ours.nc, format: netcdf4-classic, pattern: single", "classic", "none", id="classic"),
        pytest.param("file: ours.zarr, format: zarr, pattern: shared", "all", "2", id="zarr, two nodes"),
        pytest.param("file: ours.zarr, format: zarr, pattern: single, sharding: true", "all", "none", id="shards"),
    ],
)
def test_readers_are_told_of_rounding_in_the_words_of_cf(tmp_path: Path, settings: str, types: str, nodes: str) -> None:
    own = "variables: {salt: {compression: {keep-bits: 20}}, temp: {compression: {keep-bits: 9}}}"
    compression = "compression: {codec: zstd, checksum: true, keep-digits: 2}"
    write(tmp_path, f"{settings}, {compression}, {own}", "block", types, nodes)
    path = min(tmp_path.glob("ours.*"))  # of a set the master
    wanted = {
        name: rounded_by("keep-digits", 2) if variable.has_record and variable.type.startswith("float") else {}
        for name, variable in conform.fields("netcdf4" if types == "all" else "netcdf4-classic").variables.items()
    }
    wanted |= {"time": {}, "salt": rounded_by("keep-bits", 20), "temp": rounded_by("keep-bits", 9)}
    for read in (by_zarr if path.is_dir() else by_netcdf4, by_xarray):
        stored = read(path)
        assert set(stored) == set(wanted) | set(CONTAINERS.values())
        assert {name: rounding_words(stored[name].attributes) for name in wanted} == wanted
        for key, algorithm in (("keep-bits", "bitround"), ("keep-digits", "granular_bitround")):
            container = stored[CONTAINERS[key]]
            assert conform.same_bits(container.values, np.array(netCDF4.default_fillvals["i1"], dtype="i1"))
            assert set(container.attributes) == {"algorithm", "implementation"}
            assert container.attributes["algorithm"] == algorithm
            assert re.fullmatch(r"Thalweg version \d+\.\d+\.\d+", str(container.attributes["implementation"]))
