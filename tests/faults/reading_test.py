# ctest: WAITS LABELS mpi TIMEOUT 180
"""Reading that cannot be done: all ranks hear of it by the same words, and nobody waits for ever."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import mpi
from support.batch import Batch, Job
from support.command import thalweg
from support.reading import files_in, folder_named
from wind_file import SIZE, write

FOLDER = folder_named("reading-faults")
RANKS = 3
TIMED_OUT = 124  # what 'timeout' ends with
CUT = ("cut=y,x", f"shape={SIZE},{SIZE}", "boxes=0,0:8,24|8,0:8,24|16,0:8,24", "extents=8,24|8,24|8,24")
LINES = ("cut=y", f"shape={SIZE}", "boxes=0:8|8:8|16:8", "extents=8|8|8")


def cut_short(path: Path, bytes_left: int) -> None:
    with path.open("r+b") as file:
        file.truncate(bytes_left)


def damage_chunk(store: Path) -> None:
    chunk = max((store / "temp" / "c").rglob("*"), key=lambda path: path.stat().st_size if path.is_file() else 0)
    bits = bytearray(chunk.read_bytes())
    bits[len(bits) // 2] ^= 0xFF
    chunk.write_bytes(bits)


@pytest.fixture(scope="module")
def files() -> Iterator[Path]:
    with files_in(FOLDER):
        write(FOLDER / "whole.nc", format="NETCDF3_64BIT_DATA")
        write(FOLDER / "short.nc", format="NETCDF3_64BIT_DATA")
        cut_short(FOLDER / "short.nc", (FOLDER / "short.nc").stat().st_size - 2000)
        write(FOLDER / "torn.nc")
        cut_short(FOLDER / "torn.nc", (FOLDER / "torn.nc").stat().st_size // 2)
        (FOLDER / "text.nc").write_text("no file of a format\n")
        shutil.copy(FOLDER / "whole.nc", FOLDER / "unfinished.nc.partial")
        assert thalweg("convert", FOLDER / "whole.nc", FOLDER / "damaged.zarr", "--set",
                       "collections.replay.compression={codec: zstd, checksum: true}").code == 0  # fmt: skip
        damage_chunk(FOLDER / "damaged.zarr")
        assert thalweg("convert", FOLDER / "whole.nc", FOLDER / "set.nc", "--pattern", "per-domain",
                       "--layout", "2,1", "-n", "2").code == 0  # fmt: skip
        (FOLDER / "set.nc.0001").unlink()
        for number, name in enumerate(["replaced", "by"]):
            write(FOLDER / f"{name}.nc", 2 + number, format="NETCDF3_64BIT_DATA")
            assert thalweg("convert", FOLDER / f"{name}.nc", FOLDER / f"{name}.zarr").code == 0
        shutil.copytree(FOLDER / "replaced.zarr", FOLDER / "removed.zarr")
        yield FOLDER


@dataclass(frozen=True)
class Fault:
    name: str
    says: tuple[str, ...]
    words: tuple[str, ...] = ()
    file: str = "whole.nc"
    variable: str = "temp"
    held: tuple[str, ...] = CUT
    reading: str = "auto"
    nodes: int = 1
    type: int = 10

    @property
    def job(self) -> Job:
        words = (f"input={FOLDER / self.file}", f"variable={self.variable}", f"type={self.type}", "out=got", "record=0")
        settings = f"report: none\nreading: {self.reading}\nemulate-nodes: {self.nodes}\n"
        return Job("reads", RANKS, settings, (*words, *self.held, *self.words))


FAULTS = [
    Fault("no-file", ("there is no", "missing.nc'", "missing.nc.0000"), file="missing.nc"),
    Fault("unfinished", ("unfinished.nc.partial", "thalweg recover"), file="unfinished.nc"),
    Fault("no-format", ("text.nc' is neither", "Zarr"), file="text.nc"),
    Fault("cut-short", ("short.nc", "was cut short"), file="short.nc"),
    Fault("torn", ("torn.nc", "netCDF cannot read"), file="torn.nc"),
    Fault("part-lost", ("says that its set has 2 files, but 1 are here",), file="set.nc"),
    Fault("damaged-chunk", ("damaged.zarr", "temp"), file="damaged.zarr"),
    Fault("damaged-chunk-alone", ("damaged.zarr", "temp"), file="damaged.zarr", reading="independent"),
    Fault("other-paths", ("calls that read differ between ranks", "other.nc"),
          (f"input@1={FOLDER / 'other.nc'}",)),
    Fault("no-path-on-one-rank", ("the input has no path",), ("input@1=",)),
    Fault("no-path", ("the input has no path",), ("input=",)),
    Fault("no-type-on-one-rank", ("type 99 is none of",), ("type@1=99",)),
    Fault("replaced", ("replaced.nc' has changed since it was opened",), (f"replace={FOLDER / 'by.nc'}",),
          file="replaced.nc", reading="domain", nodes=RANKS),
    Fault("store-replaced", ("replaced.zarr' has changed since it was opened",), (f"replace={FOLDER / 'by.zarr'}",),
          file="replaced.zarr"),
    Fault("store-removed", ("removed.zarr' has changed since it was opened",), ("replace=",), file="removed.zarr"),
    Fault("opened-and-got", ("calls that read differ between ranks", "open of ", "get of "), ("again@1=1",)),
    Fault("no-variable", ("has no variable 'tmep'", "did you mean 'temp'"), variable="tmep"),
    Fault("other-variables", ("calls that read differ between ranks", "variable 'salt'"), ("variable@1=salt",)),
    Fault("other-records", ("calls that read differ between ranks", "record 1"), ("record@1=1",)),
    Fault("no-record", ("there is no record 2; it has 2 records",), ("record=2",)),
    Fault("no-record-on-one-rank", ("rank 1,", "there is no record -2"), ("record@1=-2",)),
    Fault("no-record-said", ("say which record is to be got",), ("record=-1",)),
    Fault("shape", ("rank 2,", "dimension 0 of the array", "has 9 elements, but it must have 8"),
          ("extents=8,24|8,24|9,24",)),
    Fault("size", ("dimension 'x' has 24 cells in the file, but 25 in the decomposition",), ("shape=24,25",)),
    Fault("names", ("none of its dimensions (y,x) is one of the decomposition (j,i)", "'dims'"), ("cut=j,i",)),
    Fault("periodic", ("periodic dimension 'z' is none",), ("periodic=z",)),
    Fault("fold", ("'fold T' is no fold", "as in 'y=fold T U -1'"), ("periodic=x,y=fold T",)),
    Fault("fold-along-nothing", ("'y' folds along the dimension that is periodic",), ("periodic=y=fold T T",)),
    Fault("fold-of-itself", ("'y' folds along the dimension that is periodic",), ("periodic=y,y=fold T T",)),
    Fault("two-folds", ("two of its dimensions fold",), ("periodic=x=fold T T,y=fold T T",)),
    Fault("fold-without-signs", ("which an array of uint16 cannot hold",), ("periodic=x,y=fold T T -1",), type=6),
    Fault("text", ("char values of the file cannot become float64",), variable="name", held=LINES),
    Fault("text-missing", ("'name': it holds text, in which no value is missing",), ("missing=1",), variable="name",
          held=LINES, type=11),
    Fault("no-sign", ("rank 0,", "'signed'", "the value -1 is none that an array of uint8 can hold"), variable="signed",
          held=LINES, type=5),
    Fault("too-large", ("rank 2,", "'wide'", "the value 2200000000 is none that an array of int32 can hold"),
          variable="wide", held=LINES, type=3),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_all_ranks_hear_what_is_wrong(batch: Batch, files: Path, fault: Fault) -> None:
    folder = batch.made(fault.job)
    texts = [(folder / f"got.error.{rank}").read_text() for rank in range(RANKS)]
    for said in fault.says:
        assert said in texts[0]
    assert len(set(texts)) == 1
    assert not list(folder.glob("got.[0-9]"))


def at_read(rank: int, number: signal.Signals) -> dict[str, str]:
    """The rank gets the signal when it reads the file, in the middle of a get."""
    return {
        "LD_PRELOAD": str(mpi.BUILD / "lib" / "libdisturbed_calls.so"),
        "THALWEG_TEST_CRASH_PATH": "whole.nc",
        "THALWEG_TEST_CRASH_RANK": str(rank),
        "THALWEG_TEST_CRASH_SIGNAL": str(int(number)),
    }


def get_as(folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Each rank reads a part, and sends the others what they have of it."""
    words = Fault("", ()).job.prepare(folder)
    (folder / "thalweg.yaml").write_text(f"report: none\nreading: domain\nemulate-nodes: {RANKS}\ndeadline: 2 s\n")
    return mpi.start("reads", RANKS, folder, *words, limit_s=12, environment=environment)


def test_a_reader_that_stalls_in_a_get_is_named_by_the_others(tmp_path: Path, files: Path) -> None:
    stopped = 1
    done = get_as(tmp_path, at_read(stopped, signal.SIGSTOP))
    assert done.returncode != 0
    for rank in set(range(RANKS)) - {stopped}:
        text = (tmp_path / f"got.error.{rank}").read_text()
        assert "gave up in" in text
        assert f"rank {stopped} did not" in text


def test_a_reader_that_is_killed_in_a_get_ends_the_job(tmp_path: Path, files: Path) -> None:
    done = get_as(tmp_path, at_read(1, signal.SIGKILL))
    assert done.returncode not in (0, TIMED_OUT)
    assert not list(tmp_path.glob("got.[0-9]"))


@pytest.mark.parametrize("stopped", [0, 1])
def test_nobody_waits_longer_than_the_deadline_for_a_rank(tmp_path: Path, files: Path, stopped: int) -> None:
    words = Fault("", ()).job.prepare(tmp_path)
    (tmp_path / "thalweg.yaml").write_text("report: none\nreading: serial\ndeadline: 2 s\n")
    done = mpi.start("reads", RANKS, tmp_path, *words, f"stop={stopped}", limit_s=12)
    assert done.returncode != 0
    for rank in set(range(RANKS)) - {stopped}:
        text = (tmp_path / f"got.error.{rank}").read_text()
        assert "gave up in" in text
        assert f"rank {stopped} did not" in text
