"""Texts as YAML has them."""

from __future__ import annotations

import re
from json import dumps

# Texts that YAML reads as something else.
WORDS = ("yes", "no", "true", "false", "on", "off", "null")


def quoted(text: str) -> str:
    is_plain = re.fullmatch(r"[A-Za-z][\w./-]*", text) and text.lower() not in WORDS
    return text if is_plain else dumps(text, ensure_ascii=False)
