"""The configurations of Thalweg's sessions: the user's YAML, and what Veros' own settings say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import yaml
from veros.diagnostics.base import VerosDiagnostic
from veros.state import VerosState

Config = dict[str, Any]

RESTART = "restart"
# A year of Veros has 360 days (veros.time), and its files count from this date.
TIME = {"calendar": "360_day", "reference-date": "1900-01-01 00:00:00"}


def writes(diagnostic: VerosDiagnostic) -> bool:
    return bool(diagnostic.output_frequency and diagnostic.output_path and diagnostic.output_variables)


def read(state: VerosState) -> Config:
    """What the user configured.

    Raises:
        ValueError: for what Thalweg would accept, but Veros decides or cannot do.
    """
    path = state.settings.thalweg_config
    config: Config = {}
    if path:
        with open(path, encoding="utf-8") as file:
            config = yaml.safe_load(file) or {}
    writers = os.environ.get("THALWEG_WRITERS") or config.get("writers", "thread")
    if writers not in ("thread", "sync"):
        raise ValueError(f"{path}: 'writers: {writers}': all ranks compute in Veros; possible are thread and sync")
    for key in ("time-step", "calendar"):
        if key in config:
            raise ValueError(f"{path}: leave out '{key}', which Veros says")
    known = {*state.diagnostics, RESTART}
    for name, section in (config.get("collections") or {}).items():
        if name not in known:
            raise ValueError(f"{path}: collections: no diagnostic '{name}'; there are {', '.join(sorted(known))}")
        if "every" in (section or {}):
            raise ValueError(f"{path}: leave out 'every' of '{name}': its frequency is set in Veros")
    return config


def section(config: Config, name: str) -> Config:
    return dict((config.get("collections") or {}).get(name) or {})


def time_words(config: Config) -> dict[str, str]:
    """From when, and by which calendar, files count their time."""
    return {key: str(config.get(key, default)) for key, default in TIME.items()}


def plain_name(path: str) -> str:
    """A path in which percent signs stand for nothing else."""
    return path.replace("%", "%%")


def for_history(config: Config, state: VerosState, diagnostics: Mapping[str, VerosDiagnostic]) -> Config:
    """Thalweg's rule, "the first step that reaches or passes a multiple of the interval", is also Veros'."""
    collections = {
        name: {"file": plain_name(diagnostic.get_output_file_name(state))}
        | section(config, name)
        | {"every": f"{diagnostic.output_frequency!r} s"}
        for name, diagnostic in diagnostics.items()
    }
    return config | time_words(config) | {"time-step": f"{state.settings.dt_tracer!r} s", "collections": collections}


def for_restart(config: Config, path: str) -> Config:
    own = section(config, RESTART) | {"file": plain_name(path)}
    quiet = {"report": "none", "profile": "none"}  # the session of the diagnostics has them
    return config | time_words(config) | quiet | {"collections": {RESTART: own}}
