# ctest: SHORT LABELS trace TIMEOUT 120
"""Processes that fork, have threads, close what is not theirs, are killed; logs that are full, or find no room."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.tracing import LIBRARY, counts, run, trace
from thalweg.trace.table import Trace, read_folder, trace_of

OPEN = "import os, signal, threading; file = os.open('data', os.O_RDWR | os.O_CREAT)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def python(folder: Path, text: str, code: int = 0, **settings: object) -> None:
    run((sys.executable, "-S", "-c", OPEN + text), folder / "logs", code, **settings)


@pytest.mark.parametrize("calls", [1, 900, 5000])
def test_no_event_that_was_finished_is_lost_by_a_kill(calls: int, folder: Path) -> None:
    python(
        folder,
        f"for i in range({calls}): os.pwrite(file, b'abcd', 4 * i)\nos.kill(os.getpid(), signal.SIGKILL)",
        -signal.SIGKILL,
    )
    found = trace(folder / "logs")
    writes = np.array([one.name == "pwrite" for one in found.functions])[found.function]
    assert found.offset[writes].tolist() == [4 * i for i in range(calls)]
    assert found.bytes[writes].tolist() == [4] * calls
    assert not found.logs[0].has_ended and not found.losses


def test_the_call_in_which_a_process_is_killed_is_known(folder: Path) -> None:
    timer = "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()\n"
    wait = "import fcntl\nif os.fork() == 0:\n  f = open('data', 'r+'); fcntl.lockf(f, fcntl.LOCK_EX)\n"
    wait += f"  import time; time.sleep(1); os._exit(0)\nimport time; time.sleep(0.1)\n{timer}"
    python(folder, wait + "fcntl.lockf(file, fcntl.LOCK_EX)", -signal.SIGKILL)
    found = trace(folder / "logs")
    last = np.flatnonzero(found.is_unfinished)
    assert {found.functions[found.function[i]].name for i in last} == {"fcntl"}
    assert {found.files[found.file[i]] for i in last} == {str(folder / "data")}


def test_a_child_has_a_log_of_its_own(folder: Path) -> None:
    python(
        folder,
        "os.write(file, b'parent')\n"
        "child = os.fork()\n"
        "for i in range(10): os.pwrite(file, b'x' * (1 if child else 2), 0)\n"
        "child and os.waitpid(child, 0)",
    )
    logs, _ = read_folder(folder / "logs")
    assert len(logs) == 2
    found = trace_of(logs, [])
    for number, log in enumerate(found.logs):
        mine = (found.log == number) & (np.array([one.name == "pwrite" for one in found.functions])[found.function])
        assert int(mine.sum()) == 10
        assert len(set(found.bytes[mine].tolist())) == 1
        assert {found.files[i] for i in found.file[mine]} == {str(folder / "data")}
        assert not log.losses


def test_another_program_in_the_same_process_has_a_log_of_its_own(folder: Path) -> None:
    again = "import os; os.write(os.open('data', os.O_WRONLY), b'second')"
    python(folder, f"import sys\nos.write(file, b'first')\nos.execv(sys.executable, ['python', '-S', '-c', {again!r}])")
    assert sorted(path.name.rsplit("-", 1)[1] for path in (folder / "logs").iterdir()) == ["0.trace", "1.trace"]
    assert counts(trace(folder / "logs"), folder / "data")["write"] == 2


def test_threads_have_callers_of_their_own(folder: Path) -> None:
    python(
        folder,
        "def work(n):\n"
        "  for i in range(500): os.pwrite(file, b'y' * (n + 1), i)\n"
        "threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]",
    )
    found = trace(folder / "logs")
    writes = np.array([one.name == "pwrite" for one in found.functions])[found.function]
    assert int(writes.sum()) == 4000 and not found.losses
    assert len({(thread, size) for thread, size in zip(found.thread[writes], found.bytes[writes], strict=True)}) == 8
    assert (found.parent[writes] == -1).all()


def test_closing_all_descriptors_does_not_end_the_log(folder: Path) -> None:
    python(
        folder,
        "os.closerange(3, 4096)\nfile = os.open('data', os.O_RDWR)\nfor i in range(3000): os.pwrite(file, b'z', i)",
    )
    found = counts(trace(folder / "logs"), folder / "data")
    assert found["pwrite"] == 3000 and found["open"] == 2


def test_a_full_log_counts_on(folder: Path) -> None:
    python(folder, "for i in range(3000): os.pwrite(file, b'12345678', 0)", EVENTS=1000)
    found = trace(folder / "logs")
    (log,) = found.logs
    row = next(row for row in log.rows if row["name"] == b"pwrite")
    assert row["count"] == 3000 and row["bytes"] == 24000
    in_log = counts(found, folder / "data")["pwrite"]
    assert 900 < in_log < 1000 and row["dropped"] == 3000 - in_log
    assert any("the log was full" in loss for loss in found.losses)


def test_errors_are_those_of_the_call(folder: Path) -> None:
    python(
        folder,
        "try: os.pread(file, 4, -1)\nexcept OSError as e: assert e.errno == 22, e\n"
        "try: os.open('none/none', 0)\nexcept OSError as e: assert e.errno == 2, e",
    )
    found = trace(folder / "logs")
    results = {int(value) for log in found.logs for value in log.events["result"] if value < 0}
    assert {-22, -2} <= results


def test_what_a_child_closes_before_it_executes_a_program_is_not_its_parents(folder: Path) -> None:
    python(
        folder,
        "import subprocess\nfor i in range(5):\n  os.write(file, b'1234')\n"
        "  with open('other', 'w') as other: subprocess.run(['true'], stdout=other, stderr=file)\n"
        "os.write(1, b'text')",
    )
    found = trace(folder / "logs")
    writes = np.array([one.name == "write" for one in found.functions])[found.function]
    assert found.offset[writes & (found.file == found.files.index(str(folder / "data")))].tolist() == [0, 4, 8, 12, 16]
    assert "write" not in counts(found, folder / "other")


def test_a_folder_may_be_relative_and_the_program_may_leave_it(folder: Path) -> None:
    python(folder, "os.chdir('/')\nfor i in range(3000): os.pwrite(file, b'z', i)", DIR="logs")
    assert counts(trace(folder / "logs"), folder / "data")["pwrite"] == 3000


def interrupted(folder: Path, what: str) -> tuple[Trace, str]:
    done = run((LIBRARY.parents[1] / "bin" / "traced_interrupts", what), folder / "logs", EXCLUDE="/proc/:/etc/:/usr/")
    return trace(folder / "logs"), done.stdout


def test_calls_of_a_handler_are_there_wherever_it_interrupts(folder: Path) -> None:
    found, said = interrupted(folder, "handle")
    assert counts(found, folder / "handled")["write"] == int(said)


def test_a_thread_that_a_handler_has_left_is_traced_on(folder: Path) -> None:
    found, _ = interrupted(folder, "jump")
    assert int((found.offset == 16).sum()) == 1000


def test_threads_that_are_cancelled_leave_nothing_that_others_wait_for(folder: Path) -> None:
    found, _ = interrupted(folder, "cancel")
    assert sum(name.endswith("-31") for name in found.files) == 400


def test_a_number_of_a_descriptor_that_is_another_thing_now_has_no_file(folder: Path) -> None:
    found, _ = interrupted(folder, "close")
    assert counts(found, folder / "unseen") == {"write": 1}
    writes = np.array([one.name == "write" for one in found.functions])[found.function]
    assert found.bytes[writes].tolist() == [4]
    texts = found.file == found.files.index(str(folder / "streamed"))
    assert found.bytes[texts].sum() == 4


@pytest.mark.skipif(not (LIBRARY.parents[1] / "bin" / "traced_chunks").is_file(), reason="built without netCDF")
def test_what_the_program_writes_is_not_changed(folder: Path) -> None:
    program = LIBRARY.parents[1] / "bin" / "traced_chunks"
    alone = subprocess.run([program, "alone.nc"], capture_output=True, text=True, check=True)
    assert run((program, "traced.nc"), folder / "logs", LAYERS="netcdf").stdout == alone.stdout
    found = trace(folder / "logs")
    texts = [text for log in found.logs for text in log.names.values()]
    assert any(text.startswith("6/2/time/0/x/3/") and text.endswith("group/") for text in texts)


@pytest.mark.parametrize(("layers", "said"), [("nonsense", ["'nonsense'", "leaves no layer"]), ("+hdf5", [])])
def test_layers_are_read_once(layers: str, said: list[str], folder: Path) -> None:
    writes = "import os; f = os.open('data', os.O_RDWR | os.O_CREAT)\nfor i in range(100): os.pwrite(f, b'x', i)"
    done = run((sys.executable, "-S", "-c", writes), folder / "logs", LAYERS=layers)
    assert len(done.stderr.splitlines()) == len(said) and all(text in done.stderr for text in said)
    assert bool(list((folder / "logs").iterdir())) == (not said)
