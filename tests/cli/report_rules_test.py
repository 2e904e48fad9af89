# ctest: SHORT LABELS cli TIMEOUT 120
"""What the report of a run advises: each rule speaks where it should, and of keys that there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support import mpi, run_reports
from support.command import thalweg, use_programs
from support.run_reports import collection, rank
from thalweg.report import rules

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

MIB = 1 << 20
BUSY = {"is_writer": True, "writer_write_s": 8.0}
CASES: dict[str, list[dict[str, Any]]] = {
    "doubtful-puts": [
        rank(
            0,
            collections=[
                collection("h", doubtful_puts=[{"variable": "t", "missing": 1, "out_of_range": 0, "unclosed": 0}])
            ],
        )
    ],
    "storage-is-slow": [rank(0, client_wait_block_s=1.0, **BUSY)],
    "little-memory": [rank(0, client_wait_block_s=1.0, is_writer=True, writer_write_s=2.0)],
    "messages-wait": [rank(0, client_wait_send_s=1.0)],
    "commits-wait": [rank(0, client_wait_commit_s=1.0)],
    "long-finish": [rank(0, client_finish_s=2.0)],
    "long-definitions": [rank(0, client_ready_s=2.0)],
    "uneven-writers": [rank(k, is_writer=True, writer_direct_bytes=size * MIB) for k, size in enumerate((100, 5))],
    "uneven-clients": [rank(0, client_put_bytes=9), rank(1, client_put_bytes=1)],
    "small-writes": [rank(0, is_writer=True, writer_direct_bytes=MIB, writer_write_calls=2000)],
    "through-the-page-cache": [rank(0, is_writer=True, writer_buffered_bytes=100 * MIB)],
    "syncs": [rank(0, is_writer=True, client_wait_block_s=1.0, writer_sync_s=1.5, writer_write_s=0.5)],
    "compression-is-no-use": [
        rank(0, is_writer=True, writer_raw_bytes=100, writer_encoded_bytes=95, writer_encode_s=2.0)
    ],
    "spilled": [rank(0, is_writer=True, writer_spilled_bytes=MIB)],
    "held-back": [rank(0, is_writer=True, writer_paced_s=2.0, client_wait_block_s=1.0)],
    "reading-waits": [
        rank(0, inputs=[{"name": "w", "gets": 1, "get_bytes": 1, "get_s": 1.0, "wait_read_s": 1.0}]),
    ],
    "hints-not-taken": [
        rank(
            0,
            collections=[
                collection(
                    "h",
                    library_files=[
                        {
                            "file": "h.nc",
                            "library": "l",
                            "calls": "c",
                            "io_ranks": 1,
                            "aggregators": 1,
                            "stripes": 0,
                            "asked": {"cb_nodes": "4"},
                            "in_force": {"cb_nodes": "1"},
                            "is_repeated": False,
                        }
                    ],
                )
            ],
        )
    ],
    "idle-servers": [rank(0), *(rank(k, is_server=True, server_wait_message_s=9.5) for k in (1, 2))],
}


def test_each_rule_has_a_case() -> None:
    assert list(CASES) == [rule.name for rule in rules.RULES]


@pytest.mark.parametrize("name", CASES)
def test_a_rule_speaks_where_its_figure_is_above_the_threshold(tmp_path: Path, name: str) -> None:
    path = run_reports.profile(tmp_path, CASES[name])
    found = {one["rule"]: one for one in thalweg("report", path, "--json").json["findings"]}
    assert name in found, found
    assert found[name]["value"] > found[name]["threshold"]
    assert "{" not in found[name]["text"]
    assert thalweg("report", path).code == 0


def test_a_run_that_is_well_has_no_findings(tmp_path: Path) -> None:
    well = [rank(k, is_writer=k == 0, client_put_bytes=100 * MIB, client_copy_s=0.1) for k in range(4)]
    well[0]["writer"] |= {"direct_bytes": 400 * MIB, "write_s": 3.0, "write_calls": 400}
    assert thalweg("report", run_reports.profile(tmp_path, well), "--json").json["findings"] == []


def test_keys_that_rules_name_are_keys() -> None:
    known = (mpi.SOURCE / "docs" / "configuration.md").read_text()
    for rule in rules.RULES:
        for words in re.findall(r"`([^`]*)`", rule.advice):
            key = words.partition(":")[0]
            assert f"`{key}`" in known or f".{key}`" in known or words.startswith("thalweg ") or key == "none", words


def test_who_comes_early_to_the_finish_waits_for_others_and_not_for_files(tmp_path: Path) -> None:
    early, last = rank(0, client_finish_s=9.0, **BUSY), rank(1, client_finish_s=0.5)
    made = thalweg("report", run_reports.profile(tmp_path, [early, last]), "--json").json
    assert [(one["finish_s"], one["finish_own_s"], one["finish_others_s"]) for one in made["ranks"]] == [
        (9.0, 0.5, 8.5), (0.5, 0.5, 0.0),
    ]  # fmt: skip
    assert made["headline"]["stall_s"] == 0.5 and made["headline"]["overlap"] == 1 - 0.5 / 8.0
    assert "long-finish" not in [one["rule"] for one in made["findings"]]
    (row,) = (one for one in made["timers"] if one["timer"] == "finish_others")
    assert (row["max_s"], row["max_rank"]) == (8.5, 0)
