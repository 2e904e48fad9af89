"""What scripts put into a configuration before a run: '@HIST_IM', '>>>IOEDATE<<<', '@[SYEAR]', '@expname@', '${RUN}'.
A token becomes a variable of Thalweg's configuration, ${…}, whose text is to be filled in at one place."""

from __future__ import annotations

import re

from thalweg.cli.translate.model import Line, Translation

TOKEN = re.compile(r"@\[(\w+)\]|>>>(\w+)<<<|@(\w+)@|\$\{(\w+)\}|@([A-Z]\w*)|__([A-Z][A-Za-z0-9]*_\w*?)__")


def placeholder(translation: Translation, text: str, of: str, line: Line) -> str:
    """The text with a variable, in capitals, for each token."""

    def word(match: re.Match[str]) -> str:
        name = next(group for group in match.groups() if group).upper()
        translation.to_fill_in.setdefault(name, f"what a script puts for {match[0]}, {of} (line {line.place})")
        line.note(f"{match[0]} is ${{{name}}} here, to be filled in")
        return f"${{{name}}}"

    return TOKEN.sub(word, text)
