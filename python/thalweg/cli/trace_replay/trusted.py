"""Which files named in a log may be loaded: whoever gives away a log must not be able to run a program of theirs."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path


def objection(library: str) -> str:
    """Why it is not loaded without being named by the caller; empty if it is."""
    path = Path(os.path.realpath(library))
    if not os.path.isabs(library):
        return "its path does not begin at the root"
    abouts = {place: place.stat() for place in (path, *path.parents)}
    prefixes = {Path(os.path.realpath(prefix)) for prefix in (sys.prefix, sys.base_prefix)}
    is_of_python = bool(prefixes & set(path.parents))
    # This Python may lie below a folder such as /tmp, where nobody replaces what is another's.
    kept = stat.S_ISVTX if is_of_python else 0
    for place, about in abouts.items():
        if about.st_mode & stat.S_IWOTH and not about.st_mode & kept:
            return f"everybody may write to '{place}'" if place != path else "everybody may write to it"
    others = [place for place, about in abouts.items() if about.st_uid != 0 and not is_of_python]
    return f"it is neither this Python's nor the system's, for '{others[0]}' is not root's" if others else ""
