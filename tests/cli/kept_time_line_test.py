# ctest: SHORT LABELS cli TIMEOUT 60
"""Time lines that ranks have kept of a run that did not end, as one page."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from support import run_reports
from support.command import refused, thalweg
from support.run_reports import of_rank, span, thread


def kept(folder: Path, rank: int, clock: str, start_s: float, session: str = "new") -> Path:
    """As a rank keeps it that started at start_s of its clock: its own times begin with that."""
    about = of_rank(rank, [thread("model")], clock=clock, session=session, offset_us=-1e6 * start_s, host=clock)
    spans = [span(rank, 0, "copy", 1.0, 0.5, collection="history", record=rank)]
    return run_reports.time_line(folder, [about], spans, f"line.rank-{rank}.json")


def test_what_ranks_have_kept_of_a_run_that_did_not_end(tmp_path: Path) -> None:
    old = kept(tmp_path, 7, "a", 1.0, session="old")
    os.utime(old, (1, 1))
    kept(tmp_path, 0, "a", 100.0)
    kept(tmp_path, 1, "a", 100.25)
    kept(tmp_path, 2, "b", 5000.0)
    said = thalweg("report", tmp_path, "--json").json
    line = said["time_line"]
    assert said["profile"] is None and line["is_kept"] and (line["ranks"], line["hosts"]) == (3, 2)
    assert [one["record"] for one in line["records"]] == [0, 1, 2]
    done = thalweg("report", tmp_path)
    assert done.code == 0 and "did not end; 3 of its ranks kept" in done.out
    page = ElementTree.fromstring((tmp_path / "time_line.html").read_text())
    data = json.loads(next(one for one in page.iter() if one.get("id") == "time-line-data").text or "")
    starts = [np.frombuffer(b64decode(track["start"]), "<f8").tolist() for track in data["tracks"]]
    assert starts == [[1.0], [1.25], [1.0]], "ranks of one clock are set to each other"
    assert "Clocks of hosts are not set to each other" in "".join(page.itertext())
    (tmp_path / "line.rank-1.json").write_text('{"thalweg_time_line": 1, "ranks": [], "traceEvents": []}')
    assert "no whole time lines" in refused(3, "report", tmp_path)
