"""Files of real models and observations, which come with packages of others: installed ones
(tests/cases/requirements.txt), or source archives that tools/fetch_archives.py unpacks (tests/cases/archives.txt)."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

from support import mpi

PLACES = {
    "iris-sample-data": "iris_sample_data/sample_data",
    "cartopy": "cartopy/data/netcdf",
    "xarray": "xarray/tests/data",
}
ARCHIVES = {
    "cc_plugin_sgrid-0.1.0": "cc_plugin_sgrid/resources",
    "cf_python-3.21.0": "cf/test",
    "extract_model-1.4.4": "tests/data",
    "netcdf4-1.7.5": "test",
}
FILES = {
    "nemo": ("iris-sample-data", "NEMO/nemo_1m_20150101-20150201_grid-T.nc"),  # eORCA1 through XIOS: deflate, 45 % land
    "a1b": ("iris-sample-data", "A1B_north_america.nc"),  # UM: 240 records, scalar coordinates, bounds
    "e1": ("iris-sample-data", "E1_north_america.nc"),
    "darwin": ("iris-sample-data", "SOI_Darwin.nc"),  # a series of numbers, with times of 64 bits
    "profiles": ("iris-sample-data", "atlantic_profiles.nc"),  # depth is unlimited
    "hybrid_height": ("iris-sample-data", "hybrid_height.nc"),  # a rotated grid with orography
    "mesh": ("iris-sample-data", "mesh_C4_synthetic_float.nc"),  # UGRID: faces, edges and nodes of a cubed sphere
    "orca2": ("iris-sample-data", "orca2_votemper.nc"),  # an unlimited dimension without coordinate
    "ostia": ("iris-sample-data", "ostia_monthly.nc"),  # masked
    "rotated_pole": ("iris-sample-data", "rotated_pole.nc"),
    "space_weather": ("iris-sample-data", "space_weather.nc"),  # CDF-1, with a grid mapping of type char
    "brightness": ("iris-sample-data", "toa_brightness_stereographic.nc"),
    "strings": ("iris-sample-data", "vlstr_type.nc"),  # a variable of strings
    "hadisst": ("cartopy", "HadISST1_SST_update.nc"),  # CDF-1, packed
}
# What others meet in the wild: packed and unsigned numbers, staggered grids, texts, corners of CF.
KINDS = {
    "cloud_top": ("netcdf4-1.7.5", "20171025_2056.Cloud_Top_Height.nc"),  # GOES: packed, unsigned shorts in signed ones
    "soil_moisture": ("netcdf4-1.7.5", "issue671.nc"),  # a swath, packed; netCDF-4 classic with long texts
    "gathered": ("netcdf4-1.7.5", "CRM032_test1.nc"),  # land alone, listed; longitude(rgrid) with a dimension longitude
    "spectra": ("netcdf4-1.7.5", "test_gold.nc"),  # attributes of type string, some without text; unsigned numbers
    "buoy": ("netcdf4-1.7.5", "netcdf_dummy_file.nc"),  # CDF-1, no records yet
    "sgrid": ("cc_plugin_sgrid-0.1.0", "roms.nc"),  # SGRID: centres, corners, and points of U and V
    "roms": ("extract_model-1.4.4", "dbofs_sample.nc"),  # ROMS: centres and corners, masked
    "fvcom": ("extract_model-1.4.4", "test_leofs_fvcom.nc"),  # FVCOM: nodes and triangles; siglay(siglay, node)
    "mom6": ("extract_model-1.4.4", "test_mom6.nc"),  # MOM6: U on xq
    "ugrid": ("cf_python-3.21.0", "ugrid_global_1.nc"),  # attributes of 64 bits
    "greek": ("cf_python-3.21.0", "test_file.nc"),  # letters that are no ASCII; longitude(x, y) beside latitude(y, x)
    "formula": ("cf_python-3.21.0", "file2.nc"),  # formula_terms, texts as coordinates
    "cell_measures": ("cf_python-3.21.0", "cell_measures.nc"),  # NEMO: 360_day, vertices, int64 coordinates
    "bears": ("xarray", "bears.nc"),  # from OPeNDAP: names with points, attributes with new lines
}


def path(name: str) -> Path:
    package, file = (FILES | KINDS)[name]
    if package in ARCHIVES:
        return mpi.SOURCE / ".cache" / "real_files" / package / ARCHIVES[package] / file
    return Path(str(distribution(package).locate_file(f"{PLACES[package]}/{file}")))
