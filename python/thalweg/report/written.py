"""What writers have given the storage, by collection and by file, and how quick it took that. Bytes and seconds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from thalweg.report.profile import Json, Profile

SUMS = ("raw_bytes", "file_bytes", "chunks", "write_s", "sync_s")


def of_collection(profile: Profile, name: str) -> Json:
    """By all ranks; of what the Thalweg of the run did not tell there is nothing."""
    return together(one for one in told(profile, name))


def files(profile: Profile) -> list[Json]:
    """Those that are told one by one, each by all writers that have a part in it."""
    found: dict[tuple[str, str], list[Json]] = {}
    for name in names(profile):
        for one in told(profile, name):
            for file in one.get("written_files", []):
                found.setdefault((name, file["file"]), []).append(file)
    return [
        {"collection": name, "file": file, "records": max(part["records"] for part in parts), **together(parts)}
        for (name, file), parts in found.items()
    ]


def left_out(profile: Profile) -> int:
    """Files, counted once for each writer of them, that are not told one by one."""
    return sum(int(one.get("files_left_out", 0)) for name in names(profile) for one in told(profile, name))


def names(profile: Profile) -> list[str]:
    return list(dict.fromkeys(one["name"] for rank in profile.ranks for one in rank["collections"]))


def told(profile: Profile, name: str) -> Iterator[Json]:
    for rank in profile.ranks:
        for one in rank["collections"]:
            if one["name"] == name:
                yield one


def together(parts: Iterable[Json]) -> Json:
    """Rates are those of one writer: the mean weighs each by its time, the peak is that of the best record of any."""
    every = list(parts)
    sums = {key: sum_of(every, key) for key in SUMS}
    bests = [one["best_record"] for one in every if "best_record" in one]
    best = max(bests, key=lambda one: float(one["bytes_per_s"]), default=None)
    has_best = best is not None and best["record"] >= 0
    busy_s = (sums["write_s"] or 0.0) + (sums["sync_s"] or 0.0)
    return {
        **sums,
        "writers": sum(one.get("file_bytes", 0) > 0 for one in every),
        "rate": sums["file_bytes"] / busy_s if sums["file_bytes"] is not None and busy_s > 0 else None,
        "peak_rate": best["bytes_per_s"] if best and has_best else None,
        "peak_record": best["record"] if best and has_best else None,
    }


def sum_of(parts: list[Json], key: str) -> float | None:
    values = [one[key] for one in parts if key in one]
    return sum(values) if values else None
