"""Draws what atlas.py has written into a folder: the pictures of docs/fields.md.

python draw_atlas.py FOLDER PICTURES
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from PIL import Image

LAND, INK = "#d9d4c7", "#22262b"
COASTS = Path(__file__).parents[1] / "ocean" / "mask_1deg.nc"
STATIONS = (("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"))
"""Colours that differ for all eyes, and markers. (source: Okabe and Ito 2008)"""


def draw_map(axes: Any, field: xr.DataArray, title: str, limits: tuple[float, float], colours: str) -> Any:
    """On either grid; few colours keep the file small."""
    image = axes.pcolormesh(
        *places(field), field, cmap=plt.get_cmap(colours, 30), vmin=limits[0], vmax=limits[1], shading="nearest"
    )
    draw_coasts(axes)
    axes.set_title(title, fontsize=9, color=INK)
    return image


def places(field: xr.DataArray) -> tuple[Any, Any]:
    """Of all cells, west of Greenwich below 0."""
    lat, lon = xr.broadcast(field.lat, field.lon)
    return (lon.values + 180) % 360 - 180, lat.values


def draw_lines(axes: Any, field: xr.DataArray, every: int) -> None:
    """Along rows and columns of cells."""
    lon, lat = places(field)
    for x, y in ((lon[::every].T, lat[::every].T), (lon[:, ::every], lat[:, ::every])):
        axes.plot(x, y, color="white", linewidth=0.4, alpha=0.7)


def draw_coasts(axes: Any) -> None:
    with xr.open_dataset(COASTS) as file:
        axes.contourf(file.lon, file.lat, file.wet, levels=[-0.5, 0.5], colors=[LAND], zorder=0)
        axes.contour(file.lon, file.lat, file.wet, levels=[0.5], colors=INK, linewidths=0.5)
    axes.set(xlim=(-100, 14), ylim=(4, 74), aspect=1.35)
    axes.set_xticks(range(-90, 1, 30), ["90°W", "60°W", "30°W", "0°"])
    axes.set_yticks(range(15, 61, 15), [f"{lat}°N" for lat in range(15, 61, 15)])
    axes.tick_params(labelsize=7)


def two_maps() -> Any:
    return plt.subplots(1, 2, figsize=(7, 3.3), layout="constrained", sharey=True)


def draw_bar(image: Any, axes: Any, unit: str, aspect: int = 30) -> None:
    bar = plt.colorbar(image, ax=axes, orientation="horizontal", aspect=aspect, shrink=0.9, pad=0.03, label=unit)
    bar.outline.set_linewidth(0.4)


def draw_grids(folder: Path) -> Any:
    figure, axes = two_maps()
    limits = (0.0, 30.0)
    for on, name, title, every in (
        (axes[0], "model", "The model's grid", 10),
        (axes[1], "regular", "A regular grid, 2°", 5),
    ):
        field = opened(folder, name).sst[0]
        image = draw_map(on, field, title, limits, "plasma")
        draw_lines(on, field, every)
    section, stations = opened(folder, "section"), opened(folder, "stations")
    axes[1].plot(section.lon, section.lat, color="white", linewidth=1.5)
    for place, (colour, marker) in enumerate(STATIONS):
        axes[1].plot(stations.lon[place], stations.lat[place], marker, color=colour, markeredgecolor="white")
    draw_bar(image, axes, "mean temperature of the surface, °C", 60)
    return figure


def draw_expressions(folder: Path) -> Any:
    figure, axes = two_maps()
    model = opened(folder, "model")
    for on, field, title, unit in (
        (axes[0], model.speed[0], 'mean of "sqrt(u^2 + v^2)"', "m/s"),
        (axes[1], model.sst_spread[0], '"sqrt(mean(this^2) - mean(this)^2)" of sst', "K"),
    ):
        draw_bar(draw_map(on, field, title, (0.0, float(field.max())), "viridis"), on, unit)
    return figure


def draw_section(folder: Path) -> Any:
    shape: dict[str, Any] = {"figsize": (7, 2.6), "layout": "constrained", "sharey": True, "width_ratios": (3, 1)}
    figure, (left, right) = plt.subplots(1, 2, **shape)
    section, profile = opened(folder, "section"), opened(folder, "profile")
    left.set_facecolor(LAND)
    image = left.contourf(section.distance, section.depth, section.temp[0], levels=np.arange(0, 32, 2), cmap="plasma")
    left.invert_yaxis()
    left.set(xlabel="distance from the coast, km", ylabel="depth, m")
    left.set_title("Mean temperature along the section", fontsize=9)
    plt.colorbar(image, ax=left, label="°C", pad=0.02)
    right.plot(profile.temp[-1], profile.depth, color=INK, marker="o", markersize=3)
    right.set(xlabel="°C")
    right.set_title("Mean of all cells", fontsize=9)
    return figure


def draw_day(folder: Path) -> Any:
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.9), layout="constrained")
    stations = opened(folder, "stations")
    for place, (colour, marker) in enumerate(STATIONS):
        day, name = stations.sst[0, :, place], stations.station_name.values[place].decode()
        left.plot(stations.time_of_day_24, day - day.mean(), color=colour, marker=marker, markersize=3, label=name)
    left.set(xlabel="time of day, UTC", ylabel="departure from the mean, K", xticks=range(0, 25, 6))
    left.legend(fontsize=7, frameon=False)
    left.set_title("Mean day at the stations", fontsize=9)
    sst = opened(folder, "day").sst[0]
    swing = sst.max("time_of_day_24") - sst.min("time_of_day_24")
    image = draw_map(right, swing, "From the coldest to the warmest hour", (0.0, float(swing.max())), "viridis")
    draw_bar(image, right, "K")
    return figure


def opened(folder: Path, name: str) -> xr.Dataset:
    with xr.open_dataset(folder / f"{name}.nc") as file:
        return file.load()


def save(figure: Any, path: Path) -> None:
    """With the colours that most points have, which makes the file a third as large."""
    figure.set_dpi(160)
    figure.canvas.draw()
    points = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype("i4")
    plt.close(figure)
    colours, of_point, counts = np.unique(points.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    kept = colours[np.argsort(counts)[-256:]]
    nearest = ((colours[:, None] - kept) ** 2).sum(-1).argmin(1)
    image = Image.fromarray(nearest[of_point].reshape(points.shape[:2]).astype("u1"))
    image.putpalette(kept.astype("u1").tobytes())
    image.save(path, optimize=True)


def main() -> None:
    folder, pictures = Path(sys.argv[1]), Path(sys.argv[2])
    plt.switch_backend("agg")
    plt.rcParams.update({"font.size": 8, "text.color": INK, "axes.labelcolor": INK})
    for draw in (draw_grids, draw_section, draw_day, draw_expressions):
        save(draw(folder), pictures / f"fields-{draw.__name__.removeprefix('draw_')}.png")


if __name__ == "__main__":
    main()
