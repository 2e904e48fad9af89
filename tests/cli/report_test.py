# ctest: SHORT LABELS cli TIMEOUT 120
"""The report of a run that has not been: its figures, and that the page says what the JSON does."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support import run_reports
from support.command import thalweg, use_programs
from support.run_reports import collection, field, mpi_calls, of_rank, rank, span, thread

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

MIB = 1 << 20
SETTINGS = (
    "writers.place = thread (default)",
    "profile = out/run.json (file ocean.yaml:3:10)",
    "time-line = out/line.json (file ocean.yaml:4:12)",
    "collections.history.file = ocean (2).nc (program open_collection_text('history'):1:9)",
    "collections.history.format = netcdf4 (default)",
)


def written_by(bytes_: int, write_s: float, best: tuple[int, float], *files: dict[str, Any]) -> dict[str, Any]:
    of_all = run_reports.written(bytes_, write_s, best, raw_bytes=300 * MIB, chunks=12)
    return collection("history", **of_all, written_files=list(files), files_left_out=3)


def ranks() -> list[dict[str, Any]]:
    """Two clients of which the first one writes, and a server, which writes as well."""
    doubts = [{"variable": "<temp>", "missing": 2, "out_of_range": 0, "unclosed": 1}]
    wind = {"name": "wind.nc", "gets": 3, "get_bytes": 5 * MIB, "get_s": 0.5, "wait_read_s": 0.25}
    first = rank(
        0,
        is_writer=True,
        client_copy_s=0.5,
        client_wait_block_s=1.0,
        client_finish_s=0.5,
        client_put_bytes=100 * MIB,
        client_puts=6,
        memory_bytes=300 * MIB,
        burst_bytes=3 * MIB,
        mpi=rank(0)["mpi"] | {"definitions": mpi_calls(1, 20, 3), "put": mpi_calls(7)},
        writer_write_s=4.0,
        writer_sync_s=0.5,
        writer_commit_s=0.5,
        writer_direct_bytes=150 * MIB,
        writer_buffered_bytes=50 * MIB,
        writer_write_calls=100,
        collections=[
            written_by(
                150 * MIB,
                4.0,
                (4, 50e6),
                run_reports.written(100 * MIB, 2.0, (1, 40e6), file="a.nc", records=3, chunks=6),
                run_reports.written(50 * MIB, 2.0, (4, 50e6), file="<b>.nc", records=3, chunks=6),
            )
            | {"doubtful_puts": doubts}
        ],
        inputs=[wind],
        fields=[field("ocean/t", 6, ["history"]), field("ocean/s", 0, ["history"]), field("ocean/u", 6)],
    )
    second = rank(1, client_copy_s=0.25, client_wait_block_s=2.0, client_wait_send_s=0.5, client_put_bytes=100 * MIB)
    server = rank(
        2,
        node=1,
        is_server=True,
        collections=[
            written_by(50 * MIB, 1.0, (2, 60e6), run_reports.written(50 * MIB, 1.0, (2, 60e6), file="a.nc", records=4))
        ],
        mpi=rank(2)["mpi"] | {"server": mpi_calls(4, 5, 6)},
        server_wait_message_s=8.0,
        server_define_s=1.0,
        server_receive_s=[0.5],
        server_forward_s=[0.25],
    )
    return [second, server, first]


def lines(folder: Path) -> Path:
    spans = [
        span(0, 0, "ready", 0.0, 1.0),
        span(0, 0, "metadata", 0.25, 0.5),
        span(0, 0, "copy", 2.0, 0.5, spans=4, counted_us=0.25e6, collection="history", record=2),
        span(0, 1, "write", 2.5, 4.0, collection="history", record=2),
        span(1, 0, "wait_block", 3.0, 2.0, collection="history", record=2),
        span(0, 1, "commit", 7.0, 1.0, collection="a & b", record=0, last_record=4),
        {"ph": "M", "pid": 0, "tid": 0, "name": "process_name", "args": {"name": "rank 0"}},
    ]
    of_ranks = [
        of_rank(0, [thread("model", copy=(7, 1500.0)), thread("thread that writes", 1)]),
        of_rank(1, [thread("model")], host="there", offset_error_us=40.0),
    ]
    return run_reports.time_line(folder, of_ranks, spans)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("run") / "out"
    made.mkdir()
    run_reports.profile(made, ranks(), SETTINGS, "run.json")
    lines(made)
    (made / "other.json").write_text("{}")
    return made


@pytest.fixture(scope="module")
def said(folder: Path) -> dict[str, Any]:
    return thalweg("report", folder, "--json").json


@pytest.fixture(scope="module")
def page(folder: Path) -> ElementTree.Element:
    done = thalweg("report", folder)
    assert done.code == 0 and f"page: {folder / 'run.html'}" in done.out
    return ElementTree.fromstring((folder / "run.html").read_text())


def test_headline(said: dict[str, Any]) -> None:
    head = said["headline"]
    assert (head["stall_s"], head["stall_rank"], head["stall_share"]) == (2.5, 1, 0.25)
    assert head["written_bytes"] == 200 * MIB
    assert head["writing_s"] == 5.0 and head["writing_rate"] == 40 * MIB and head["run_rate"] == 20 * MIB
    assert head["overlap"] == 0.5
    run = said["run"]
    assert (run["clients"], run["servers"], run["writers"], run["nodes"]) == (2, 1, 1, 2)
    assert run["rank_hours"] == pytest.approx(30 / 3600) and run["server_rank_hours"] == pytest.approx(10 / 3600)


def test_times_of_the_ranks(said: dict[str, Any]) -> None:
    timers = {one["timer"]: one for one in said["timers"]}
    wait = timers["wait_block"]
    assert (wait["inclusive_s"], wait["max_s"], wait["max_rank"], wait["min_s"], wait["min_rank"]) == (
        1.5,
        2.0,
        1,
        1.0,
        0,
    )
    assert wait["share"] == 0.15 and wait["exclusive_s"] == 1.0
    assert timers["copy"]["exclusive_s"] == 0.125, "what is counted of neighbours"
    assert timers["receive"]["inclusive_s"] == 0.5 and timers["receive"]["exclusive_s"] is None
    assert "paced" not in timers


def test_exclusive_times_leave_out_what_lies_within(folder: Path) -> None:
    from thalweg.report import time_line

    exclusive = time_line.exclusive_by_rank(time_line.read(folder / "line.json"))
    assert exclusive["ready", 0] == 0.5 and exclusive["metadata", 0] == 0.5


def test_rates_are_those_of_a_writer_and_of_the_best_record_of_any(said: dict[str, Any]) -> None:
    history = said["collections"][0]
    assert (history["raw_bytes"], history["file_bytes"], history["chunks"]) == (600 * MIB, 200 * MIB, 24)
    assert (history["writers"], history["rate"], history["ratio"]) == (2, 40 * MIB, 3.0)
    assert (history["peak_record"], history["peak_rate"]) == (2, 60e6)
    shared, own = said["files"]
    assert (shared["file"], shared["records"], shared["chunks"], shared["writers"]) == ("a.nc", 4, 6, 2)
    assert (shared["file_bytes"], shared["rate"], shared["peak_record"]) == (150 * MIB, 50 * MIB, 2)
    assert (own["file"], own["rate"], own["peak_record"], own["peak_rate"]) == ("<b>.nc", 25 * MIB, 4, 50e6)
    assert said["files_left_out"] == 6


def test_memory_is_told_by_rank_and_node(said: dict[str, Any]) -> None:
    memory = said["memory"]
    assert (memory["max_bytes"], memory["max_rank"]) == (300 * MIB, 0)
    first, second = memory["nodes"]
    assert (first["ranks"], first["bytes"], first["max_rank"], first["block_bytes"]) == (2, 400 * MIB, 0, 4 * MIB)
    assert (second["node"], second["ranks"], second["bytes"], second["block_bytes"]) == (1, 1, 100 * MIB, MIB)


def test_calls_of_mpi_are_told_by_role_and_phase(said: dict[str, Any]) -> None:
    calls = {(one["role"], one["phase"]): one for one in said["mpi_calls"]}
    assert list(calls) == [("client", "definitions"), ("client", "put"), ("client", "advance"), ("server", "server")]
    definitions = calls["client", "definitions"]
    assert [definitions[kind] for kind in ("messages", "collectives", "barriers")] == [1, 20, 3]
    assert calls["client", "put"]["most_messages"] == 7 and calls["server", "server"]["barriers"] == 6
    assert calls["client", "advance"]["messages"] == 0, "that there are none is worth a line"


def test_a_profile_of_the_first_version_tells_less(tmp_path: Path) -> None:
    old = {key: value for key, value in rank(0).items() if key not in ("memory_bytes", "burst_bytes", "mpi")}
    path = run_reports.profile(tmp_path, [old], version=1)
    said = thalweg("report", path, "--json").json
    assert said["files"] == [] and said["collections"][0]["rate"] is None
    assert said["memory"] is None and said["mpi_calls"] == []
    assert thalweg("report", path).code == 0


def test_settings_have_their_origin(said: dict[str, Any]) -> None:
    settings = {one["key"]: one for one in said["settings"]}
    assert settings["writers.place"] == {"key": "writers.place", "value": "thread", "origin": "default"}
    of_file = settings["collections.history.file"]
    assert of_file["value"] == "ocean (2).nc" and of_file["origin"] == "program open_collection_text('history'):1:9"
    assert said["collections"][0]["file"] == "ocean (2).nc"


def test_tables_and_doubts(said: dict[str, Any]) -> None:
    assert said["doubtful_puts"] == [
        {"collection": "history", "variable": "<temp>", "missing": 2, "out_of_range": 0, "unclosed": 1, "ranks": [0]}
    ]
    assert said["inputs"][0]["wait_read_s"] == 0.25 and said["inputs"][0]["readers"] == 1
    line = said["time_line"]
    assert (line["spans"], line["hosts"], line["left_out_spans"]) == (6, 2, 7)
    times = {(one["collection"], one["timer"]): (one["exclusive_s"], one["spans"]) for one in line["collections"]}
    assert times == {
        ("history", "copy"): (0.25, 4),
        ("history", "write"): (4.0, 1),
        ("history", "wait_block"): (2.0, 1),
        ("a & b", "commit"): (1.0, 1),
    }
    assert line["records"] == [
        {"collection": "history", "record": 2, "stall_s": 2.0, "stall_rank": 1, "writing_s": 4.0}
    ], "what is of several records is of none"
    assert line["clock_error_s"] == pytest.approx(40e-6) and line["left_out_s"] == pytest.approx(1.5e-3)


def figures(element: ElementTree.Element) -> list[float]:
    return [float(one.attrib["data-value"]) for one in element.iter() if "data-value" in one.attrib]


def by_id(page: ElementTree.Element, name: str) -> ElementTree.Element:
    return next(one for one in page.iter() if one.get("id") == name)


def test_figures_of_the_page_are_those_of_the_json(said: dict[str, Any], page: ElementTree.Element) -> None:
    for name in ("stall_s", "stall_share", "overlap", "written_bytes", "writing_rate", "run_rate"):
        assert float(by_id(page, name).attrib["data-value"]) == said["headline"][name], name
    for name in ("session_s", "rank_hours"):
        assert float(by_id(page, name).attrib["data-value"]) == said["run"][name]
    keys = ("inclusive_s", "share", "exclusive_s", "max_s", "max_rank", "min_s", "min_rank")
    wanted = [one[key] for one in said["timers"] for key in keys if one[key] is not None]
    assert figures(by_id(page, "timers")) == wanted
    rows = [row for row in by_id(page, "ranks").iter("tr")][1:]
    assert [figures(row)[0] for row in rows] == [0, 1, 2]
    first = said["ranks"][0]
    sums = [first["stall_s"], first["written_bytes"], first["write_s"] + first["sync_s"], first["rate"]]
    assert figures(rows[0])[-5:] == [*sums, first["memory_bytes"]]
    of_nodes = ("node", "ranks", "bytes", "max_rank", "max_bytes", "block_bytes")
    assert figures(by_id(page, "memory")) == [one[key] for one in said["memory"]["nodes"] for key in of_nodes]
    assert figures(by_id(page, "mpi-calls")) == [
        one[key]
        for one in said["mpi_calls"]
        for call in ("messages", "collectives", "barriers")
        for key in (call, f"most_{call}")
    ]
    rates = ("rate", "peak_record", "peak_rate", "writers")
    of_collections = ("records", "files", "raw_bytes", "file_bytes", "ratio", "chunks", *rates)
    history = said["collections"][0]
    assert figures(by_id(page, "collections")) == [*(history[key] for key in of_collections), 2, 0.5, 0.25]
    assert figures(by_id(page, "files")) == [
        one["write_s"] + one["sync_s"] if key == "busy_s" else one[key]
        for one in said["files"]
        for key in ("records", "raw_bytes", "file_bytes", "chunks", "busy_s", *rates)
    ]
    assert figures(by_id(page, "of-collections")) == [
        figure for one in said["time_line"]["collections"] for figure in (one["exclusive_s"], one["spans"])
    ]
    assert figures(by_id(page, "records")) == [2, 2.0, 1, 4.0]
    assert figures(by_id(page, "doubtful-puts")) == [2, 0, 1]
    assert figures(by_id(page, "fields")) == [6, 0, 6]
    assert [one["remark"] for one in said["fields"]] == ["", "never put", "put, and nothing has it"]
    assert figures(by_id(page, "inputs")) == [3, 5 * MIB, 1, 0.5, 0.25, 0]
    rules_of_page = [(one.get("data-rule"), figures(one)) for one in page.iter("li")]
    assert rules_of_page == [(one["rule"], [one["value"]]) for one in said["findings"]]
    bars = [float(one.attrib["data-value"]) for one in page.iter("{http://www.w3.org/2000/svg}rect")]
    parts = ("copy_s", "wait_block_s", "wait_send_s", "wait_commit_s", "finish_own_s", "finish_others_s")
    clients = [one[key] for one in said["ranks"] if one["role"] == "client" for key in parts]
    assert bars == clients + [first[key] for key in ("write_s", "sync_s", "commit_s", "encode_s")]


def test_the_page_loads_nothing_and_takes_names_as_text(folder: Path, page: ElementTree.Element) -> None:
    text = (folder / "run.html").read_text()
    assert not re.search(r"https?://(?!www\.w3\.org/)|\bhref|\bsrc=|@import|url\(", text)
    assert "&lt;temp&gt;" in text and "<temp>" not in text
    assert "prefers-color-scheme: dark" in text and "@media print" in text
    words = "".join(page.itertext())
    assert "7 short ones are left out" in words and "may be 40 µs apart" in words


def test_the_time_line_of_the_page_has_all_spans(page: ElementTree.Element) -> None:
    data = json.loads(by_id(page, "time-line-data").text or "")
    assert data["names"] == ["ready", "metadata", "copy", "write", "wait block", "commit"]
    labels = [track["label"] for track in data["tracks"]]
    assert labels == ["rank 0: model", "rank 0: thread that writes", "rank 1: model"]
    model = data["tracks"][0]
    assert model["levels"] == [[0, 2], [2, 3]], "metadata lies in ready"
    assert np.frombuffer(b64decode(model["start"]), "<f8").tolist() == [0.0, 2.0, 0.25]
    assert np.frombuffer(b64decode(model["length"]), "<f4").tolist() == [1.0, 0.5, 0.5]
    assert np.frombuffer(b64decode(model["spans"]), "<u4").tolist() == [1, 4, 1]
    assert [data["names"][kind] for kind in b64decode(model["kind"])] == ["ready", "copy", "metadata"]
    assert data["collections"] == ["history", "a & b"]
    assert list(b64decode(model["collection"])) == [0, 1, 0], "1 is the first"
    writer = data["tracks"][1]
    assert np.frombuffer(b64decode(writer["first"]), "<i4").tolist() == [2, 0]
    assert np.frombuffer(b64decode(writer["last"]), "<i4").tolist() == [2, 4]
    assert np.frombuffer(b64decode(model["first"]), "<i4").tolist() == [-1, 2, -1]


def test_without_a_time_line_the_page_says_so(tmp_path: Path) -> None:
    path = run_reports.profile(tmp_path, ranks())
    assert thalweg("report", path, "--output", tmp_path / "a.html").code == 0
    page = ElementTree.fromstring((tmp_path / "a.html").read_text())
    assert "There is none; the key" in "".join(page.itertext())
    assert next(page.iter("script"), None) is None
    assert not (tmp_path / "profile.html").exists()


def test_many_ranks_are_shown_as_those_that_wait_longest(tmp_path: Path) -> None:
    many = [rank(k, client_wait_block_s=0.001 * k) for k in range(1000)]
    path = run_reports.profile(tmp_path, many)
    assert thalweg("report", path).code == 0
    page = ElementTree.fromstring((tmp_path / "profile.html").read_text())
    shown = [int(figures(row)[0]) for row in list(by_id(page, "ranks").iter("tr"))[1:]]
    assert shown == list(range(800, 1000))
    assert "800 ranks that wait and write less are left out" in "".join(page.itertext())
