"""From runs to medians, and from pairs of runs of one round to ratios."""

from statistics import median
from typing import Any

from .ways import Way

MEDIANS = (
    "setup_s",
    "wall_s",
    "finish_s",
    "stall_s_per_record",
    "stall_first_s",
    "stall_median_s",
    "cpu_s",
    "cpu_setup_s",
    "cpu_output_s",
    "cpu_output_s_per_gb",
    "on_disk_s",
    "throughput_bytes_per_s",
    "compression",
)
SHAPE_KEYS = ("nx", "ny", "nz", "records", "refill", "smooth", "variables")


def summarize(way: Way, runs: list[dict[str, Any]], errors: list[str]) -> dict[str, Any]:
    """One object of the report: medians over the runs, and the runs themselves."""
    summary: dict[str, Any] = {"name": way.name, "kind": way.kind, "codec": way.codec, "values_equal": verdict(runs)}
    for key in MEDIANS:
        values = [run[key] for run in runs if run.get(key) is not None]
        summary[key] = median(values) if values else None
    summary["bytes"] = runs[0]["bytes"] if runs else 0
    summary["errors"] = errors
    summary["runs"] = [{key: value for key, value in run.items() if key not in SHAPE_KEYS} for run in runs]
    return summary


def verdict(runs: list[dict[str, Any]]) -> bool | None:
    checked = [run["values_equal"] for run in runs if run.get("values_equal") is not None]
    return all(checked) if checked else None


def by_name(summaries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The ways that have at least one run."""
    return {summary["name"]: summary for summary in summaries if summary["runs"]}


def pairs(first: dict[str, Any], second: dict[str, Any], key: str) -> list[tuple[float, float]]:
    """Values of both ways in those rounds in which both ran."""
    others = {run["round"]: run[key] for run in second["runs"]}
    return [(run[key], others[run["round"]]) for run in first["runs"] if run["round"] in others]


def ratios(first: dict[str, Any], second: dict[str, Any], key: str) -> list[float]:
    return [a / b for a, b in pairs(first, second, key) if b > 0]
