# ctest: LABELS mpi TIMEOUT 200
"""Values that are rounded to compress better are those that netCDF-C rounds, bit for bit, and so are the attributes."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from numpy.typing import NDArray
from support import conform, mpi

FIELDS = conform.fields("netcdf4")
STEPS = [1, 2]
MODES = {"keep-digits": "GranularBitRound", "keep-bits": "BitRound"}
ATTRIBUTES = {
    "keep-digits": "_QuantizeGranularBitRoundNumberOfSignificantDigits",
    "keep-bits": "_QuantizeBitRoundNumberOfSignificantBits",
}
# Where a type has no more, nothing is rounded. netCDF-C makes a wrong last bit of the seventh digit of a float.
MOST = {("keep-digits", "float32"): 6, ("keep-digits", "float64"): 15,
        ("keep-bits", "float32"): 22, ("keep-bits", "float64"): 51}  # fmt: skip
KEPT = pytest.mark.parametrize(
    ("key", "keep"),
    [("keep-digits", n) for n in (1, 3, 6, 7, 12, 15)] + [("keep-bits", n) for n in (1, 7, 12, 22, 23, 51, 52)],
)


def wanted(name: str, mode: str) -> NDArray:
    return np.stack([conform.expected(name, FIELDS, mode, step) for step in STEPS])


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


def write(folder: Path, settings: str, mode: str) -> None:
    (folder / "c.yaml").write_text(f"report: none\nemulate-nodes: 2\ncollections: {{fields: {{{settings}}}}}\n")
    mpi.run("conform", 4, folder, "c.yaml", "collections=fields", f"records={len(STEPS)}", f"mode={mode}")


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
        said = {a: int(v) for a, v in attributes[name].items() if a.startswith("_Quantize")}
        assert said == ({ATTRIBUTES[key]: keep} if name in rounded else {}), name
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
        assert not [name for name in file["time"].ncattrs() if name.startswith("_Quantize")]
    # A difference in type is one in the attribute.
    assert {type(v) for of in attributes.values() for a, v in of.items() if a.startswith("_Q")} <= {np.int32}
    check(values, attributes, "mask", key, keep, tmp_path)


@pytest.mark.parametrize(("key", "keep"), [("keep-digits", 4), ("keep-bits", 9)])
def test_zarr_stores_hold_what_netcdf_would_round(tmp_path: Path, key: str, keep: int) -> None:
    write(tmp_path, f"format: zarr, file: ours.zarr, compression: {{codec: zstd, {key}: {keep}}}", "block")
    group = zarr.open_group(tmp_path / "ours.zarr", mode="r")
    values = {name: conform.native(np.asarray(group[name][...])) for name in FIELDS.variables}
    attributes = {name: dict(group[name].attrs) for name in FIELDS.variables}
    check(values, attributes, "block", key, keep, tmp_path)


def test_values_are_rounded_without_a_codec_too(tmp_path: Path) -> None:
    write(tmp_path, "file: ours.nc, compression: {codec: none, keep-digits: 3}", "block")
    with netCDF4.Dataset(tmp_path / "ours.nc") as file:
        file.set_auto_maskandscale(False)
        values = conform.native(file["salt"][...])
    theirs = by_netcdf(tmp_path / "theirs.nc", {"salt": wanted("salt", "block")}, "keep-digits", 3)["salt"]
    assert conform.same_bits(values, theirs), conform.differences(values, theirs)


def test_a_variable_may_be_rounded_in_its_own_way(tmp_path: Path) -> None:
    own = "variables: {salt: {compression: {keep-bits: 20}}, area: {compression: {keep-digits: 5}}}"
    write(tmp_path, f"file: ours.nc, compression: {{codec: deflate, keep-digits: 2}}, {own}", "block")
    how = {"salt": ("keep-bits", 20), "temp": ("keep-digits", 2), "area": ("keep-digits", 5)}
    with netCDF4.Dataset(tmp_path / "ours.nc") as file:
        file.set_auto_maskandscale(False)
        for name, (key, keep) in how.items():
            exact = wanted(name, "block") if name != "area" else conform.expected(name, FIELDS, "block", 0)
            theirs = by_netcdf(tmp_path / f"{name}.nc", {name: exact}, key, keep)[name]
            assert conform.same_bits(conform.native(file[name][...]), theirs), name
            assert file[name].getncattr(ATTRIBUTES[key]) == keep
