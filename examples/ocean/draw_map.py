"""Draws the last record of a history of the example ocean: sea level and temperature of the uppermost level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.colors import LinearSegmentedColormap

LAND = "#d9d4c7"
COAST = "#4a463d"
INK = "#22262b"
HEIGHT = LinearSegmentedColormap.from_list(
    "height", ["#10224f", "#1f5fa8", "#6db3d8", "#eef3ee", "#f3b27a", "#c9402f", "#5c0a1e"]
)
HEAT = LinearSegmentedColormap.from_list(
    "heat", ["#0b1f3f", "#2b3a94", "#744992", "#b15f82", "#eb7958", "#fbb43d", "#f4f36b"]
)


def draw_map(history: Path, picture: Path) -> None:
    with xr.open_dataset(history) as file:
        last = file.isel(time=-1).load()
    figure, axes = plt.subplots(2, 1, figsize=(10, 10.6), subplot_kw={"projection": "mollweide"}, layout="constrained")
    limit = float(np.nanpercentile(np.abs(last.ssh), 99.5))
    draw_field(axes[0], last.ssh, "Sea surface height", "m", HEIGHT, (-limit, limit))
    surface = last.temp.isel(depth=0)
    low, high = np.nanpercentile(surface, [0.1, 99.9])
    draw_field(axes[1], surface, "Temperature of the uppermost level", "°C", HEAT, (float(low), float(high)))
    hours = (last.time.values - np.datetime64("2000-01-01")) / np.timedelta64(1, "h")
    ny, nx = last.ssh.shape
    figure.suptitle(
        f"Shallow water with temperature and salinity, {360 / nx:g}° ({nx} × {ny} cells), hour {hours:.0f}",
        fontsize=14, color=INK,
    )  # fmt: skip
    figure.savefig(picture, dpi=110, facecolor="white")
    plt.close(figure)


def draw_field(
    axes: Any, field: xr.DataArray, title: str, unit: str, colours: Any, limits: tuple[float, float]
) -> None:
    lon, lat = np.deg2rad(field.lon.values), np.deg2rad(field.lat.values)
    axes.set_facecolor(LAND)
    image = axes.pcolormesh(
        lon, lat, field.values, cmap=colours, vmin=limits[0], vmax=limits[1], shading="nearest", rasterized=True
    )
    axes.contour(lon, lat, np.isnan(field.values).astype(float), levels=[0.5], colors=COAST, linewidths=0.4)
    axes.set_title(title, fontsize=12, color=INK, pad=10)
    axes.grid(color="white", alpha=0.25, linewidth=0.5)
    axes.set_xticklabels([])
    axes.tick_params(labelsize=8, colors=INK)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.75, aspect=28, pad=0.02, extend="both")
    bar.set_label(unit, color=INK)
    bar.outline.set_linewidth(0.4)
