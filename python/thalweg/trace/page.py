"""The report as a page: the graph of calls between layers, the balance of the ranks, the files. It loads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thalweg.pages import Cell, Part, bars, clean, document, left, seconds, table
from thalweg.trace.files import COLUMNS, rows
from thalweg.trace.log import LAYERS

WIDTH, HEIGHT, GAP, ROW = 210, 46, 24, 150
LEFT, TOP = 90, 20
COLOURS = dict(zip(LAYERS, ("#4c78a8", "#72b7b2", "#b279a2", "#f58518", "#54a24b", "#888888"), strict=True))


@dataclass
class Node:
    layer: str
    name: str
    one: dict[str, Any]
    x: float = 0.0
    y: float = 0.0


def nodes_of(made: dict[str, Any], threshold: float) -> tuple[dict[tuple[str, str], Node], list[dict[str, Any]]]:
    """Functions and links that are as long as the threshold says, and functions that such a link ends at."""
    functions = {(one["layer"], one["function"]): one for one in made["functions"] if one["layer"] != "mpi"}
    longest = max((one["time_max_s"] for one in functions.values()), default=0.0)
    least = longest * threshold / 100
    links = [link for link in made["links"] if link["time_max_s"] >= least]
    wanted = {key for key, one in functions.items() if one["time_max_s"] >= least}
    for link in links:
        wanted |= {(link["caller_layer"], link["caller"]), (link["layer"], link["function"])}
    return {key: Node(*key, functions[key]) for key in functions if key in wanted}, links


def place(nodes: dict[tuple[str, str], Node], links: list[dict[str, Any]]) -> tuple[float, float]:
    """A row for each layer; in it functions are sorted by where their callers are. Returns width and height."""
    rows = [[node for node in nodes.values() if node.layer == layer] for layer in LAYERS]
    rows = [row for row in rows if row]
    widest = max((len(row) for row in rows), default=0)
    width = LEFT + widest * (WIDTH + GAP)
    for number, row in enumerate(rows):
        centres = {id(node): centre_of_callers(node, nodes, links) for node in row}
        row.sort(key=lambda node: centres[id(node)])
        step = (width - LEFT) / len(row)
        for column, node in enumerate(row):
            node.x, node.y = LEFT + (column + 0.5) * step - WIDTH / 2, TOP + number * ROW
    return width, TOP + len(rows) * ROW


def centre_of_callers(node: Node, nodes: dict[tuple[str, str], Node], links: list[dict[str, Any]]) -> float:
    own = [link for link in links if (link["layer"], link["function"]) == (node.layer, node.name)]
    callers = [nodes.get((link["caller_layer"], link["caller"])) for link in own]
    other = [caller for caller in callers if caller is not None and caller.layer != node.layer]
    return sum(caller.x for caller in other) / len(other) if other else 0.0


def link_svg(link: dict[str, Any], nodes: dict[tuple[str, str], Node], longest: float) -> str:
    """From caller to callee, as wide as it is long; its time and, in brackets, the ranks that take it."""
    caller = nodes.get((link["caller_layer"], link["caller"]))
    callee = nodes.get((link["layer"], link["function"]))
    if caller is None or callee is None or caller is callee:
        return ""
    same = caller.layer == callee.layer
    x1, y1 = caller.x + WIDTH / 2, caller.y + HEIGHT
    x2, y2 = callee.x + WIDTH / 2, callee.y + (HEIGHT if same else 0)
    bend = 40 if same else (y2 - y1) / 2
    below = y2 + bend if same else y2 - bend
    stroke = 1 + 7 * link["time_max_s"] / longest if longest else 1
    text = f"{seconds(link['time_max_s'])} [{link['ranks']}]"
    label_x, label_y = (x1 + 2 * x2) / 3, (y1 + below) / 2 if same else y1 + 0.72 * (y2 - y1)
    return (
        f'<path d="M{x1:.0f} {y1:.0f} C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {below:.0f} {x2:.0f} {y2:.0f}" fill="none" '
        f'style="stroke: var(--arrow)" stroke-opacity="0.6" stroke-width="{stroke:.1f}"/>'
        f'<text x="{label_x:.0f}" y="{label_y:.0f}" text-anchor="middle">{clean(text)}</text>'
    )


def node_svg(node: Node) -> str:
    one = node.one
    words = f"{seconds(one['time_max_s'])} at {one['max_rank']} [{one['ranks']}], {one['calls']} calls"
    return (
        f'<rect x="{node.x:.0f}" y="{node.y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
        f'fill="{COLOURS[node.layer]}"/>'
        f'<text x="{node.x + 8:.0f}" y="{node.y + 19:.0f}" style="fill: #fff; font-weight: bold">'
        f"{clean(node.name)}</text>"
        f'<text x="{node.x + 8:.0f}" y="{node.y + 37:.0f}" style="fill: #fff">{clean(words)}</text>'
    )


def graph(made: dict[str, Any], threshold: float) -> str:
    nodes, links = nodes_of(made, threshold)
    width, height = place(nodes, links)
    longest = max((link["time_max_s"] for link in links), default=0.0)
    parts = [link_svg(link, nodes, longest) for link in links]
    parts += [node_svg(node) for node in nodes.values()]
    layers = {node.layer: node.y for node in nodes.values()}
    parts += [f'<text x="4" y="{y + 28:.0f}">{clean(layer)}</text>' for layer, y in layers.items()]
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def balance(one: dict[str, Any]) -> str:
    times = one["time_s"]
    title = f"{one['function']} ({one['layer']}), longest {seconds(max(times.values(), default=0.0))}"
    return f"<p>{clean(title)}</p>" + bars(
        [(f"rank {rank}", [Part("", "var(--bar)", time)]) for rank, time in times.items()]
    )


def balances(all_of: list[dict[str, Any]]) -> list[str]:
    """A bar alone says nothing."""
    shown = [balance(one) for one in all_of if len(one["time_s"]) > 1]
    return ["<h2>Balance of the ranks</h2>", *shown] if shown else []


def table_of_files(files: list[dict[str, Any]]) -> list[str]:
    """Sizes are in bytes, which can be compared and counted up."""
    shown = rows(files, lambda size: f"{size:,.0f}", seconds)
    cells = [[*map(left, row[:2]), *map(Cell, row[2:])] for row in shown]
    return ["<h2>Files</h2>", table("files", COLUMNS, cells)] if cells else []


def page_of(made: dict[str, Any], threshold: float) -> str:
    items = [f"<li>{clean(one['text'])} <i>({clean(one['rule'])})</i></li>" for one in made["findings"]]
    parts = [
        f"<h1>{clean(' '.join(made.get('command', []))) or 'a run'}</h1>",
        f"<h2>What stands out</h2><ul>{''.join(items)}</ul>" if items else "",
        "<h2>Who calls whom</h2><p>Functions with the time of the longest rank, that rank, and in brackets how",
        "many ranks call them; lines with the time of the longest rank, and how many ranks go that way.</p>",
        graph(made, threshold),
        *balances(made["balance"]),
        *table_of_files(made["files"]),
    ]
    return document("thalweg trace", "\n".join(parts))
