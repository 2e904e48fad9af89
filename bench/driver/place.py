"""Where the files of the runs go."""

import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def data_folder(out: Path, data: Path | None) -> Iterator[Path]:
    """A new folder, nobody else's, in `data` or, if that is not said, in the folder of the results. It is removed at
    the end, also when the program is told to end: the ranks end with it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="data-", dir=(data or out).absolute()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
