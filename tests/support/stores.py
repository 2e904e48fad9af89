"""Zarr stores as zarr-python reads them. It is imported by who has a store, because that takes as long as all else that
most tests import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import zarr


def open_store(path: Path, **how: Any) -> zarr.Group:
    """To be read only."""
    import zarr

    return zarr.open_group(path, mode="r", **how)
