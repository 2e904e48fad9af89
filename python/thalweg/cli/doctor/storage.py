"""The file system of the folder that output goes to."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from thalweg.cli.finding import Finding, note, ok, problem
from thalweg.cli.output import bytes_text

BLOCK_BYTES = 4 << 20
LONGEST_S = 5.0  # that the probe may take
LEAST_FREE_BYTES = 1 << 30

REMARKS = {
    "tmpfs": "it is memory: what is written there counts as used memory and is gone after a restart",
    "overlay": "it is the inside of a container and is gone with it",
    "nfs": "several nodes that write one file over NFS may not see each other's bytes: 'pattern: per-domain'",
    "nfs4": "several nodes that write one file over NFS may not see each other's bytes: 'pattern: per-domain'",
    "lustre": "'striping' spreads large files over its storage targets",
}


def look(folder: Path, probe_mib: int) -> Iterator[Finding]:
    kind, place = file_system_of(folder.resolve())
    remark = REMARKS.get(kind, "")
    yield note("type", f"{kind} ({place}): {remark}") if remark else ok("type", f"{kind} ({place})")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE_BYTES:
        yield note("free", f"{bytes_text(free)} are free", "a full disk ends the output; make room first")
    else:
        yield ok("free", bytes_text(free))
    try:
        with tempfile.NamedTemporaryFile(prefix=".thalweg-doctor-", dir=folder) as file:
            yield direct_io(Path(file.name))
            yield from speed(Path(file.name), min(probe_mib << 20, free // 10))
    except OSError as fault:
        yield problem("writing", f"no file can be made in '{folder}': {fault.strerror}",
                      "choose another folder, or change its permissions")  # fmt: skip


def file_system_of(path: Path) -> tuple[str, str]:
    """The type, and where it is mounted."""
    best = ("unknown", Path("/"))
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        left, _, right = line.partition(" - ")
        mounted = Path(left.split()[4].encode().decode("unicode_escape"))
        if path.is_relative_to(mounted) and len(mounted.parts) >= len(best[1].parts):
            best = (right.split()[0], mounted)
    return best[0], str(best[1])


def direct_io(file: Path) -> Finding:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_DIRECT)
    except OSError as fault:
        return without_direct_io(fault)
    try:
        with mmap.mmap(-1, 4096) as page:  # aligned
            os.write(descriptor, page)
    except OSError as fault:
        return without_direct_io(fault)
    finally:
        os.close(descriptor)
    return ok("O_DIRECT", "works: writes go past the page cache, for less processor time")


def without_direct_io(fault: OSError) -> Finding:
    text = "this file system has none" if fault.errno == errno.EINVAL else str(fault.strerror)
    return note("O_DIRECT", f"{text}: writes go through the page cache", "'direct-io: auto' does so by itself")


def speed(file: Path, size: int) -> Iterator[Finding]:
    """Writes so much at most, for some seconds at most, and brings it to the storage."""
    if size < BLOCK_BYTES:
        return
    block = os.urandom(BLOCK_BYTES)  # zeros may be compressed, or never written
    written = 0
    start_s = time.monotonic()
    with file.open("wb", buffering=0) as target:
        while written + BLOCK_BYTES <= size and time.monotonic() - start_s < LONGEST_S:
            written += target.write(block)
        os.fsync(target.fileno())
    seconds = max(time.monotonic() - start_s, 1e-6)
    rate = f"{bytes_text(written / seconds)}/s"
    yield ok("speed", f"{rate} to stable storage, one process, {bytes_text(written)} (a hint, no measurement)")
