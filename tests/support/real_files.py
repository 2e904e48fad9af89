"""Files of real models and observations, which come with packages of others (tests/cases/requirements.txt)."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

PLACES = {
    "iris-sample-data": "iris_sample_data/sample_data",
    "cartopy": "cartopy/data/netcdf",
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


def path(name: str) -> Path:
    package, file = FILES[name]
    return Path(str(distribution(package).locate_file(f"{PLACES[package]}/{file}")))
