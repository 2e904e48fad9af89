"""The chart: what the model waits for, how long the run takes, and the small records."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .ways import is_idle

COLORS = {"thalweg": "#0b6e99", "peer": "#b0b7bf", "raw": "#d9a441", "limit": "#4a4f55"}

Summary = dict[str, Any]


@dataclass(frozen=True)
class Panel:
    summaries: list[Summary]
    key: str
    factor: float  # to the unit that the title names
    title: str
    log: bool = False
    more_is_better: bool = False


def bars(axes: Axes, panel: Panel) -> None:
    """Horizontal bars of the medians, the best on top, with whiskers from the lowest to the highest run."""
    key, factor = panel.key, panel.factor
    ran = (one for one in panel.summaries if one["runs"])
    shown = sorted(ran, key=lambda one: one[key], reverse=not panel.more_is_better)
    values = [factor * one[key] for one in shown]
    runs = [[factor * run[key] for run in one["runs"]] for one in shown]
    errors = [
        [value - min(each) for value, each in zip(values, runs, strict=True)],
        [max(each) - value for value, each in zip(values, runs, strict=True)],
    ]
    colors = [COLORS[one["kind"]] for one in shown]
    drawn = axes.barh([one["name"] for one in shown], values, color=colors, xerr=errors, ecolor="#888888")
    axes.bar_label(drawn, labels=[number(value) for value in values], padding=6, fontsize=8)
    axes.set_title(panel.title, fontsize=10)
    if panel.log:
        axes.set_xscale("log")
    axes.margins(x=0.18)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)


def waiting(summaries: list[Summary]) -> list[Summary]:
    """Ways that put something: the others have no stall to show."""
    return [one for one in summaries if not is_idle(one["name"])]


def number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def panels(report: dict[str, list[Summary]]) -> list[Panel]:
    large, small = waiting(report["large"]), report["small"]
    servers = report["servers"]
    compressed = [one for one in report["compressed"] if one["codec"] != "none"]
    wanted = [
        Panel(large, "stall_s_per_record", 1e3, "large: stall of the model, ms a record (log)", log=True),
        Panel(report["large"], "wall_s", 1.0, "large: wall time of the run, s"),
        Panel(waiting(servers), "stall_s_per_record", 1e3, "servers: stall of the model, ms a record"),
        Panel(servers, "wall_s", 1.0, "servers: wall time of the run, s"),
        Panel(report["drain"], "throughput_bytes_per_s", 1e-6, "drain: to stable storage, MB/s", more_is_better=True),
        Panel(small, "stall_median_s", 1e6, "small: stall of the model, µs a record (log)", log=True),
        Panel(compressed, "throughput_bytes_per_s", 1e-6, "compressed: values, MB/s", more_is_better=True),
    ]
    return [panel for panel in wanted if any(one["runs"] for one in panel.summaries)]


def title(machine: dict[str, Any]) -> str:
    what = f"{machine['ranks']} ranks on {machine['cores']} × {machine['processor']}, {machine['file_system']}"
    return what if machine["scale"] == 1.0 else f"{what}, grid scaled by {machine['scale']:.3g}"


def draw(report: dict[str, Any], path: Path) -> None:
    chosen = panels(report)
    if not chosen:
        return
    rows = (len(chosen) + 1) // 2
    figure = Figure(figsize=(13, 4.6 * rows), layout="constrained")
    grid = figure.subplots(rows, 2, squeeze=False)
    for axes, panel in zip(grid.flat, chosen, strict=False):
        bars(axes, panel)
    for axes in list(grid.flat)[len(chosen) :]:
        axes.set_visible(False)
    figure.suptitle(title(report["machine"]), fontsize=9)
    kinds = [Patch(color=color, label=kind) for kind, color in COLORS.items()]
    figure.legend(handles=kinds, loc="outside lower center", ncols=len(kinds), frameon=False, fontsize=9)
    figure.savefig(path, dpi=130)
