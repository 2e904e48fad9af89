"""Profiles of runs, as `profile: FILE` has them written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thalweg.data import DataError

VERSIONS = (1, 2)  # the first one tells less
TEXTS = ("name", "file", "variable", "host", "role")
NUMBERS = ("rank", "node", "records", "files", "depth", "puts", "gets", "chunks")
MOST = 1e30  # of what is added up; JSON has infinities, too
BEGINNING = 4096  # bytes in which a file says what it is
SETTING = re.compile(r"(?P<key>\S+) = (?P<value>.*) \((?P<origin>(?:default|file|environment|program|command)\b.*)\)")

Json = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    key: str
    value: str
    origin: str


@dataclass(frozen=True)
class Profile:
    path: Path
    settings: list[Setting]
    ranks: list[Json]

    def setting(self, key: str) -> str:
        return next((one.value for one in self.settings if one.key == key), "")


def read_json(path: Path, what: str) -> Json:
    try:
        made = json.loads(path.read_bytes())
    except OSError as fault:
        raise DataError(f"'{path}' cannot be read: {fault.strerror}") from None
    except (ValueError, RecursionError) as fault:
        raise DataError(f"'{path}' is no {what}: it is no JSON ({fault})") from None
    if not isinstance(made, dict):
        raise DataError(f"'{path}' is no {what}: it is JSON of something else")
    return made


def says(path: Path, key: str) -> bool:
    """Whether a file has the key that says what it is."""
    try:
        with path.open("rb") as file:
            beginning = file.read(BEGINNING)
            file.seek(max(path.stat().st_size - BEGINNING, 0))
            return f'"{key}"'.encode() in beginning + file.read()
    except OSError:
        return False


def profiles_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.json")) if says(path, "thalweg_profile")]


def find(run: Path) -> Path:
    """The profile that is named, or the only one of a folder."""
    if not run.is_dir():
        if not run.exists():
            raise DataError(f"'{run}': there is no such file; name the file of 'profile' of a run, or its folder")
        return run
    found = profiles_in(run)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"'{path.name}'" for path in found[:8])
        raise DataError(f"'{run}' has {len(found)} profiles ({names}{', …' if len(found) > 8 else ''}); name one")
    raise DataError(f"'{run}' has no profile (*.json); run the model with 'profile: profile.json'")


def setting_of(line: str) -> Setting:
    match = SETTING.fullmatch(line)
    if match:
        return Setting(match["key"], match["value"], match["origin"])
    key, _, value = line.partition(" = ")
    return Setting(key, value, "")


def read_version(path: Path, what: str, key: str, known: tuple[int, ...]) -> Json:
    """what: "profile", of a run; key: that says its version."""
    made = read_json(path, f"{what} of a run")
    version = made.get(key)
    if version is None:
        raise DataError(f"'{path}' is no {what} of a run: it does not say '{key}'")
    if version not in known:
        numbers = " and ".join(map(str, known))
        raise DataError(f"'{path}' is a {what} of version {version}; this command knows version {numbers}")
    return made


def read(path: Path) -> Profile:
    made = read_version(path, "profile", "thalweg_profile", VERSIONS)
    ranks, settings = made.get("ranks"), made.get("settings", [])
    if not isinstance(settings, list):
        raise DataError(f"'{path}' is no whole profile: 'settings' is {settings!r:.40}, and no list")
    if not isinstance(ranks, list) or not ranks or not all(isinstance(rank, dict) for rank in ranks):
        raise DataError(f"'{path}' is no whole profile: it has no ranks")
    require_kinds(path, ranks, "ranks")
    return Profile(path, [setting_of(str(line)) for line in settings], ranks)


def require_kinds(path: Path, of: object, where: str) -> None:
    """Names are texts and figures are numbers, wherever they stand: pages and tables take them as such."""
    if isinstance(of, list):
        for number, one in enumerate(of):
            require_kinds(path, one, f"{where}[{number}]")
    for key, value in of.items() if isinstance(of, dict) else ():
        place = f"{where}.{key}"
        if key in TEXTS and not isinstance(value, str):
            raise DataError(f"'{path}' is no whole profile: '{place}' is {value!r:.40}, and no text")
        if (key in NUMBERS or key.endswith(("_s", "_bytes"))) and not are_numbers(value):
            raise DataError(f"'{path}' is no whole profile: '{place}' is {value!r:.40}, and no number")
        require_kinds(path, value, place)


def are_numbers(value: object) -> bool:
    if isinstance(value, list):
        return all(are_numbers(one) for one in value)
    return isinstance(value, int | float) and abs(value) < MOST


def find_time_line(profile: Profile) -> Path | None:
    """Beside the profile, by the name that the run had for it; relative names are meant from where the run started."""
    name = profile.setting("time-line")
    if name in ("", "none"):
        return None
    of_profile = Path(profile.setting("profile"))
    folders = [profile.path.parent]
    if not of_profile.is_absolute() and len(of_profile.parts) > 1:
        folders.append(profile.path.absolute().parents[len(of_profile.parts) - 1])
    candidates = [folder / name for folder in folders] + [profile.path.parent / Path(name).name]
    return next((path for path in candidates if path.is_file() and says(path, "thalweg_time_line")), None)
