"""The Rossby-Haurwitz wave: test 6 of Williamson, Drake, Hack, Jakob and Swarztrauber (1992, J. Comput. Phys. 102,
211-224). Four crests, which in a fluid without divergence would move eastward by 12.2 degrees a day."""

from __future__ import annotations

import numpy as np
from grid import GRAVITY_M_S2, RADIUS_M, ROTATION_1_S, Array, Axes
from shallow_water import ShallowWater

CRESTS = 4
STRENGTH_1_S = 7.848e-6  # of the wave, and of the rotation that carries it
HEIGHT_M = 8000.0  # at the poles
THEORY_DEG_A_DAY = np.degrees(86400.0) * (
    (CRESTS * (3 + CRESTS) * STRENGTH_1_S - 2 * ROTATION_1_S) / ((1 + CRESTS) * (2 + CRESTS))
)


def start(model: ShallowWater) -> None:
    """Fields are made of functions of all rows and of all columns, whatever the rank's rows are: see `Metric`."""
    band = model.band
    axes = Axes(band.ny, band.nx)
    own = slice(band.first, band.last)
    lat_v = np.concatenate(([-90.0], axes.lat_v))
    lon, lon_u = np.radians(axes.lon), np.radians(axes.lon_u)
    model.height[...] = height(np.radians(axes.lat), lon)[own]
    model.u[...] = wind_u(np.radians(axes.lat), lon_u)[own]
    model.v[...] = wind_v(np.radians(lat_v), lon)[own] * model.metric.is_open[1:-1]


def wind_u(lat: Array, lon: Array) -> Array:
    r, c, s = CRESTS, np.cos(lat)[:, np.newaxis], np.sin(lat)[:, np.newaxis]
    return RADIUS_M * STRENGTH_1_S * (c + c ** (r - 1) * (r * s**2 - c**2) * np.cos(r * lon))


def wind_v(lat: Array, lon: Array) -> Array:
    r, c, s = CRESTS, np.cos(lat)[:, np.newaxis], np.sin(lat)[:, np.newaxis]
    return -RADIUS_M * STRENGTH_1_S * r * c ** (r - 1) * s * np.sin(r * lon)


def height(lat: Array, lon: Array) -> Array:
    r, k, c = CRESTS, STRENGTH_1_S, np.cos(lat)[:, np.newaxis]
    constant = k / 2 * (2 * ROTATION_1_S + k) * c**2 + k**2 / 4 * c ** (2 * r) * (
        (r + 1) * c**2 + (2 * r**2 - r - 2) - 2 * r**2 / c**2
    )
    once = 2 * (ROTATION_1_S + k) * k / ((r + 1) * (r + 2)) * c**r * ((r**2 + 2 * r + 2) - (r + 1) ** 2 * c**2)
    twice = k**2 / 4 * c ** (2 * r) * ((r + 1) * c**2 - (r + 2))
    waves = constant + once * np.cos(r * lon) + twice * np.cos(2 * r * lon)
    return HEIGHT_M + RADIUS_M**2 / GRAVITY_M_S2 * waves
