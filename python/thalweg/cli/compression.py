"""How a variable is compressed in a file, as the configuration says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thalweg.data import Variable

KNOWN = ("shuffle", "fletcher32", "crc32c", "deflate", "zstd")
QUANTIZED = {
    "_QuantizeGranularBitRoundNumberOfSignificantDigits": "keep-digits",
    "_QuantizeBitRoundNumberOfSignificantBits": "keep-bits",
}


@dataclass(frozen=True)
class Compression:
    """As the configuration has it; empty: none."""

    keys: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        return "{" + ", ".join(f"{key}: {value}" for key, value in self.keys) + "}" if self.keys else "none"


def codec_of(variable: Variable) -> str | None:
    return next((name for name in variable.filters if name in ("deflate", "zstd")), None)


def unknown_filters(variable: Variable) -> list[str]:
    """What the file has and Thalweg does not write."""
    return [name for name in variable.filters if name not in KNOWN]


def encoding_of(variable: Variable) -> Compression:
    """What Thalweg can do of how the file's chunks are encoded."""
    keys: list[tuple[str, Any]] = []
    if codec := codec_of(variable):
        keys.append(("codec", codec))
        least, most = 1, 9 if codec == "deflate" else 19
        if least <= variable.levels.get(codec, 0) <= most:
            keys.append(("level", variable.levels[codec]))
        # With a codec it is on unless said, and of single bytes there is nothing to shuffle.
        if "shuffle" not in variable.filters and variable.dtype.itemsize > 1:
            keys.append(("shuffle", "false"))
    if "fletcher32" in variable.filters:
        keys.append(("checksum", "true"))
    return Compression(tuple(keys))


def compression_of(variable: Variable) -> Compression:
    """The same, and how values are rounded before."""
    rounding = [
        (key, int(variable.attributes[attribute]))
        for attribute, key in QUANTIZED.items()
        if attribute in variable.attributes
    ]
    return Compression((*encoding_of(variable).keys, *rounding))
