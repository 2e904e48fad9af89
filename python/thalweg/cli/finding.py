"""Findings: what was looked at, how it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from thalweg.cli.output import say


class Level(StrEnum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


STYLES = {Level.OK: "green", Level.NOTE: "yellow", Level.PROBLEM: "bold red"}


@dataclass(frozen=True)
class Finding:
    level: Level
    subject: str
    text: str
    advice: str = ""


def ok(subject: str, text: str) -> Finding:
    return Finding(Level.OK, subject, text)


def note(subject: str, text: str, advice: str = "") -> Finding:
    return Finding(Level.NOTE, subject, text, advice)


def problem(subject: str, text: str, advice: str = "") -> Finding:
    return Finding(Level.PROBLEM, subject, text, advice)


def has_problem(findings: Sequence[Finding]) -> bool:
    return any(finding.level is Level.PROBLEM for finding in findings)


def show(findings: Sequence[Finding]) -> None:
    width = max((len(finding.subject) for finding in findings), default=0)
    for finding in findings:
        say(f"{finding.level.value:<8}{finding.subject:<{width}}  {finding.text}", STYLES[finding.level])
        if finding.advice:
            say(f"{'':<8}{'':<{width}}  → {finding.advice}")


def as_json(findings: Sequence[Finding]) -> list[dict[str, str]]:
    return [asdict(finding) for finding in findings]
