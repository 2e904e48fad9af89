"""Programs and libraries of others that read the files, each compared with the formula."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h5netcdf
import numpy as np
import tensorstore
import xarray
from numpy.typing import NDArray
from support import conform
from support.cases import SETS, Case

SAMPLES = {
    "cdf1": Case(format="cdf1"),
    "cdf2": Case(format="cdf2"),
    "cdf5": Case(format="cdf5"),
    "netcdf4": Case(format="netcdf4"),
    "netcdf4, odd chunks": Case(format="netcdf4", chunks="odd"),
    "netcdf4, deflate": Case(format="netcdf4", codec="deflate", chunks="odd"),
    "netcdf4, checksum": Case(format="netcdf4", codec="checksum"),
    "netcdf4, zstd": Case(format="netcdf4", codec="zstd", chunks="odd"),
    "netcdf4, zstd and checksum": Case(format="netcdf4", codec="zstd+checksum"),
    "netcdf4, set of files": Case(format="netcdf4", pattern="per-domain 2x2"),
    "netcdf4-classic": Case(format="netcdf4-classic"),
    "netcdf4-classic, deflate": Case(format="netcdf4-classic", codec="deflate"),
    "zarr": Case(format="zarr"),
    "zarr, zstd": Case(format="zarr", codec="zstd+checksum", chunks="odd"),
    "zarr, zstd with shuffle": Case(format="zarr", codec="zstd", chunks="odd"),
    "zarr, zstd with shuffle, shards": Case(format="zarr", codec="zstd", chunks="shards"),
    "zarr, zstd, shards": Case(format="zarr", codec="zstd+checksum", chunks="shards"),
    "fortran": Case(format="fortran"),
}
HDF5 = tuple(name for name, case in SAMPLES.items() if case.format.startswith("netcdf4"))
MASTERS = tuple(name for name, case in SAMPLES.items() if case.pattern in SETS)
STORES = tuple(name for name, case in SAMPLES.items() if case.format == "zarr")
CDF = ("cdf1", "cdf2", "cdf5")
ALL = CDF + HDF5  # of netCDF
NEEDS_PLUGIN = tuple(name for name in HDF5 if "zstd" in name)
KINDS = {"cdf1": "classic", "cdf2": "64-bit offset", "cdf5": "cdf5", "netcdf4": "netCDF-4",
         "netcdf4-classic": "netCDF-4 classic model"}  # fmt: skip
# CDO works on one horizontal grid of (y, x) at a time and has no integers of 64 bits.
KNOWN_TO_CDO = ("temp", "salt", "as_int16", "as_float32", "as_float64", "vorticity")


@dataclass(frozen=True)
class Sample:
    """A file with all fields that a run wrote."""

    path: Path
    format: str
    mode: str
    steps: tuple[int, ...]
    has_zstd: bool = False
    is_master: bool = False

    @property
    def content(self) -> conform.Content:
        return conform.fields(self.format)

    def expected(self, name: str) -> NDArray:
        """All records of a variable."""
        if not self.content.variables[name].has_record:
            return conform.expected(name, self.content, self.mode, 0)
        return conform.expected(name, self.content, self.mode, tuple(self.steps))


def tool(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def assert_same(sample: Sample, name: str, found: NDArray) -> None:
    wanted = sample.expected(name)
    assert conform.same_bits(conform.native(found), wanted), (
        f"{name}: {conform.differences(conform.native(found), wanted)}"
    )


def by_ncdump(sample: Sample) -> None:
    """The kind, the header, and the text of every value of some variables."""
    assert tool("ncdump", "-k", sample.path).strip() == KINDS[sample.format]
    header = tool("ncdump", "-h", sample.path)
    assert f"time = UNLIMITED ; // ({len(sample.steps)} currently)" in header
    assert "float temp(time, z, y, x) ;" in header
    for name in ("temp", "as_int32", "total", "flags"):
        text = tool("ncdump", "-p", "9,17", "-v", name, sample.path)
        section = re.search(rf"\n {name} =\s(.*?);\n", text, re.DOTALL)
        assert section, name
        wanted = sample.expected(name)
        fill = str(conform.fill_of(name, str(wanted.dtype)))  # ncdump prints '_' for it
        assert_same(sample, name, as_numbers(section.group(1).replace("_", fill), wanted))


def as_numbers(text: str, like: NDArray) -> NDArray:
    """Decimals with 9 and 17 digits tell all floats and doubles apart."""
    numbers = np.array([float(word) for word in text.split(",")])
    return numbers.astype(like.dtype).reshape(like.shape)


def by_ncks(sample: Sample) -> None:
    """A copy made by NCO holds the same values; one without filters where it cannot write those that it reads, and
    without chunks, of which it knows none in a virtual master."""
    copy = sample.path.with_name("ncks.nc")
    options = ["--fl_fmt=64bit_data"] * sample.has_zstd + ["--cnk_plc=uck"] * sample.is_master
    tool("ncks", "-O", *options, sample.path, copy)
    conform.check_file(copy, sample.content, list(sample.steps), sample.mode, attributes=True)


def by_cdo(sample: Sample) -> None:
    """CDO understands the file and prints every value of some variables."""
    assert "salt" in tool("cdo", "-s", "infon", sample.path)
    for names in alike(sample):
        text = tool("cdo", "-s", "outputf,%.17g,1", f"-selname,{','.join(names)}", sample.path)
        records = np.array(text.split(), float).reshape(len(sample.steps), len(names), -1)
        for number, name in enumerate(names):
            wanted = sample.expected(name)
            assert_same(sample, name, records[:, number].astype(wanted.dtype).reshape(wanted.shape))


def alike(sample: Sample) -> list[list[str]]:
    """What CDO knows, by dimensions: those of one grid can be had from one start of it, in the order of the file."""
    by_dims: dict[tuple[str, ...], list[str]] = {}
    for name, variable in sample.content.variables.items():
        if name in KNOWN_TO_CDO:
            by_dims.setdefault(variable.dims, []).append(name)
    return list(by_dims.values())


RAW = {"mask_and_scale": False, "decode_times": False, "concat_characters": False}


def by_xarray(engine: str) -> Callable[[Sample], None]:
    def read(sample: Sample) -> None:
        with xarray.open_dataset(sample.path, engine=engine, **RAW) as raw:
            for name in sample.content.variables:
                assert_same(sample, name, raw[name].values)
            # As open_dataset does it, which would open all variables once more: h5netcdf takes seconds for a master.
            others = sample.content.variables.keys() - {"temp"}
            assert_decoded(sample, xarray.decode_cf(raw, drop_variables=others))

    return read


def assert_decoded(sample: Sample, decoded: xarray.Dataset) -> None:
    """Times are times, and holes are missing."""
    start = np.datetime64("2000-01-01T00:00:00")
    hours = [start + np.timedelta64(step, "h") for step in sample.steps]
    assert (decoded["time"].values == np.array(hours, dtype=decoded["time"].dtype)).all()
    holes = sample.expected("temp") == conform.FILL["temp"]
    assert (np.isnan(decoded["temp"].values) == holes).all()


def by_xarray_zarr(sample: Sample) -> None:
    with xarray.open_zarr(sample.path, chunks=None, **RAW) as raw:
        for name in sample.content.variables:
            assert_same(sample, name, raw[name].values)
    with xarray.open_zarr(sample.path, chunks=None) as decoded:
        assert_decoded(sample, decoded)


def by_zarr_python(sample: Sample) -> None:
    conform.check_store(sample.path, sample.content, list(sample.steps), sample.mode, attributes=True)


def by_zarrs(sample: Sample) -> None:
    with conform.zarrs_reads():
        by_zarr_python(sample)


def by_tensorstore(sample: Sample) -> None:
    for name in (name for name in sample.content.variables if name != "as_char"):  # of a type that it does not know
        store = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(sample.path / name)}}
        assert_same(sample, name, np.asarray(tensorstore.open(store, open=True, read=True).result().read().result()))


def by_h5netcdf(sample: Sample) -> None:
    with h5netcdf.File(sample.path, "r") as file:
        for name in sample.content.variables:
            assert_same(sample, name, np.asarray(file[name][...]))
        assert file["temp"].dimensions == ("time", "z", "y", "x")


def by_h5py(sample: Sample) -> None:
    import h5py

    with h5py.File(sample.path, "r") as file:
        for name in sample.content.variables:
            assert_same(sample, name, np.asarray(file[name][...]))
        scales = [[scale.name for scale in along.values()] for along in file["temp"].dims]
        assert scales == [["/time"], ["/z"], ["/y"], ["/x"]]


def by_netcdf4_python(sample: Sample) -> None:
    conform.check_file(sample.path, sample.content, list(sample.steps), sample.mode, attributes=True)


def by_numpy(sample: Sample) -> None:
    conform.check_fortran_file(sample.path, sample.content, list(sample.steps), sample.mode)


@dataclass(frozen=True)
class Reader:
    name: str
    samples: tuple[str, ...]
    check: Callable[[Sample], None]
    needs: str = ""  # what it takes to read zstd


PLUGINS = "HDF5_PLUGIN_PATH"  # of the plug-ins in a wheel of netCDF4-python, whose import has set it
READERS = (
    Reader("netCDF4-python", ALL, by_netcdf4_python),
    Reader("ncdump", ALL, by_ncdump, PLUGINS),
    Reader("NCO ncks", ALL, by_ncks, PLUGINS),
    Reader("CDO", ALL, by_cdo, PLUGINS),
    Reader("xarray, engine netcdf4", ALL, by_xarray("netcdf4")),
    Reader("xarray, engine h5netcdf", HDF5, by_xarray("h5netcdf"), "hdf5plugin"),
    Reader("h5netcdf", HDF5, by_h5netcdf, "hdf5plugin"),
    Reader("h5py", HDF5, by_h5py, "hdf5plugin"),
    Reader("zarr-python", STORES, by_zarr_python),
    Reader("xarray, open_zarr", STORES, by_xarray_zarr),
    Reader("tensorstore", STORES, by_tensorstore),
    Reader("zarrs", STORES, by_zarrs),
    Reader("NumPy", ("fortran",), by_numpy),
)
