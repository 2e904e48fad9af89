"""netCDF files by netCDF4-python, xarray, h5netcdf, h5py, PnetCDF, CDO, NCO and netCDF-C's tools."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import h5netcdf
import h5py
import netCDF4
import numpy as np
import xarray as xr
from numpy.typing import NDArray

NT, NZ, NY, NX = 3, 2, 7, 9
CLASSIC = ("i1", "i2", "i4", "f4", "f8")
FEW = ("i1", "i2", "f8")
ALL = (*CLASSIC, "u1", "u2", "u4", "u8", "i8")


def values(shape: tuple[int, ...], kind: str, seed: int = 0) -> NDArray[Any]:
    """All bits are used; floating-point ones are no NaN."""
    numbers = np.random.default_rng([seed, *shape])
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        return numbers.normal(scale=1e5, size=shape).astype(dtype)
    return np.frombuffer(numbers.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)


def define(file: netCDF4.Dataset, kinds: tuple[str, ...]) -> None:
    for name, size in (("time", None), ("z", NZ), ("y", NY), ("x", NX), ("three", 3)):
        file.createDimension(name, size)
    time = file.createVariable("time", "f8", ("time",))
    time.units = "hours since 2000-01-01 00:00:00"
    time[:] = np.arange(1.0, NT + 1)
    for kind in kinds:
        file.createVariable(f"fixed_{kind}", kind, ("y", "x"))[:] = values((NY, NX), kind)
        file.createVariable(f"record_{kind}", kind, ("time", "three"))[:] = values((NT, 3), kind)  # padded where short
    file.createVariable("field", "f4", ("time", "z", "y", "x"))[:] = values((NT, NZ, NY, NX), "f4")
    letters = np.array(list("abcdefghijklmnopqrstu"), "S1").reshape(NY, 3)
    file.createVariable("letters", "S1", ("y", "three"))[:] = letters
    file.createVariable("scalar", "i4", ())[...] = 17
    file.createVariable("last", "i1", ("time", "three"))[:] = values((NT, 3), "i1", 1)


def by_netcdf4(path: Path, form: Any = "NETCDF4", kinds: tuple[str, ...] = ()) -> None:
    """All types that the format has, or some."""
    kinds = kinds or (ALL if form in ("NETCDF4", "NETCDF3_64BIT_DATA") else CLASSIC)
    with netCDF4.Dataset(path, "w", format=form) as file:
        file.set_auto_maskandscale(False)
        define(file, kinds)


def with_one_record_variable(path: Path, form: Any, kind: str) -> None:
    """Its records of 3 bytes or 3 shorts follow each other without padding."""
    with netCDF4.Dataset(path, "w", format=form) as file:
        for name, size in (("time", None), ("three", 3)):
            file.createDimension(name, size)
        file.createVariable("fixed", "i1", ("three",))[:] = [1, 2, 3]
        file.createVariable("alone", kind, ("time", "three"))[:] = values((NT, 3), kind)


def as_stream(path: Path, form: Any, *, cut: int = 0) -> None:
    """As a program writes it that cannot go back to the header; `cut` bytes of padding at the end are not there."""
    by_netcdf4(path.with_suffix(".whole"), form, FEW)
    bits = bytearray(path.with_suffix(".whole").read_bytes())
    count = 8 if form == "NETCDF3_64BIT_DATA" else 4
    bits[4 : 4 + count] = b"\xff" * count
    path.write_bytes(bits[: len(bits) - cut])


def with_groups(path: Path) -> None:
    """Dimensions of a group, of its parents, and of the same name as theirs."""
    with netCDF4.Dataset(path, "w") as file:
        file.set_auto_maskandscale(False)
        ocean = file.createGroup("ocean")  # before the root's dimensions, which so have higher numbers
        ocean.createDimension("x", 5)
        ocean.createDimension("cast", None)
        define(file, ("f4",))
        ocean.createVariable("temp", "f4", ("time", "y", "x"))[0:NT] = values((NT, NY, 5), "f4", 1)
        ocean.createVariable("own", "i2", ("y", "x"))[:] = values((NY, 5), "i2", 1)
        ocean.createVariable("casts", "f8", ("cast", "x"))[:] = values((4, 5), "f8", 1)
        deep = ocean.createGroup("deep sea").createGroup("trench")
        deep.createDimension("x", 4)
        deep.createVariable("temp", "f8", ("time", "x"))[0:NT] = values((NT, 4), "f8", 2)
        deep.createVariable("x", "i4", ("x",))[:] = [4, 3, 2, 1]


def with_unlimited_dimensions(path: Path) -> None:
    with netCDF4.Dataset(path, "w") as file:
        file.set_auto_maskandscale(False)
        define(file, ())
        file.createDimension("station", None)
        file.createVariable("not_first", "f4", ("y", "time"))[:, 0:NT] = values((NY, NT), "f4")
        file.createVariable("twice", "f4", ("time", "time"))[0:NT, 0:NT] = values((NT, NT), "f4")
        file.createVariable("both", "i4", ("time", "station"))[0:2, 0:6] = values((2, 6), "i4")  # the third is fill
        file.createVariable("other", "i4", ("station", "x"))[0:5] = values((5, NX), "i4")


def with_storage(path: Path) -> None:
    """Everything that HDF5 itself does to values."""
    ways: dict[str, dict[str, Any]] = {
        "contiguous": {"contiguous": True},
        "chunked": {"chunksizes": (4, 5)},
        "deflated": {"zlib": True, "complevel": 9, "shuffle": False, "chunksizes": (3, 4)},
        "shuffled": {"zlib": True, "shuffle": True, "chunksizes": (4, 9)},
        "summed": {"fletcher32": True, "chunksizes": (2, 9)},
        "all": {"zlib": True, "shuffle": True, "fletcher32": True, "chunksizes": (4, 4)},
        "zstd": {"compression": "zstd", "chunksizes": (4, 4)},
        "big": {"endian": "big"},
        "big_deflated": {"endian": "big", "zlib": True},
    }
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("y", NY)
        file.createDimension("x", NX)
        for name, way in ways.items():
            for kind in ("f4", "i8"):
                order = ">" if "endian" in way else "<"
                file.createVariable(f"{name}_{kind}", order + kind, ("y", "x"), **way)[:] = values((NY, NX), kind)
        file.createVariable("never", "f4", ("y", "x"), fill_value=-5.0)
        file.createVariable("partly", "i2", ("y", "x"), chunksizes=(4, 4))[0:2, 0:2] = 7


def dataset() -> xr.Dataset:
    fields = {
        "temp": (("time", "y", "x"), values((NT, NY, NX), "f4"), {"units": "degC"}),
        "depth": (("y", "x"), values((NY, NX), "i2")),
        "mask": (("y", "x"), values((NY, NX), "i1") > 0),
        "gaps": (("x",), np.where(np.arange(NX) % 3 == 0, np.nan, np.arange(NX))),
    }
    times = np.array(["2000-01-01T01", "2000-01-01T02", "2000-01-01T07"], "datetime64[ns]")
    return xr.Dataset(fields, {"time": times, "x": np.arange(NX) * 10.0})


def tree() -> xr.DataTree:
    """The group inherits the times, and has columns of its own."""
    west = dataset().isel(x=slice(4)).drop_vars(["x", "time"]).rename(x="column")
    return xr.DataTree.from_dict({"/": dataset(), "/fine/west": west})


def by_xarray(path: Path, engine: Any = "netcdf4", form: Any = None, **options: Any) -> None:
    dataset().to_netcdf(path, engine=engine, format=form, unlimited_dims=["time"], **options)


def by_xarray_tree(path: Path) -> None:
    tree().to_netcdf(path)


def by_h5netcdf(path: Path) -> None:
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"time": None, "y": NY, "x": NX}
        file.resize_dimension("time", NT)
        file.create_variable("time", ("time",), "f8")[:] = np.arange(NT)
        file.variables["time"].attrs["units"] = "days since 1999-12-31"
        way: dict[str, Any] = {"chunks": (1, 4, 4), "compression": "gzip", "shuffle": True}
        file.create_variable("temp", ("time", "y", "x"), ">f4", **way)[:] = values((NT, NY, NX), "f4")
        file.create_variable("/deep/er/salt", ("y", "x"), "i8", fletcher32=True)[:] = values((NY, NX), "i8")
        file.create_variable("one", (), "u2")[...] = 65535


def by_h5py(path: Path) -> None:
    """Without dimension scales, and so without names of dimensions."""
    with h5py.File(path, "w") as file:
        for kind in ALL:
            file.create_dataset(f"flat/{kind}", data=values((NY, NX), kind))
            file.create_dataset(f"turned/{kind}", data=values((NX, NY), kind).astype(np.dtype(kind).newbyteorder(">")))
        file["square"] = values((NX, NX), "f4")
        file["line"] = values((5,), "f8")
        file["one"] = np.float32(2.5)
        file.create_dataset("cut", data=values((NY, NX), "f4"), chunks=(3, 5), compression="gzip", shuffle=True)
        file.create_dataset("scaled", data=values((NY, NX), "i1").astype("i4"), chunks=(3, 5), scaleoffset=0)
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        kind, space = h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((NX,))
        inside = h5py.h5d.create(file.id, b"compact", kind, space, compact)
        inside.write(h5py.h5s.ALL, h5py.h5s.ALL, values((NX,), "f8"))


def by_h5py_growing(path: Path) -> None:
    """Datasets that may grow, of different lengths."""
    with h5py.File(path, "w") as file:
        file.create_dataset("long", data=values((6, 4), "f4"), maxshape=(None, 4))
        file.create_dataset("wide", data=values((4, 6), "f4"), maxshape=(4, None))
        file.create_dataset("series", data=values((8,), "i2"), maxshape=(None,))


def by_h5py_with_scales(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file["y"], file["x"] = np.arange(NY) * 1.5, np.arange(NX, dtype="i4")
        file["here/level"] = np.arange(NZ, dtype="f4")
        for name in ("y", "x", "here/level"):
            file[name].make_scale(name.rpartition("/")[2])
        file["here/temp"] = values((NZ, NY, NX), "f4")
        for d, name in enumerate(("here/level", "y", "x")):
            file["here/temp"].dims[d].attach_scale(file[name])


def not_read(path: Path) -> None:
    """Types that models have no words for."""
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", NX)
        sea = file.createEnumType("u1", "sea_kind", {"no": 0, "yes": 1})
        pair = file.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair_kind")
        ragged = file.createVLType("f4", "ragged_kind")
        for name, kind in (("word", str), ("sea", sea), ("pair", pair), ("ragged", ragged), ("read", "f4")):
            file.createVariable(name, kind, ("x",))
        file["read"][:] = values((NX,), "f4")


def with_plugins(path: Path) -> None:
    """Filters that neither HDF5 nor Thalweg has."""
    import hdf5plugin  # noqa: PLC0415: h5py has its filters from then on

    with h5py.File(path, "w") as file:
        ways = {"lzf": {"compression": "lzf"}, "lz4": hdf5plugin.LZ4(), "bits": hdf5plugin.Bitshuffle()}
        for name, filters in {**ways, "read": {"compression": "gzip"}}.items():
            file.create_dataset(name, data=values((NY, NX), "f4"), chunks=(4, 4), **filters)


def by_program(path: Path, form: str, words: str) -> None:
    """Of what netCDF4-python has written; IN and OUT stand for the files."""
    source = path.with_suffix(".source")
    by_netcdf4(source, form, FEW)
    command = [str({"IN": source, "OUT": path}.get(word, word)) for word in words.split()]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def by_ncmpigen(path: Path, kind: str) -> None:
    """PnetCDF's own writer, of what ncdump has of another file."""
    source, text = path.with_suffix(".source"), path.with_suffix(".cdl")
    by_netcdf4(source, "NETCDF3_64BIT_DATA" if kind == "5" else "NETCDF3_64BIT_OFFSET", FEW)
    dump = ["ncdump", "-p", "9,17", str(source)]
    text.write_text(subprocess.run(dump, check=True, capture_output=True, text=True, timeout=60).stdout)
    subprocess.run(["ncmpigen", "-v", kind, "-o", str(path), str(text)], check=True, capture_output=True, timeout=60)


THREE = {"cdf1": "NETCDF3_CLASSIC", "cdf2": "NETCDF3_64BIT_OFFSET", "cdf5": "NETCDF3_64BIT_DATA"}
FILES = {
    "netcdf4.nc": by_netcdf4,
    "classic_model.nc": partial(by_netcdf4, form="NETCDF4_CLASSIC"),
    **{f"{name}.nc": partial(by_netcdf4, form=form) for name, form in THREE.items()},
    **{
        f"alone_{name}_{kind}.nc": partial(with_one_record_variable, form=form, kind=kind)
        for name, form in THREE.items()
        for kind in ("i1", "i2", "f4")
    },
    **{f"stream_{name}.nc": partial(as_stream, form=form) for name, form in THREE.items()},
    "stream_cut.nc": partial(as_stream, form="NETCDF3_CLASSIC", cut=1),
    "groups.nc": with_groups,
    "unlimited.nc": with_unlimited_dimensions,
    "storage.nc": with_storage,
    "xarray.nc": by_xarray,
    "xarray_h5netcdf.nc": partial(by_xarray, engine="h5netcdf"),
    "xarray_classic.nc": partial(by_xarray, form="NETCDF3_CLASSIC"),
    "xarray_tree.nc": by_xarray_tree,
    "h5netcdf.nc": by_h5netcdf,
    "h5py.h5": by_h5py,
    "h5py_growing.h5": by_h5py_growing,
    "h5py_scales.h5": by_h5py_with_scales,
    "types.nc": not_read,
    "plugins.h5": with_plugins,
    "cdo_nc4.nc": partial(by_program, form="NETCDF4", words="cdo -s -f nc4 copy -selname,field IN OUT"),
    "cdo_nc4z.nc": partial(by_program, form="NETCDF4", words="cdo -s -f nc4 -z zip_6 copy -selname,field IN OUT"),
    "cdo_nc1.nc": partial(by_program, form="NETCDF4", words="cdo -s -f nc1 copy -selname,field IN OUT"),
    "cdo_nc5.nc": partial(by_program, form="NETCDF4", words="cdo -s -f nc5 copy -selname,field IN OUT"),
    "nco_4.nc": partial(by_program, form="NETCDF4", words="ncks -O -4 -L 3 --cnk_dmn x,4 IN OUT"),
    "nco_3.nc": partial(by_program, form="NETCDF3_CLASSIC", words="ncks -O -3 IN OUT"),
    "nco_5.nc": partial(by_program, form="NETCDF3_64BIT_DATA", words="ncks -O -5 IN OUT"),
    "nco_fixed.nc": partial(by_program, form="NETCDF4", words="ncks -O -4 --fix_rec_dmn time IN OUT"),
    "nco_turned.nc": partial(by_program, form="NETCDF4", words="ncpdq -O -a y,time IN OUT"),
    "nccopy.nc": partial(by_program, form="NETCDF4", words="nccopy -d 2 -s -c time/2,y/3,x/9 IN OUT"),
    "nccopy_5.nc": partial(by_program, form="NETCDF4", words="nccopy -k cdf5 -u IN OUT"),
    "pnetcdf_2.nc": partial(by_ncmpigen, kind="2"),
    "pnetcdf_5.nc": partial(by_ncmpigen, kind="5"),
}
