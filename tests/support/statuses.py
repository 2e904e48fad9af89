"""Files of `status` of runs that have not been, for tests of `thalweg watch`."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path
from typing import Any

Json = dict[str, Any]

AT = time.time()
"""a moment at which a folder is looked at, and when sessions of this process started, which is older"""


def collection(name: str, **values: Any) -> Json:
    made: Json = {"name": name, "number": 0, "put": 0, "written": 0, "committed": None, "files": 0, "file": None}
    return made | {"raw_bytes": 0, "file_bytes": 0, "blocks": {"total": 4, "free": 4}} | values


def model(**values: Any) -> Json:
    keys = ("end_s", "first", "last", "slowest", "fastest")
    return {"steps": 0, "start_s": 0.0} | dict.fromkeys(keys) | values


def status(age_s: float = 0.0, **values: Any) -> Json:
    """Of this process, which lives, so long before AT."""
    made: Json = {
        "thalweg_status": 1,
        "version": "0.1.0",
        "written": AT - age_s,
        "run": "r1",
        "configuration": "/run/ocean.yaml",
    }
    made |= {"host": socket.gethostname(), "pid": os.getpid(), "rank": 0, "ranks": 8, "writers": 1, "node": 0}
    made |= {"role": "client", "started": AT, "interval_s": 1.0, "longest_s": 600.0, "state": "running"}
    made |= {"finished": False, "error": None, "bytes_per_s": 0.0, "model": model(), "wait": None, "collections": []}
    return made | {"finished": values.get("state") == "finished"} | values


def write(folder: Path, name: str, said: Json) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(said))
    return folder / name
