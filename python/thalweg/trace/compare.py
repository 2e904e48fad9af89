"""Two runs side by side: layers, functions and files, with ratios, and what only one of them has. Of two reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

Row = dict[str, Any]
FIGURES = ("calls", "bytes", "time_max_s")
# Of a full log these lack what came last; functions are from counters, which do not.
FROM_EVENTS = ("layers", "files")


def compare(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    is_whole = not dropped(first) and not dropped(second)
    parts: dict[str, Callable[[dict[str, Any]], dict[str, Row]]] = {
        "layers": layers,
        "functions": functions,
        "files": files,
    }
    return {
        "thalweg_trace_comparison": 1,
        "wall_s": [wall(made) for made in (first, second)],
        "losses": [list(made["losses"]) for made in (first, second)],
        **{
            name: side_by_side(of(first), of(second), name not in FROM_EVENTS or is_whole) for name, of in parts.items()
        },
    }


def dropped(made: dict[str, Any]) -> int:
    return sum(int(process["dropped"]) for process in made["processes"])


def wall(made: dict[str, Any]) -> float:
    return max((float(process["wall_s"]) for process in made["processes"]), default=0.0)


def layers(made: dict[str, Any]) -> dict[str, Row]:
    return {
        one["layer"]: {
            "calls": one["calls"],
            "bytes": one["bytes_read"] + one["bytes_written"],
            "time_max_s": one["time_max_s"],
        }
        for one in made["layers"]
    }


def functions(made: dict[str, Any]) -> dict[str, Row]:
    return {f"{one['function']} ({one['layer']})": {key: one[key] for key in FIGURES} for one in made["functions"]}


def files(made: dict[str, Any]) -> dict[str, Row]:
    """By their names without folders, for two runs are seldom in one; those of one name count together."""
    found: dict[str, Row] = {}
    for one in made["files"]:
        sums = found.setdefault(PurePath(one["file"]).name or one["file"], dict.fromkeys(FIGURES, 0))
        for direction in ("read", "write"):
            if one[direction]:
                sums["calls"] += one[direction]["calls"]
                sums["bytes"] += one[direction]["bytes"]
        sums["time_max_s"] += max(one["time_max_s"].values(), default=0.0)
    return found


def side_by_side(first: dict[str, Row], second: dict[str, Row], has_ratios: bool) -> list[Row]:
    """Where the times are farthest apart first. Ratios are of the second run to the first; none of nothing."""
    rows: list[Row] = []
    for name in [*first, *(name for name in second if name not in first)]:
        pair = first.get(name), second.get(name)
        row: Row = {"name": name, "state": "gone" if pair[1] is None else "new" if pair[0] is None else "both"}
        for key in FIGURES:
            values = [one[key] if one else 0 for one in pair]
            row[key] = values
            is_known = has_ratios and values[0] and pair[1] is not None
            row[f"{key}_ratio"] = values[1] / values[0] if is_known else None
        rows.append(row)
    return sorted(rows, key=lambda row: -abs(row["time_max_s"][1] - row["time_max_s"][0]))
