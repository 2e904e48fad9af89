# ctest: LABELS soak TIMEOUT 300
"""The pages of runs and traces in a browser without a screen: they have no error, and the time line moves."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import run_reports, tracing
from support.command import thalweg
from support.run_reports import of_rank, rank, span, thread

BROWSER = next((found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")

# Before the page's own script, and behind it: what it did wrong, and what it shows while a hand is at it.
WATCHED = "<script>const wrong = []; onerror = (text) => { wrong.push(text); };</script>"
MOVED = """<script>
  const line = document.getElementById("time-line"), canvas = line && line.querySelector("canvas");
  const range = () => line.querySelector(".range").textContent;
  const colours = () => {
    const points = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const found = new Set();
    for (let at = 0; at < points.length; at += 4) found.add(points.slice(at, at + 3).join());
    return found.size;
  };
  const seen = { wrong };
  const hands = line ? [
    () => { seen.all = range(); seen.colours = colours(); },
    () => canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -400, clientX: 900, clientY: 60, cancelable: true })),
    () => { seen.near = range(); },
    () => canvas.dispatchEvent(new MouseEvent("dblclick", { bubbles: true })),
    () => { seen.back = range(); line.querySelectorAll("input").forEach((box) => box.click()); },
    () => { seen.unticked = colours(); },
  ] : [];
  hands.push(() => {
    const told = document.createElement("pre");
    told.id = "told";
    told.textContent = JSON.stringify(seen);
    document.body.append(told);
  });
  // A browser without a screen has no frames; before it prints, the page draws at once.
  hands.forEach((hand, i) => setTimeout(() => { dispatchEvent(new Event("beforeprint")); hand(); }, 200 * (i + 1)));
</script>"""


def seen(page: Path, *options: str) -> dict[str, Any]:
    text = page.read_text()
    assert text.count("<head>") == text.count("</body>") == 1
    copy = page.with_suffix(".watched.html")
    copy.write_text(text.replace("<head>", f"<head>{WATCHED}").replace("</body>", f"{MOVED}</body>"))
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000", "--window-size=1280,1600"]
    command = [str(BROWSER), *fixed, *options, "--dump-dom", copy.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    (told,) = re.findall(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    found: dict[str, Any] = json.loads(html.unescape(told))
    return found


@pytest.fixture
def run(tmp_path: Path) -> Path:
    run_reports.profile(tmp_path, [rank(0, is_writer=True), rank(1)], (), "run.json")
    copies = [span(r, 0, "copy", 0.5 * i, 0.25, collection="history", record=i) for r in range(2) for i in range(20)]
    writes = [span(0, 1, "write", 0.5 * i + 0.25, 0.125, collection="history", record=i) for i in range(20)]
    ranks = [of_rank(0, [thread("model"), thread("thread that writes", 1)]), of_rank(1, [thread("model")])]
    run_reports.time_line(tmp_path, ranks, copies + writes)
    return tmp_path


@pytest.mark.parametrize("options", [(), ("--force-dark-mode",)])
def test_the_time_line_of_a_run_moves(run: Path, options: tuple[str, ...]) -> None:
    assert thalweg("report", run / "run.json", "--time-line", run / "line.json").code == 0
    found = seen(run / "run.html", *options)
    assert found["wrong"] == []
    assert found["all"] == found["back"] != found["near"], found
    assert found["colours"] > found["unticked"] > 1, "spans of no kind are left"


def test_a_page_without_a_time_line_has_no_error(run: Path) -> None:
    assert thalweg("report", run / "run.json").code == 0
    assert seen(run / "run.html") == {"wrong": []}


def test_the_page_of_a_trace_has_no_error(tmp_path: Path) -> None:
    text = f"import os; file = os.open('{tmp_path}/data', os.O_RDWR | os.O_CREAT); os.pwrite(file, b'abc', 0)"
    tracing.run((sys.executable, "-S", "-c", text), tmp_path / "logs")
    assert thalweg("trace", "--logs", tmp_path / "logs", "--html", tmp_path / "trace.html").code == 0
    assert seen(tmp_path / "trace.html") == {"wrong": []}
