"""What the exit code of every command says."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    FINDING = 1
    USAGE = 2
    INPUT = 3
    ENVIRONMENT = 4
    INTERNAL = 70
    INTERRUPTED = 130
    UNREAD = 141


MEANING = {
    Exit.OK: "all right",
    Exit.FINDING: "a difference, or another finding",
    Exit.USAGE: "the command is called in a wrong way",
    Exit.INPUT: "bad input: a file that is missing, damaged or not understood",
    Exit.ENVIRONMENT: "something that the command needs is not there, or does not work",
    Exit.INTERNAL: "a fault of the command itself",
    Exit.INTERRUPTED: "interrupted",
    Exit.UNREAD: "nobody read the output to its end",
}

EPILOG = "Exit codes: " + "; ".join(f"{code.value} {text}" for code, text in MEANING.items()) + "."


class Failure(Exception):
    """Ends the command with this code and this text, which says what, value, allowed, where, and what to do."""

    def __init__(self, code: Exit, text: str) -> None:
        super().__init__(text)
        self.code = code
