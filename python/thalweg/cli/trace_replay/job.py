"""What the ranks are to do, as files that they read: the job, and the steps of each rank."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thalweg.cli.replay.job import Launched
from thalweg.trace.writes import File, Step, Variable


@dataclass(frozen=True)
class TraceJob(Launched):
    source: str  # the folder of the trace
    folder: str
    way: str  # original or thalweg
    ranks: int
    paths: list[str]  # of the files
    yaml: str  # the configuration of Thalweg
    pace: float
    is_busy: bool

    def save(self) -> Path:
        path = Path(self.folder) / "job.json"
        path.write_text(json.dumps(asdict(self)))
        return path

    @staticmethod
    def load(path: str) -> TraceJob:
        return TraceJob(**json.loads(Path(path).read_text()))

    def give(self, files: list[File], steps: list[list[Step]]) -> None:
        self.result("files").write_text(json.dumps([asdict(file) for file in files]))
        for rank, own in enumerate(steps):
            self.result(f"steps.{rank}").write_text(json.dumps([asdict(step) for step in own]))

    def files(self) -> list[File]:
        found = []
        for row in json.loads(self.result("files").read_text()):
            variables = [Variable(**one) for one in row.pop("variables")]
            found.append(File(**row, variables=variables))
        return found

    def steps(self, rank: int) -> list[Step]:
        rows: list[dict[str, Any]] = json.loads(self.result(f"steps.{rank}").read_text())
        for row in rows:
            row["boxes"] = [(tuple(start), tuple(count)) for start, count in row["boxes"]]
        return [Step(**row) for row in rows]
