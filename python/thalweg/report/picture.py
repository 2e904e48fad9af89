"""The picture of a time line: data and frame of the canvas that time_line.js draws."""

from __future__ import annotations

import json
from base64 import b64encode
from importlib import resources
from typing import Any

import numpy as np

from thalweg.pages import clean, seconds
from thalweg.report.profile import Json
from thalweg.report.time_line import TimeLine, Track

STYLE = """
#time-line { position: relative; margin: 0 } #time-line canvas { display: block; width: 100%; touch-action: none;
  border: 1px solid var(--line); cursor: grab } #time-line label { margin-right: 1em; white-space: nowrap }
.tip { position: absolute; pointer-events: none; background: var(--ink); color: var(--paper); padding: .2em .6em;
  border-radius: 4px; font-size: 12px; white-space: nowrap } .swatch { display: inline-block; width: .8em; height: .8em;
  border-radius: 2px; margin: 0 .3em 0 .6em; vertical-align: -.05em } figure { margin: 1em 0 }
@media print { #time-line input { display: none } }
"""
# Waits are warm, work of writers is green and blue, what belongs to beginning and end is grey.
COLOURS = {
    "copy": "#4c78a8",
    "wait_block": "#d62728",
    "wait_send": "#ff7f0e",
    "wait_commit": "#e8a33d",
    "metadata": "#9c755f",
    "ready": "#8a8f98",
    "finish": "#b07aa1",
    "finish_own": "#b07aa1",
    "finish_others": "#d7bfcf",
    "write": "#2f9e62",
    "sync": "#17a2a8",
    "commit": "#8c6bd1",
    "write_header": "#1f6f45",
    "sync_header": "#0f6c72",
    "fill": "#a3b18a",
    "encode": "#c2a500",
    "paced": "#e377c2",
    "spill": "#c44e52",
    "get": "#5a9bd4",
    "wait_read": "#f06a4d",
    "wait_message": "#b8bec7",
    "define": "#8a8f98",
    "receive": "#3d8fd1",
    "forward": "#6aaa3a",
    "clean_up": "#b07aa1",
    "other": "#6d7683",
}


def colour_of(name: str) -> str:
    return COLOURS.get(name, "#777777")


def legend(names: list[str]) -> str:
    return "".join(
        f'<span class="swatch" style="background: {colour_of(name)}"></span>{clean(name.replace("_", " "))}'
        for name in names
    )


def packed(values: Any, kind: Any) -> str:
    return b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def levels(track: Track) -> list[list[int]]:
    """Where each level begins and ends."""
    depth = int(track.level.max()) + 1 if len(track.level) else 0
    bounds = np.searchsorted(track.level, np.arange(depth + 1)).tolist()
    return [[bounds[k], bounds[k + 1]] for k in range(depth)]


def data(line: TimeLine) -> Json:
    return {
        "names": [name.replace("_", " ") for name in line.names],
        "colours": [colour_of(name) for name in line.names],
        "collections": line.collections,
        "end_s": line.end_s,
        "tracks": [
            {
                "label": f"rank {track.rank}: {track.name}",
                "start": packed(track.start_s, "<f8"),
                "length": packed(track.length_s, "<f4"),
                "kind": packed(track.kind, "u1"),
                "spans": packed(track.spans, "<u4"),
                "collection": packed(track.collection, "u1"),
                "first": packed(track.first_record, "<i4"),
                "last": packed(track.last_record, "<i4"),
                "levels": levels(track),
            }
            for track in line.tracks
        ],
    }


def figure(made: Json, line: TimeLine | None) -> str:
    if line is None:
        return "<p>There is none; the key <code>time-line</code> in the configuration of a run has it written.</p>"
    about = made["time_line"]
    boxes = "".join(
        f'<label><input type="checkbox" checked="checked" value="{number}"/>{legend([name])}</label>'
        for number, name in enumerate(line.names)
    )
    # A page is HTML to browsers, to which no text of JSON may look like the end of an element.
    text = json.dumps(data(line)).replace("<", "\\u003c").replace("&", "\\u0026").replace(">", "\\u003e")
    return (
        f'<figure id="time-line"><p>{boxes}</p>'
        '<p class="quiet screen">Drag to move, the wheel to zoom, shift and the wheel for other rows; a double click '
        'shows all. <span class="range"></span></p>'
        '<canvas tabindex="0" aria-label="Time line of all threads"></canvas><div class="tip" hidden="hidden"></div>'
        f'<figcaption class="quiet">{clean(caption(about))}</figcaption>'
        f'<script type="application/json" id="time-line-data">{text}</script></figure>'
    )


def caption(about: Json) -> str:
    said = f"{about['spans']:,} spans of {len(about['threads']):,} threads, {about['file']}."
    if about["is_kept"]:
        said += f" The run did not end: this is what {about['ranks']:,} of its ranks had kept by then."
        said += " Clocks of hosts are not set to each other." if about["hosts"] > 1 else ""
    if about["left_out_spans"]:
        said += f" {about['left_out_spans']:,} short ones are left out, {seconds(about['left_out_s'])} together."
    if about["clock_error_s"] > 0:
        said += f" Clocks of different hosts may be {seconds(about['clock_error_s'])} apart, as measured at the end."
    return said


def script() -> str:
    return resources.files("thalweg.report").joinpath("time_line.js").read_text(encoding="utf-8")
