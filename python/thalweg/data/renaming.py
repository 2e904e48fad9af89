"""Names change hands in one step, and no name is taken that somebody else has."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

AT_FDCWD = -100
NO_REPLACE, EXCHANGE = 1, 2  # (source: renameat2(2))
NOT_THERE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}  # what file systems say that cannot do it

LIBC = ctypes.CDLL(None, use_errno=True)


def exchange(one: Path, other: Path) -> bool:
    """Each gets the other's name, at one moment. False: this file system cannot, and nothing has happened. Errors:
    OSError."""
    return renamed(one, other, EXCHANGE)


def move(path: Path, target: Path) -> None:
    """Errors: FileExistsError where something has the name already; OSError. Where the file system can neither rename
    so nor make a second name of a file, a name that is taken in the moment between look and renaming is replaced."""
    if renamed(path, target, NO_REPLACE):
        return
    if target.exists() or target.is_symlink():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    if path.is_dir():  # takes no name but that of an empty folder
        path.rename(target)
        return
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError as fault:
        if fault.errno not in {errno.EPERM, errno.EMLINK, *NOT_THERE}:
            raise
        path.rename(target)
    else:
        path.unlink()


def renamed(path: Path, target: Path, flags: int) -> bool:
    try:
        call = LIBC.renameat2
    except AttributeError:  # a C library without it
        return False
    if call(AT_FDCWD, os.fsencode(path), AT_FDCWD, os.fsencode(target), flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in NOT_THERE:
        return False
    raise OSError(number, os.strerror(number), str(path), None, str(target))
