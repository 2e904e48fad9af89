"""The shallow water equations on the rotating sphere, and three stages of Runge and Kutta in time.

    du/dt =  q V - d(B)/dx        U, V  fluxes of mass through western and southern edges
    dv/dt = -q U - d(B)/dy        q     potential vorticity, (f + zeta) / h
    dh/dt = -div(U, V)            B     g h + (u^2 + v^2) / 2

in the energy-conserving form of Sadourny (1975, J. Atmos. Sci. 32, 680-689). Meridians meet at the poles, and so short
a distance would ask for a short time step: poleward of 60 degrees short waves of what moves along a circle of latitude
are damped (Arakawa and Lamb 1977, Methods in Computational Physics 17, 173-265), in the flux and in the gradient alike,
so that energy stays conserved. What is filtered is a flux, so mass is conserved as well.
"""

from __future__ import annotations

import numpy as np
from band import Band
from grid import GRAVITY_M_S2, Array, Metric

FILTER_BEGINS_DEG = 60.0
STABLE = 1.7  # time step by highest frequency; the square root of 3 is the limit


def west(a: Array) -> Array:
    """At each place, what lies one place to the west."""
    return np.roll(a, 1, axis=-1)


def east(a: Array) -> Array:
    return np.roll(a, -1, axis=-1)


class ShallowWater:
    """The state is one array (row, field, column), so that a row can be sent as it lies; fields are sections of it."""

    def __init__(self, band: Band) -> None:
        self.band = band
        self.metric = Metric(band.ny, band.nx, band.first, band.last)
        self.state = np.zeros((band.rows + 2, 3, band.nx))
        factors = filter_factors(self.metric.lat, band.nx)
        self._filtered = np.flatnonzero(factors.min(axis=1) < 1)
        self._factors = factors[self._filtered]

    @property
    def height(self) -> Array:
        """Of the rank's own rows, as u and v."""
        return self.state[1:-1, 0]

    @property
    def u(self) -> Array:
        return self.state[1:-1, 1]

    @property
    def v(self) -> Array:
        return self.state[1:-1, 2]

    def step(self, dt_s: float) -> None:
        """Wicker and Skamarock (2002, Mon. Wea. Rev. 130, 2088-2097)."""
        before = self.state
        for part in (3, 2, 1):
            self.band.exchange(self.state)
            tendency = self._tendency(self.state)
            self.state = before.copy()
            self.state[1:-1] += (dt_s / part) * tendency

    def vorticity(self) -> Array:
        """In the south-western corners of the own rows."""
        self.band.exchange(self.state)
        return self._vorticity(self.state)[:-1]

    def mass(self) -> float:
        """As a volume, in m3."""
        return self.band.total(self.height * self.metric.area[1:-1])

    def energy(self) -> float:
        """By the density of the fluid, in m5 s-2: what the scheme conserves."""
        self.band.exchange(self.state)
        m, h = self.metric, self.state[:, 0]
        flux_x, flux_y = self._fluxes(self.state)
        moving = flux_x[1:-1] * self.u * m.dx_u[1:-1] + flux_y[:-1] * self.v * m.dy
        return self.band.total(0.5 * (moving + GRAVITY_M_S2 * h[1:-1] ** 2 * m.area[1:-1]))

    def longest_step_s(self) -> float:
        """That the waves of gravity allow where no filter damps them."""
        dx = self.metric.dy * (2 * self.band.ny / self.band.nx) * np.cos(np.radians(FILTER_BEGINS_DEG))
        speed = np.sqrt(GRAVITY_M_S2 * self.band.largest(self.height)) + self.band.largest(self.u)
        return float(STABLE / (2 * speed * np.sqrt(dx**-2 + self.metric.dy**-2)))

    def _fluxes(self, state: Array) -> tuple[Array, Array]:
        """Through western edges of all rows, and through southern edges of all but the first."""
        m, h, u, v = self.metric, state[:, 0], state[:, 1], state[:, 2]
        return 0.5 * (west(h) + h) * u * m.dy, 0.5 * (h[:-1] + h[1:]) * v[1:] * m.dx_v[1:]

    def _vorticity(self, state: Array) -> Array:
        """In the southern corners of all rows but the first: the circulation around a corner by the area."""
        m, v = self.metric, state[:, 2]
        along = m.dx_u * state[:, 1]
        return (m.dy * (v - west(v))[1:] + along[:-1] - along[1:]) / m.area_of_corner[1:]

    def _potential_vorticity(self, state: Array) -> Array:
        m, h = self.metric, state[:, 0]
        pair = (west(h) + h) * m.area
        around = 0.5 * (pair[:-1] + pair[1:]) / (m.area[:-1] + m.area[1:])
        return (m.coriolis[1:] + self._vorticity(state)) / around

    def _bernoulli(self, state: Array) -> Array:
        """In all rows but the last."""
        m, h, u, v = self.metric, state[:, 0], state[:, 1], state[:, 2]
        u2, v2 = u**2 * (m.dx_u * m.dy), v**2 * (m.dx_v * m.dy)
        return GRAVITY_M_S2 * h[:-1] + 0.25 * ((u2 + east(u2))[:-1] + v2[:-1] + v2[1:]) / m.area[:-1]

    def _tendency(self, state: Array) -> Array:
        """Of the own rows."""
        m = self.metric
        flux_x, flux_y = self._fluxes(state)
        q, b = self._potential_vorticity(state), self._bernoulli(state)
        turned_y = q * 0.5 * (west(flux_y) + flux_y)
        turned_x = q[:-1] * 0.5 * (flux_x[:-2] + flux_x[1:-1])
        along = self._filter(flux_x[1:-1])
        gradient = self._filter((b - west(b))[1:])

        tendency = np.empty_like(state[1:-1])
        tendency[:, 0] = -(east(along) - along + flux_y[1:] - flux_y[:-1]) / m.area[1:-1]
        tendency[:, 1] = (0.5 * (turned_y[:-1] + turned_y[1:]) - gradient) / m.dx_u[1:-1]
        tendency[:, 2] = -(0.5 * (turned_x + east(turned_x)) + b[1:] - b[:-1]) / m.dy * m.is_open[1:-1]
        return tendency

    def _filter(self, rows: Array) -> Array:
        if self._filtered.size:
            waves = np.fft.rfft(rows[self._filtered])
            rows[self._filtered] = np.fft.irfft(waves * self._factors, n=self.band.nx)
        return rows


def filter_factors(lat_deg: Array, nx: int) -> Array:
    """By which the waves 0, 1, … along each row are multiplied: no frequency is higher than where the filter begins."""
    wide = np.cos(np.radians(lat_deg)) / np.cos(np.radians(FILTER_BEGINS_DEG))
    short = np.sin(np.arange(nx // 2 + 1) * (np.pi / nx))
    with np.errstate(divide="ignore"):
        return np.minimum(1.0, wide[:, np.newaxis] / short)
