"""Fields whose lowest bits are noise, in several types, and the files that they go to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NY, NX = 600, 1000
RECORDS = 2
TYPES = ("int16", "int32", "float32", "float64")
COLLECTIONS = {
    "deflate": {"file": "deflate.nc", "compression": {"codec": "deflate", "checksum": True}},
    "zstd": {"file": "zstd.nc", "compression": {"codec": "zstd", "level": 7}},
    "blosc": {"file": "blosc.zarr", "compression": "zstd"},
    "shards": {"file": "shards.zarr", "compression": "zstd", "sharding": True, "chunks": {"y": 300, "x": 1000}},
}
FORMATS = {"nc": "netcdf4", "zarr": "zarr"}


def configuration() -> dict[str, object]:
    formats = {name: {"format": FORMATS[of["file"].split(".")[1]]} for name, of in COLLECTIONS.items()}
    return {"collections": {name: of | formats[name] for name, of in COLLECTIONS.items()}}


def field(type_name: str, record: int) -> NDArray:
    """Smooth in the upper half of the bits, noise in the lower half."""
    bits = 4 * np.dtype(type_name).itemsize
    y, x = np.arange(NY, dtype=np.uint64)[:, None], np.arange(NX, dtype=np.uint64)[None, :]
    noise = np.random.default_rng(record).integers(0, 2**bits, (NY, NX), dtype=np.uint64)
    upper = (y // np.uint64(40) + x // np.uint64(50) + np.uint64(record)) % np.uint64(30) + np.uint64(60)
    return ((upper << np.uint64(bits)) | noise).astype(f"u{bits // 4}").view(type_name)
