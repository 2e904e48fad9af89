"""The tables for the terminal."""

from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from .summary import by_name, ratios

Summary = dict[str, Any]


def spread(summary: Summary, key: str, factor: float, digits: int) -> str:
    """median (lowest–highest)"""
    values = [factor * run[key] for run in summary["runs"] if run.get(key) is not None]
    if not values:
        return "–"
    text = f"{factor * summary[key]:.{digits}f}"
    return text if len(values) == 1 else f"{text} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def times(summary: Summary, reference: Summary | None, key: str) -> str:
    values = ratios(summary, reference, key) if reference else []
    return f"{median(values):.2f}" if values else "–"


def check_mark(value: bool | None) -> str:
    return {None: "–", True: "equal", False: "[bold red]DIFFERENT[/]"}[value]


def style(summary: Summary) -> str:
    return {"thalweg": "bold cyan", "limit": "dim"}.get(summary["kind"], "")


def add_row(table: Table, summary: Summary, cells: list[str]) -> None:
    if summary["runs"]:
        table.add_row(summary["name"], str(len(summary["runs"])), *cells, style=style(summary))
    else:
        table.add_row(summary["name"], "0", f"[red]failed: {summary['errors'][0]}[/]")


def large_table(summaries: list[Summary], title: str) -> Table:
    table = Table(title=title)
    ways = by_name(summaries)
    heads = ("way", "runs", "wall s", "× floor", "stall ms/record", "× copy", "first ms", "CPU s of output", "set-up s",
             "on disk s", "MB/s", "values")  # fmt: skip
    for head in heads:
        table.add_column(head, justify="left" if head == "way" else "right", no_wrap=head == "way")
    for one in summaries:
        cells = [spread(one, "wall_s", 1, 2), times(one, ways.get("floor"), "wall_s")]
        cells += [spread(one, "stall_s_per_record", 1e3, 1), times(one, ways.get("copy"), "stall_s_per_record")]
        cells += [spread(one, "stall_first_s", 1e3, 0), spread(one, "cpu_output_s", 1, 2), spread(one, "setup_s", 1, 2)]
        cells += [spread(one, "on_disk_s", 1, 2), spread(one, "throughput_bytes_per_s", 1e-6, 0)]
        add_row(table, one, [*cells, check_mark(one["values_equal"])])
    return table


def small_table(summaries: list[Summary], title: str) -> Table:
    table = Table(title=title)
    heads = ("way", "runs", "stall µs, median record", "mean µs", "99 % µs", "wall s", "CPU s", "values")
    for head in heads:
        table.add_column(head, justify="left" if head == "way" else "right", no_wrap=head == "way")
    for one in summaries:
        worst = [1e6 * run["stall_p99_s"] for run in one["runs"]]
        cells = [spread(one, "stall_median_s", 1e6, 1), spread(one, "stall_s_per_record", 1e6, 1)]
        cells += [f"{median(worst):.0f}" if worst else "–", spread(one, "wall_s", 1, 2)]
        cells += [spread(one, "cpu_s", 1, 2), check_mark(one["values_equal"])]
        add_row(table, one, cells)
    return table


def compressed_table(summaries: list[Summary], title: str) -> Table:
    table = Table(title=title)
    ways = by_name(summaries)
    heads = ("way", "runs", "on disk s", "MB/s of values", "× codec", "values / file", "stall ms/record", "closing s",
             "CPU s a GB", "values")  # fmt: skip
    for head in heads:
        table.add_column(head, justify="left" if head == "way" else "right", no_wrap=head == "way")
    for one in summaries:
        cells = [spread(one, "on_disk_s", 1, 2), spread(one, "throughput_bytes_per_s", 1e-6, 0)]
        cells += [times(one, ways.get(f"codec_{one['codec']}"), "throughput_bytes_per_s")]
        cells += [spread(one, "compression", 1, 2), spread(one, "stall_s_per_record", 1e3, 1)]
        cells += [spread(one, "finish_s", 1, 2), spread(one, "cpu_output_s_per_gb", 1, 2)]
        add_row(table, one, [*cells, check_mark(one["values_equal"])])
    return table


def target_table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="What Thalweg must reach")
    for head in ("target", "way", "measured (lowest–highest)", "limit", "met"):
        table.add_column(head)
    for row in rows:
        bound = "≥" if row["at_least"] else "≤"
        measured = f"{row['value']:.2f} ({row['lowest']:.2f}–{row['highest']:.2f})"
        mark = "[green]yes[/]" if row["met"] else "[bold red]no[/]"
        table.add_row(row["target"], row["way"], measured, f"{bound} {row['limit']:.2f}", mark)
    return table


def show(console: Console, report: dict[str, Any]) -> None:
    titles = {
        "large": "large: a model with computing and output in turn",
        "servers": "servers: the same model, output on ranks of its own",
        "drain": "drain: the same fields without computing, to stable storage",
    }
    for case, title in titles.items():
        if report[case]:
            console.print(large_table(report[case], title))
    if report["small"]:
        console.print(small_table(report["small"], "small: one plane and 20 scalars a record"))
    if report["compressed"]:
        title = "compressed: smooth fields without computing; 'codec' is memory to memory on all cores"
        console.print(compressed_table(report["compressed"], title))
    if report["targets"]:
        console.print(target_table(report["targets"]))
