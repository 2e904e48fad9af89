# ctest: LABELS mpi TIMEOUT 300
"""Coupled runs: two components with a session of their own each, which knows its own ranks and servers alone, wait for
each other in every step. Each writes what one rank writes alone: the same values, and the same bytes without chunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest
from conformance.values_test import assert_same_bytes, check_files
from support.batch import Batch, Job, of_tests
from support.cases import CHUNKED, RECORDS, Case
from support.checksums import with_companions

COMPONENTS = ("ocean", "air")


@dataclass(frozen=True)
class Coupled:
    """What the two components write, and where their servers are, which differ."""

    ocean: Case
    air: Case
    dealt: bool = False  # ranks in turn, so that neighbours are of different components
    serving: int = 0  # ranks of each component that only call thalweg_serve

    def __str__(self) -> str:
        words = [f"{case.format}-{case.servers}-{case.mode}" for case in self.cases]
        return "-".join([*words, "dealt" * self.dealt, f"serve{self.serving}"]).replace(" ", "_")

    @property
    def cases(self) -> tuple[Case, Case]:
        return self.ocean, self.air

    @property
    def job(self) -> CoupledJob:
        assert self.ocean.mode == self.air.mode
        ranks = [case.placement[1] for case in self.cases]
        counts = ",".join(map(str, ranks))
        words = (f"components={counts}", f"deal={int(self.dealt)}", f"serve={self.serving}")
        words += (f"mode={self.ocean.mode}", f"records={RECORDS}", "types=all")
        texts = tuple(in_folder(case, name) for name, case in zip(COMPONENTS, self.cases, strict=True))
        return CoupledJob("conform", sum(ranks), texts[0], words, air=texts[1])


def in_folder(case: Case, name: str) -> str:
    return case.configuration().replace("{file: ", f"{{file: {name}/")


@dataclass(frozen=True)
class CoupledJob(Job):
    """With a configuration and a folder for each component."""

    air: str = ""

    def prepare(self, folder: Path) -> list[str]:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in zip(COMPONENTS, (self.configuration, self.air), strict=True):
            (folder / name).mkdir(exist_ok=True)
            (folder / f"{name}.yaml").write_text(text)
        return [",".join(f"{name}.yaml" for name in COMPONENTS), *self.words]


def runs() -> Iterator[Coupled]:
    cdf = Case(format="cdf5", servers="2 ranks", ranks=3, pattern="3x1")
    chunked = Case(format="netcdf4", servers="node", ranks=2, pattern="2x2", codec="zstd")
    places = ["rank a node", "2 groups of ranks", "2 nodes", "frontends", "2 groups of nodes"]
    for number, (place, dealt) in enumerate(product(places, (False, True))):
        mode = ("block", "mask")[number % 2]
        air = Case(format=("cdf5", "zarr")[dealt], servers=place, ranks=2 + number % 2, pattern="shared", mode=mode)
        yield Coupled(replace(cdf if dealt else chunked, mode=mode), air, dealt)
    # Servers that are programs of their own, in the one communicator of their component.
    for nodes in ("rank", "2 ranks", "node"):
        case = Case(format="cdf5", servers=nodes, ranks=2)
        yield Coupled(case, replace(case, format="netcdf4", codec="checksum"), serving=case.placement[1] - case.ranks)
    # One component has servers, the other a thread.
    yield Coupled(Case(format="cdf5", servers="frontends", ranks=2), Case(format="cdf5", ranks=3), dealt=True)


RUNS = list(runs())


def jobs_of(run: Coupled) -> list[Job]:
    return [run.job, *(case.reference.job for case in run.cases if case.format not in CHUNKED)]


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    return of_tests(request, tmp_path_factory, jobs_of)


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_components_write_what_each_writes_alone(run: Coupled, batch: Batch) -> None:
    folder = batch.made(run.job)
    for name, case in zip(COMPONENTS, run.cases, strict=True):
        assert {path.name for path in (folder / name).iterdir()} == with_companions(
            (case.file("fields"), case.file("shapes"))
        )
        check_files(case, folder / name)
        if case.format not in CHUNKED:
            assert_same_bytes(folder / name, batch.made(case.reference.job))
