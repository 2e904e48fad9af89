"""What Thalweg must reach, from the numbers of one benchmark. Ratios are taken between runs of the same round."""

from statistics import median
from typing import Any

from .summary import by_name, pairs, ratios
from .ways import RAW_WAYS, THREAD_WAYS, is_idle

Ways = dict[str, dict[str, Any]]
Row = dict[str, Any]

STALL_LIMIT = 1.15
DRAIN_LIMIT = 0.9
CPU_LIMIT = 1.25
WALL_LIMIT = 1.05
IDLE_LIMIT = 1.02  # or the spread of the runs without output, where that is wider
SMALL_LIMIT_US = 50.0
CODEC_LIMIT = 0.9


def evaluate(report: dict[str, list[dict[str, Any]]]) -> list[Row]:
    large, drain, small = (by_name(report.get(case, [])) for case in ("large", "drain", "small"))
    rows = stall_rows(large) + drain_rows(drain) + cpu_rows(large) + wall_rows(large) + idle_rows(large)
    rows += idle_rows(by_name(report.get("servers", [])))
    return rows + small_rows(small) + compressed_rows(by_name(report.get("compressed", [])))


def row(target: str, way: str, values: list[float], limit: float, at_least: bool = False) -> list[Row]:
    """One row, or none where nothing was measured."""
    if not values:
        return []
    value = median(values)
    met = value >= limit if at_least else value <= limit
    bounds = {"lowest": min(values), "highest": max(values)}
    return [{"target": target, "way": way, "value": value, **bounds, "limit": limit, "at_least": at_least, "met": met}]


def present(ways: tuple[str, ...], table: Ways, *needed: str) -> list[str]:
    return [name for name in ways if name in table] if all(name in table for name in needed) else []


def stall_rows(large: Ways) -> list[Row]:
    rows = []
    for name in present(THREAD_WAYS, large, "copy"):
        every = ratios(large[name], large["copy"], "stall_s_per_record")
        first = ratios(large[name], large["copy"], "stall_first_s")
        rows += row("1 stall / copy, all records", name, every, STALL_LIMIT)
        rows += row("1 stall / copy, first record", name, first, STALL_LIMIT)
    return rows


def drain_rows(drain: Ways) -> list[Row]:
    rows = []
    raw = [drain[name] for name in RAW_WAYS if name in drain]
    if not raw:
        return rows
    best = max(raw, key=lambda way: way["throughput_bytes_per_s"])
    for name in present(THREAD_WAYS, drain):
        values = ratios(drain[name], best, "throughput_bytes_per_s")
        rows += row(f"2 drained throughput / {best['name']}", name, values, DRAIN_LIMIT, at_least=True)
    return rows


def cpu_rows(large: Ways) -> list[Row]:
    """Over the model's own processor time: that of a run without output, or what the model took in the same run."""
    rows = []
    for name in present(THREAD_WAYS, large, "floor", "none"):
        over_none = ratio_of_excess(large[name], large["floor"], large["none"])
        rows += row("3 CPU over 'none' / that of floor", name, over_none, CPU_LIMIT)
        in_run = ratios(large[name], large["floor"], "cpu_output_s")
        rows += row("3 CPU in the run itself / floor's", name, in_run, CPU_LIMIT)
    return rows


def ratio_of_excess(way: dict[str, Any], floor: dict[str, Any], none: dict[str, Any]) -> list[float]:
    """One ratio of medians: differences of two large numbers are too noisy to be divided run by run."""
    excess = [median(a - b for a, b in pairs(one, none, "cpu_s")) for one in (way, floor) if pairs(one, none, "cpu_s")]
    return [excess[0] / excess[1]] if len(excess) == 2 and excess[1] > 0 else []


def wall_rows(large: Ways) -> list[Row]:
    rows = []
    for name in present(THREAD_WAYS, large, "floor"):
        rows += row("4 wall / floor", name, ratios(large[name], large["floor"], "wall_s"), WALL_LIMIT)
    return rows


def idle_rows(model: Ways) -> list[Row]:
    if "none" not in model:
        return []
    steps = {name: steps_of(model[name]) for name in model if is_idle(name)}
    limit = max(IDLE_LIMIT, max(steps["none"].values()) / median(steps["none"].values()))
    rows = []
    for name in (name for name in steps if name != "none"):
        both = steps[name].keys() & steps["none"].keys()
        values = [steps[name][number] / steps["none"][number] for number in both]
        rows += row("5 idle writer: steps / none", name, values, limit)
    return rows


def steps_of(way: dict[str, Any]) -> dict[int, float]:
    """By round: the time of all steps, without the closing after them."""
    return {run["round"]: run["wall_s"] - run["finish_s"] for run in way["runs"]}


def small_rows(small: Ways) -> list[Row]:
    rows = []
    for name in present(THREAD_WAYS, small):
        values = [1e6 * run["stall_median_s"] for run in small[name]["runs"]]
        rows += row("6 small record: stall, µs", name, values, SMALL_LIMIT_US)
    return rows


def compressed_rows(compressed: Ways) -> list[Row]:
    rows = []
    for name, way in compressed.items():
        limit = compressed.get(f"codec_{way['codec']}")
        if way["kind"] != "thalweg" or not limit:
            continue
        if way["codec"].endswith("_one_core"):
            values = ratios(way, limit, "throughput_bytes_per_s")
            rows += row(f"7 drained throughput / {way['codec']}", name, values, CODEC_LIMIT, at_least=True)
        else:
            values = cpu_shares(way, limit, compressed)
            rows += row("8 CPU: (codec + copy) / way", name, values, CODEC_LIMIT, at_least=True)
    return rows


def cpu_shares(way: dict[str, Any], codec: dict[str, Any], compressed: Ways) -> list[float]:
    """Of the way's processor time a GB: what the codec alone and the model's copy take."""
    if "copy" not in compressed:
        return []
    key = "cpu_output_s_per_gb"
    copy = compressed["copy"][key]
    return [(of_codec + copy) / of_way for of_way, of_codec in pairs(way, codec, key)]
