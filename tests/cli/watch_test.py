# ctest: SHORT LABELS cli TIMEOUT 120
"""`thalweg watch` of runs that have not been: what it says of their writers, and what it leaves out."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from support import mpi
from support.command import COMMAND, refused, thalweg, use_programs
from support.statuses import AT, collection, model, status, write
from textual.widgets import DataTable, Static
from thalweg.watch import prometheus, rows, run
from thalweg.watch import status as reading
from thalweg.watch.screen import Screen

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

GONE = 2**22 + 1  # no process has such a number: Linux gives none above 2^22
MOMENTS = {"first": {"at": AT - 29.0, "time_s": 10.0}, "last": {"at": AT, "time_s": 300.0}}


def watched(folder: Path, trouble: bool = False) -> dict[str, Any]:
    made = run.made_of(reading.look(folder, AT))
    assert run.has_trouble(made) == trouble
    return made


def only_run(folder: Path, trouble: bool = False) -> dict[str, Any]:
    made = watched(folder, trouble)
    assert len(made["runs"]) == 1
    return made["runs"][0]


def two_writers(folder: Path) -> None:
    """Of one file that two nodes write, and one that the first one writes alone."""
    first = [
        collection("history", put=6, written=5, committed=4, files=1, file="h.nc", raw_bytes=800, file_bytes=500),
        collection("restart", number=1, put=1, written=1, committed=1, files=1),
    ]
    second = [collection("history", put=5, written=4, raw_bytes=700, file_bytes=400, blocks={"total": 8, "free": 0})]
    of_first = model(
        steps=30, end_s=500.0, slowest={"rank": 1, "steps": 28}, fastest={"rank": 0, "steps": 30}, **MOMENTS
    )
    of_second = model(steps=29, slowest={"rank": 3, "steps": 24}, fastest={"rank": 2, "steps": 29})
    wait = {"rank": 3, "for": "a free block", "since": AT - 7.0}
    write(folder, "ocean.0.json", status(writers=2, collections=first, model=of_first, bytes_per_s=3e6))
    write(folder, "ocean.2.json", status(writers=2, rank=2, node=1, collections=second, model=of_second, wait=wait))


def test_writers_of_a_run_are_put_together(tmp_path: Path) -> None:
    two_writers(tmp_path)
    made = only_run(tmp_path)
    assert (made["state"], made["writers_expected"], len(made["writers"])) == ("running", 2, 2)
    assert made["bytes_per_s"] == 3e6
    history, restart = made["collections"]
    assert (history["put"], history["committed"], history["files"], history["file"]) == (6, 4, 1, "h.nc")
    assert (history["raw_bytes"], history["file_bytes"], history["blocks"]) == (1500, 900, {"total": 12, "free": 4})
    assert (restart["put"], restart["committed"]) == (1, 1)
    assert made["slowest"] == {"rank": 3, "steps": 24, "behind": 5}, "of the node where it is furthest behind"
    assert made["wait"] == {"rank": 3, "for": "a free block", "seconds": pytest.approx(7.0)}


@pytest.mark.parametrize(("age_s", "seconds"), [(1.5, 5.5), (4.0, 7.0)], ids=["news", "no news"])
def test_a_wait_goes_on_as_long_as_there_is_no_news(tmp_path: Path, age_s: float, seconds: float) -> None:
    write(tmp_path, "ocean.0.json", status(age_s, wait={"rank": 3, "for": "commits", "since": AT - 7.0}))
    assert only_run(tmp_path)["wait"]["seconds"] == pytest.approx(seconds)


def test_shares_of_groups_in_turn_are_added_up(tmp_path: Path) -> None:
    for rank, (put, committed) in enumerate([(3, 2), (2, 2)]):
        of = collection("history", number=rank, put=put, committed=committed, files=1)
        write(tmp_path, f"ocean.{rank}.json", status(rank=rank, writers=2, collections=[of]))
    history = only_run(tmp_path)["collections"][0]
    assert (history["put"], history["committed"], history["files"]) == (5, 4, 2)


def test_time_to_finish_follows_the_pace_so_far(tmp_path: Path) -> None:
    moments = {"first": {"at": AT - 25.0, "time_s": 100.0}, "last": {"at": AT - 5.0, "time_s": 300.0}}
    write(tmp_path, "ocean.0.json", status(model=model(steps=3, end_s=700.0, **moments)))
    of = only_run(tmp_path)["model"]
    assert of["left_s"] == pytest.approx(400 * 20 / 200 - 5)
    assert of["share"] == pytest.approx(300 / 700)


def test_the_slowest_client_says_how_far_the_model_is(tmp_path: Path) -> None:
    two_writers(tmp_path)
    of = only_run(tmp_path)["model"]
    assert (of["steps"], of["time_s"], of["share"]) == (24, 240.0, 0.48), "and not the fastest, which made 30 to 300 s"
    assert of["left_s"] == pytest.approx((500 - 240) * 29 / 230)


def test_a_fast_client_at_its_end_is_not_the_end(tmp_path: Path) -> None:
    slow = {"slowest": {"rank": 1, "steps": 2}, "fastest": {"rank": 0, "steps": 30}}
    write(tmp_path, "ocean.0.json", status(model=model(steps=30, end_s=300.0, **MOMENTS, **slow)))
    of = only_run(tmp_path)["model"]
    assert of["share"] < 0.1 and of["left_s"] > 60


def test_a_server_that_hears_late_is_no_slow_client(tmp_path: Path) -> None:
    write(tmp_path, "ocean.4.json", status(rank=4, writers=2, role="server", model=model(steps=7, **MOMENTS)))
    write(tmp_path, "ocean.5.json", status(rank=5, writers=2, role="server", model=model(steps=5, **MOMENTS)))
    assert only_run(tmp_path)["model"]["steps"] == 7


@pytest.mark.parametrize(
    "said",
    [
        {"model": model(steps=3, **MOMENTS)},
        {"model": model(steps=1, end_s=500.0, first=MOMENTS["first"], last=MOMENTS["first"])},
        {"model": model(end_s=500.0)},
        {
            "model": model(
                steps=2, end_s=500.0, slowest={"rank": 1, "steps": 0}, fastest={"rank": 0, "steps": 2}, **MOMENTS
            )
        },
        {"model": model(steps=3, end_s=500.0, **MOMENTS), "state": "finished"},
    ],
    ids=["end unknown", "one step", "no step", "none of the slowest", "finished"],
)
def test_no_time_to_finish_is_invented(tmp_path: Path, said: dict[str, Any]) -> None:
    write(tmp_path, "ocean.0.json", status(**said))
    assert only_run(tmp_path)["model"]["left_s"] is None


@pytest.mark.parametrize(
    ("said", "state", "words"),
    [
        ({}, "running", ""),
        ({"age_s": 1799.0}, "running", ""),
        ({"age_s": 1801.0}, "silent", "no news for 30 min 1 s"),
        ({"age_s": 1801.0, "host": "elsewhere", "pid": GONE}, "silent", "no news for 30 min 1 s"),
        ({"age_s": 1.0, "pid": GONE}, "running", ""),
        (
            {"age_s": 3.0, "pid": GONE},
            "gone",
            f"process {GONE} is not there any more: it was killed, and thalweg recover makes files of what it left; or",
        ),
        ({"age_s": 1e6, "state": "finished"}, "finished", ""),
        ({"age_s": 1e6, "state": "failed", "error": "no space\nleft"}, "failed", "no space left"),
        ({"age_s": 1e6, "state": "ended"}, "ended", "without thalweg_finish"),
        ({"state": "a state of later versions"}, "silent", "no news"),
        ({"age_s": -500.0}, "running", ""),
    ],
)
def test_what_is_to_be_thought_of_a_writer(tmp_path: Path, said: dict[str, Any], state: str, words: str) -> None:
    write(tmp_path, "ocean.0.json", status(**said))
    made = only_run(tmp_path, state not in ("running", "finished"))
    assert made["state"] == made["writers"][0]["state"] == state
    assert made["writers"][0]["age_s"] >= 0
    assert words in rows.writer_row(made["writers"][0])[-1]


@pytest.mark.parametrize(("state", "code"), [("finished", 0), ("failed", 1)])
def test_the_exit_code_says_whether_all_is_well(tmp_path: Path, state: str, code: int) -> None:
    write(tmp_path, "ocean.0.json", status(state=state))
    said = [thalweg("watch", *words, tmp_path) for words in (("--once",), ("--json",), ("--once", "--json"))]
    assert [done.code for done in said] == [code] * 3
    made = watched(tmp_path, code == 1)
    for done in said[1:]:
        assert done.json["runs"][0]["writers"][0] == made["runs"][0]["writers"][0] | {
            "age_s": pytest.approx(0, abs=300)
        }
        assert set(done.json) == set(made)


def test_a_number_that_another_process_has_now_is_not_taken_for_the_writer(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        write(tmp_path, "ocean.0.json", status(age_s=3.0, pid=other.pid, started=AT - 86400.0))
        assert only_run(tmp_path, True)["state"] == "gone"
        other.terminate()


def test_files_of_an_earlier_run_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "ocean.0.json", status(run="new"))
    write(tmp_path, "ocean.1.json", status(run="old", rank=1, started=AT - 1e5, state="failed", error="old"))
    write(tmp_path, "ice.0.json", status(run="ice", configuration="ice.yaml", started=AT - 2e5))
    made = watched(tmp_path)
    assert sorted(one["run"] for one in made["runs"]) == ["ice", "new"], "each configuration has its newest run"
    assert made["earlier"] == [str(tmp_path / "ocean.1.json")]


def test_the_folder_is_found_in_that_of_the_run(tmp_path: Path) -> None:
    write(tmp_path / "status", "ocean.0.json", status())
    assert only_run(tmp_path) | {"writers": None} == only_run(tmp_path / "status") | {"writers": None}
    assert only_run(tmp_path / "status" / "ocean.0.json")["state"] == "running"


def test_nothing_there_yet_is_no_error_and_a_folder_that_is_missing_is_one(tmp_path: Path) -> None:
    done = thalweg("watch", "--once", tmp_path)
    assert done.code == 0 and "nothing yet: no writer has said anything" in done.out
    assert "there is no such folder; name that of 'status'" in refused(3, "watch", "--once", tmp_path / "missing")
    assert thalweg("watch", tmp_path, "--once", "--interval", "0").code == 2


def test_the_table_has_what_the_json_has(tmp_path: Path) -> None:
    two_writers(tmp_path)
    said = thalweg("watch", "--once", tmp_path).out
    for line in (
        "/run/ocean.yaml: running, 2 writers",
        "- the model has made 24 steps, to 240 s, 48% of the run, ",
        "- 3.0 MB/s go to the storage",
        "- rank 3 is the slowest, 5 behind",
        "- rank 3 waits for a free block, ",
    ):
        assert line in said
    assert re.search(r"history +6 +4 +1 +4 of 12 +900 B +h\.nc", said)
    assert re.search(r"rank 2 on \S+ \(client\) +running +[0-9a-z ]+ ago +29 +0 of 8 +0 B/s", said)


def test_writers_that_are_not_there_yet_are_counted(tmp_path: Path) -> None:
    write(tmp_path, "ocean.0.json", status(writers=3))
    assert "running, 1 of 3 writers" in thalweg("watch", "--once", tmp_path).out


class Lines:
    """Of `thalweg watch` without a terminal, as they come; what it complains of is among them."""

    def __init__(self, *words: object) -> None:
        command = [sys.executable, str(COMMAND), "watch", "--interval", "0.1", *map(str, words)]
        self.process = subprocess.Popen(
            command, env=mpi.OUTSIDE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.limit = threading.Timer(90, self.process.kill)
        self.limit.start()

    def until(self, word: str) -> list[str]:
        assert self.process.stdout is not None
        found: list[str] = []
        for line in self.process.stdout:
            found.append(line)
            if word in line:
                return found
        pytest.fail(f"it has not said '{word}', but {found}")

    def end(self) -> int:
        self.process.communicate()
        self.limit.cancel()
        return self.process.returncode


@pytest.mark.parametrize(("state", "code"), [("finished", 0), ("failed", 1)])
def test_without_a_terminal_it_says_a_table_until_the_run_has_ended(tmp_path: Path, state: str, code: int) -> None:
    lines = Lines(tmp_path / "status", "--prometheus-textfile", tmp_path / "late" / "a.prom")
    lines.until("there is no such folder")
    write(tmp_path / "status", "ocean.0.json", status())
    assert "there is no such folder" not in "".join(lines.until("cannot be written: No such file"))
    said = [*lines.until("ocean.yaml: running"), *lines.until("ocean.yaml: running")]
    assert "cannot be written" not in "".join(said), "it says so once"
    (tmp_path / "late").mkdir()
    write(tmp_path / "status", "ocean.0.json", status(state=state))
    lines.until(f"ocean.yaml: {state}")
    assert lines.end() == code
    assert f'state="{state}"}} 1\n' in (tmp_path / "late" / "a.prom").read_text()


SAMPLE = re.compile(r'(thalweg_\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+)\} (-?[0-9.e+-]+)')


def test_prometheus_gets_metrics_in_its_format(tmp_path: Path) -> None:
    two_writers(tmp_path / "out")
    odd = 'a "b" \\ c\nd'
    write(tmp_path / "out", "odd.0.json", status(run="odd", configuration=odd, collections=[collection(odd)]))
    file = tmp_path / "thalweg.prom"
    assert thalweg("watch", "--once", "--prometheus-textfile", file, tmp_path / "out").code == 0
    types: dict[str, str] = {}
    samples: dict[tuple[str, str], float] = {}
    for line in file.read_text().removesuffix("\n").split("\n"):
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name not in types, "the samples of a metric stand together"
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = SAMPLE.fullmatch(line)
            assert match, line
            assert match[1] == name
            assert (match[1], match[2]) not in samples
            samples[match[1], match[2]] = float(match[3])
    host = os.uname().nodename
    of_rank = f'configuration="/run/ocean.yaml",host="{host}",rank="0"'
    assert samples["thalweg_writer_state", f'{of_rank},state="running"'] == 1
    assert samples["thalweg_writer_state", f'{of_rank},state="gone"'] == 0
    assert samples["thalweg_records_committed_total", f'{of_rank},collection="history",number="0"'] == 4
    assert samples["thalweg_model_steps_total", 'configuration="/run/ocean.yaml"'] == 24
    assert types["thalweg_records_committed_total"] == "counter" and types["thalweg_blocks_free"] == "gauge"
    assert any('collection="a \\"b\\" \\\\ c\\nd"' in labels for _, labels in samples)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "thalweg.prom"]


def test_a_file_with_other_metrics_is_not_replaced(tmp_path: Path) -> None:
    write(tmp_path, "ocean.0.json", status())
    (tmp_path / "other.prom").write_text("# HELP other_metric of somebody else\n")
    words = ("watch", "--once", tmp_path, "--prometheus-textfile")
    assert "has other metrics" in refused(3, *words, tmp_path / "other.prom")
    assert "cannot be written: No such file" in refused(3, *words, tmp_path / "missing" / "a.prom")
    prometheus.replace(tmp_path / "own.prom", prometheus.text_of(run.made_of(reading.look(tmp_path, AT))))
    assert thalweg(*words, tmp_path / "own.prom").code == 0


def cells(screen: Screen, name: str) -> list[list[str]]:
    shown = screen.query_one(name, DataTable)
    return [[str(cell) for cell in shown.get_row_at(row)] for row in range(shown.row_count)]


async def settled(screen: Screen, pilot: Any, word: str) -> str:
    for _ in range(200):
        await pilot.pause(0.02)
        text = str(screen.query_one("#text", Static).render())
        if word in text:
            return text
    pytest.fail(f"the screen has '{text}', and not '{word}'")


def test_the_screen_follows_the_run(tmp_path: Path) -> None:
    two_writers(tmp_path)

    async def follow() -> None:
        screen = Screen(lambda: run.made_of(reading.look(tmp_path, AT)), 0.1)
        async with screen.run_test(size=(160, 40)) as pilot:
            assert "rank 3 is the slowest" in await settled(screen, pilot, "running")
            assert [row[:3] for row in cells(screen, "#collections")] == [["history", "6", "4"], ["restart", "1", "1"]]
            assert [row[1] for row in cells(screen, "#writers")] == ["running", "running"]
            (tmp_path / "ocean.2.json").unlink()
            write(tmp_path, "ocean.0.json", status(state="failed", error="[bold] is no markup"))
            (tmp_path / "cut.json").write_text("{")
            await settled(screen, pilot, "failed")
            await pilot.pause()
            assert [row[-1] for row in cells(screen, "#writers")] == ["[bold] is no markup"]
            assert "cut.json' is left out" in str(screen.query_one("#remarks", Static).render())
            await pilot.press("q")
        assert screen.return_code == 0

    asyncio.run(asyncio.wait_for(follow(), 90))


def test_the_screen_waits_for_a_folder_that_comes_late() -> None:
    looks: list[str | dict[str, Any]] = ["there is no such folder"]

    async def follow() -> None:
        screen = Screen(lambda: looks[-1], 0.1)
        async with screen.run_test() as pilot:
            await settled(screen, pilot, "no such folder")
            looks.append({"runs": [], "skipped": [], "earlier": []})
            await settled(screen, pilot, "nothing yet")

    asyncio.run(asyncio.wait_for(follow(), 90))


def test_a_folder_of_a_run_may_have_a_profile_beside_its_status(tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text('{"thalweg_profile": 2}')
    two_writers(tmp_path / "status")
    assert len(only_run(tmp_path)["writers"]) == 2


def test_a_writer_that_writes_no_more_has_no_rate(tmp_path: Path) -> None:
    write(tmp_path, "ocean.0.json", status(state="finished", bytes_per_s=3e6))
    made = only_run(tmp_path)
    assert made["writers"][0]["bytes_per_s"] == made["bytes_per_s"] == 0.0
    assert "thalweg_bytes_per_second{" in prometheus.text_of(watched(tmp_path))
    assert "} 3000000" not in prometheus.text_of(watched(tmp_path))


def test_one_is_told_as_one(tmp_path: Path) -> None:
    (remark,) = rows.remarks({"skipped": [], "earlier": ["a.json"]})
    assert remark == "1 file is of an earlier run, as 'a.json'"
    for rank, writers in ((0, 1), (1, 1)):
        write(tmp_path, f"ocean.{rank}.json", status(rank=rank, writers=writers))
    assert rows.title(only_run(tmp_path)).endswith("running, 2 writers")
