"""Runs of the program threads_put, whose threads put parts of fields of which much is made."""

from __future__ import annotations

from pathlib import Path

from support import mpi

TOP = "report: none\ndeadline: 30 s\ntime-step: 1 h\n"
COLLECTIONS = """
collections:
  means: {file: means.nc, every: 3 h, operation: mean, valid: 0.5, fields: [temp, u, flux, area]}
  missing: {file: missing.nc, every: 3 h, operation: mean, missing: propagate, fields: [temp, flux]}
  others:
    file: others.nc
    every: 4 h
    fields:
      - {from: temp, operation: max}
      - {from: temp, operation: std}
      - {from: u, operation: difference}
      - {from: flux, operation: rms}
      - {from: flux, operation: count}
  days: {file: days.nc, every: 1 d, operation: diurnal 4, fields: [temp]}
  instants: {file: instants.nc, every: 2 h, fields: [temp, u, flux]}
  region:
    file: region.nc
    every: 3 h
    operation: mean
    region: {y: {index: {from: 2, to: 17, step: 3}}, x: {index: [1, 11, 12, 30]}}
    fields: [temp, {from: v, name: v_instead, region: {x: {index: 5}}}]
  computed:
    file: computed.nc
    every: 3 h
    operation: mean
    fields: [{name: speed, expression: "sqrt(u^2 + v^2)"}, {name: per_area, expression: "u * area"}]
  ratio: {file: ratio.nc, every: 3 h, fields: [{name: ratio, expression: "mean(u) / max(v)"}]}
  levels:
    file: levels.nc
    every: 2 h
    operation: mean
    vertical: {coordinate: height, to: [50, 150]}
    fields: [temp]
  beyond: {file: beyond.nc, every: 150 min, operation: mean, fields: [temp, u, flux]}
  split: {file: split.nc, every: 150 min, operation: mean, straddle: split, fields: [u, flux]}
  joined: {file: joined.nc, every: 3 h, operation: mean, repeat: add, fields: [rain]}
"""
FILES = sorted(line.split("file: ")[1].split(",")[0] for line in COLLECTIONS.splitlines() if "file: " in line)
PLACES = {"one rank": ("sync", 1, "none"), "two nodes": ("thread", 2, "[1, 1]"), "a server": ("{ranks: 1}", 3, "none")}


def written(folder: Path, place: str, *words: object) -> dict[str, bytes]:
    writers, ranks, nodes = PLACES[place]
    folder.mkdir()
    (folder / "thalweg.yaml").write_text(f"{TOP}writers: {writers}\nemulate-nodes: {nodes}\n{COLLECTIONS}")
    mpi.run("threads_put", ranks, folder, *words)
    return {name: (folder / name).read_bytes() for name in FILES}
