"""Attributes by the CF conventions, where those of Veros are not."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping

from veros import __version__ as veros_version
from veros import runtime_settings
from veros.state import VerosState
from veros.variables import Variable

Attributes = dict[str, object]

# Units of Veros that UDUNITS does not read, or reads as something else ("1/(ms)": per millisecond).
UNITS = {
    "1/(ms)": "m-1 s-1",
    "deg C": "degC",
    "deg C/s": "degC s-1",
    "m deg C/s": "m degC s-1",
    "m g/s kg": "m g kg-1 s-1",
    "g/(kg s)": "g kg-1 s-1",
    "kg / (m^2 deg C)": "kg m-2 degC-1",
    "kg / (m^2 g / kg)": "kg2 m-2 g-1",
    "kg / (m^2 s)": "kg m-2 s-1",
    "": "1",
}

# By name and Veros' units, which differ with its settings ("psi" is a pressure without the streamfunction).
STANDARD_NAMES = {
    ("temp", "deg C"): "sea_water_conservative_temperature",
    ("salt", "g/kg"): "sea_water_salinity",
    ("u", "m/s"): "sea_water_x_velocity",
    ("v", "m/s"): "sea_water_y_velocity",
    ("w", "m/s"): "upward_sea_water_velocity",
    ("psi", "m^3/s"): "ocean_barotropic_streamfunction",
    ("ssh", "m"): "sea_surface_height_above_geoid",
    ("surface_taux", "N/m^2"): "surface_downward_x_stress",
    ("surface_tauy", "N/m^2"): "surface_downward_y_stress",
    ("Nsqr", "1/s^2"): "square_of_brunt_vaisala_frequency_in_sea_water",
    ("kappaM", "m^2/s"): "ocean_vertical_momentum_diffusivity",
    ("kappaH", "m^2/s"): "ocean_vertical_tracer_diffusivity",
    ("tke", "m^2/s^2"): "specific_turbulent_kinetic_energy_of_sea_water",
    ("ht", "m"): "sea_floor_depth_below_geoid",
    ("area_t", "m^2"): "cell_area",
    ("dzt", "m"): "cell_thickness",
    ("vsf_depth", "m^3/s"): "ocean_meridional_overturning_streamfunction",
}
COORDINATE_NAMES = {
    "degrees_east": "longitude",
    "degrees_north": "latitude",
    "km": "projection_{axis}_coordinate",
}


def _units(units: str) -> Attributes:
    """The units in the words of UDUNITS. What is none (Veros has texts and "?" in places) is left out."""
    units = UNITS.get(units, units)
    return {} if units == "?" or units.count(" ") > 4 else {"units": units}


def _words(var: Variable) -> Attributes:
    found: Attributes = {"long_name": var.name}
    if var.long_description and var.long_description != var.name:
        found["comment"] = var.long_description
    return found | dict(var.extra_attributes)


def of_variable(key: str, var: Variable, cell_methods: str | None = None) -> Attributes:
    found = _words(var) | _units(var.units)
    if (key, var.units) in STANDARD_NAMES:
        found["standard_name"] = STANDARD_NAMES[key, var.units]
    if cell_methods:
        found["cell_methods"] = cell_methods
    return found


def of_coordinate(dim: str, var: Variable) -> Attributes:
    found = _words(var) | _units(var.units)
    if dim in ("xt", "xu", "yt", "yu"):
        axis = dim[0]
        found |= {"axis": axis.upper(), "standard_name": COORDINATE_NAMES[var.units].format(axis=axis)}
    elif dim in ("zt", "zw"):
        found |= {"axis": "Z", "standard_name": "height_above_mean_sea_level", "positive": "up"}
    return found


def of_time(time: Mapping[str, str]) -> Attributes:
    return {
        "long_name": "Time",
        "standard_name": "time",
        "axis": "T",
        "units": f"days since {time['reference-date']}",
        "calendar": time["calendar"],
    }


def date_of_today() -> str:
    return datetime.datetime.now().isoformat(timespec="seconds")


def of_file(state: VerosState, date: str) -> Attributes:
    """What Veros says of a run, and what CF asks for."""
    setup_file = runtime_settings.setup_file
    return {
        "Conventions": "CF-1.11",
        "title": state.settings.description or state.settings.identifier,
        "source": f"Veros {veros_version}",
        "history": f"{date}: written by Veros through Thalweg",
        "date_created": date,
        "veros_version": veros_version,
        "setup_identifier": state.settings.identifier,
        "setup_description": state.settings.description,
        "setup_settings": json.dumps(state.settings.todict()),
        "setup_file": setup_file or "UNKNOWN",
        "setup_code": _code(setup_file),
    }


def _code(setup_file: str | None) -> str:
    try:
        with open(setup_file or "", encoding="utf-8") as file:
            return file.read()
    except OSError:
        return "UNKNOWN"
