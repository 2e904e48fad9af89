# ctest: TIMEOUT 120
"""Settings that are wrong, do not fit the run, or differ between ranks: one clear error on all ranks."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import pytest
from killed_job import assert_exact
from launch import AGREEMENT, CONFIG, FORMAT, MEMORY, NAME, Outcome, Run, begin, history, read_outcomes, run
from support.batch import Batch, Job

RANKS = 2
ONCE = ("faulty", "once")


def refused(text: str, parts: tuple[str, ...], name: str) -> object:
    """A parameter: a model that has to be refused with these parts of a text, which does not end its program."""
    return pytest.param(Job("faulty", RANKS, text, ("once",)), parts, id=name)


def refusal(batch: Batch, job: Job, *parts: str) -> Outcome:
    folder = batch.made(job)
    return same_outcome(Run(folder, 0, 0.0, "", read_outcomes(folder)), CONFIG, *parts)


def same_failure(done: Run, code: int, *parts: str) -> Outcome:
    """All ranks met the same error, and soon, and the program ended with it."""
    assert done.returncode != 0
    assert done.seconds < 10
    return same_outcome(done, code, *parts)


def same_outcome(done: Run, code: int, *parts: str) -> Outcome:
    assert len(done.outcomes) >= RANKS
    first = done.first_failure(0)
    for rank in range(len(done.outcomes)):
        failure = done.first_failure(rank)
        assert (failure.label, failure.code, failure.text) == (first.label, code, first.text)
    for part in parts:
        assert part in first.text, f"no '{part}' in:\n{first.text}"
    return first


def test_all_faults_of_a_file_come_at_once(tmp_path: Path) -> None:
    yaml = """\
writters: thread
staging: 2 parsecs
collections:
  history:
    format: netcdf5
    every: 6 h
    patern: single
"""
    failure = same_failure(
        run(tmp_path, yaml, 3, ONCE),
        CONFIG,
        "thalweg.yaml:1:1: error",
        "did you mean 'writers'?",
        "thalweg.yaml:2:10: error",
        "parsecs",
        "thalweg.yaml:5:13: error",
        "netcdf5",
        "cdf5",
        "did you mean 'pattern'?",
        "    2 | staging: 2 parsecs\n      |          ^",
    )
    assert failure.label == "start"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    job = begin(tmp_path, "", [(RANKS, ONCE, {})])
    (tmp_path / "thalweg.yaml").unlink()
    assert same_failure(job.end(15), CONFIG, "thalweg.yaml", "No such file").label == "start"


def test_a_file_that_is_no_yaml_is_refused_with_its_place(tmp_path: Path) -> None:
    same_failure(run(tmp_path, "collections: [history\nwriters: }", RANKS, ONCE), CONFIG, "thalweg.yaml:2:")


@pytest.mark.parametrize(
    ("job", "parts"),
    [
        refused(history(top="emulate-nodes: 5\n"), ("emulate-nodes", "5 nodes", "has 2"), "too_many"),
        refused(history(top="emulate-nodes: [2, 1]\n"), ("emulate-nodes", "add up to 3", "2 ranks"), "wrong_sum"),
    ],
)
def test_emulated_nodes_that_do_not_fit_the_ranks_are_refused(batch: Batch, job: Job, parts: tuple[str, ...]) -> None:
    assert refusal(batch, job, *parts).label == "start"


def test_a_configured_variable_that_is_not_defined_is_named_with_its_place(tmp_path: Path) -> None:
    done = run(tmp_path, history(variables="{tmep: {enabled: true}}"), RANKS, ONCE)
    failure = same_failure(done, CONFIG, "thalweg.yaml:4", "'history'", "'tmep' is configured", "did you mean 'temp'?")
    assert failure.label == "ready"


def test_an_unknown_collection_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    done = run(tmp_path, history(), RANKS, ("faulty", "unknown-collection"))
    for rank in range(RANKS):
        failure = done.of(rank, "open_collection")
        assert failure.code == NAME
        assert "'histroy'" in failure.text
        assert "did you mean 'history'?" in failure.text


@pytest.mark.parametrize(
    ("job", "parts"),
    [
        refused(history(layout="[2, 1, 1]"), ("layout [2, 1, 1] has 3 numbers", "2 dimensions"), "numbers"),
        refused(history(layout="[2, 7]", pattern="shared"), ("layout [2, 7]", "6 cells into 7"), "too_fine"),
        refused(
            history(layout="[2, 2]", pattern="single"),
            ("pattern 'single'", "layout [2, 2] makes 4", "use pattern 'shared'"),
            "single",
        ),
    ],
)
def test_a_layout_that_does_not_fit_is_refused(batch: Batch, job: Job, parts: tuple[str, ...]) -> None:
    assert refusal(batch, job, "'history'", *parts).label in ("start", "ready")


@pytest.mark.parametrize("writers", ["thread", "sync"])
def test_a_budget_that_is_too_small_is_refused_with_numbers(tmp_path: Path, writers: str) -> None:
    yaml = history(writers, "staging: 1 MiB\n")
    done = run(tmp_path, yaml, RANKS, ("steady", 2, 0, 16, 128, 256))
    failure = same_failure(
        done, MEMORY, "staging: 1 MiB (1048576 bytes)", "collection 'history': 2.2", "set 'staging: 3 MiB'"
    )
    assert failure.label == "ready"


@pytest.mark.parametrize("writers", ["thread", "sync"])
def test_the_budget_that_is_named_is_enough(tmp_path: Path, writers: str) -> None:
    done = run(tmp_path, history(writers, "staging: 3 MiB\n"), RANKS, ("steady", 2, 0, 16, 128, 256))
    assert done.returncode == 0, done.outcomes


@pytest.mark.parametrize(
    ("variable", "value", "key"),
    [
        ("THALWEG_STAGING", "64 MiB", "staging"),
        ("THALWEG_WRITERS", "sync", "writers.place"),
        ("THALWEG_EMULATE_NODES", "2", "emulate-nodes"),
        ("THALWEG_WHEN_FULL", "fail", "when-full"),
    ],
)
def test_settings_that_differ_between_ranks_are_refused(tmp_path: Path, variable: str, value: str, key: str) -> None:
    yaml = history().replace("writers: thread\n", "")
    done = begin(tmp_path, yaml, [(1, ONCE, {}), (1, ONCE, {variable: value})]).end(20)
    same_failure(done, AGREEMENT, "settings differ between ranks", "rank 1 has", "rank 0 has", f"{key} = {value}")


def test_a_wrong_variable_of_the_environment_on_one_rank_is_told_to_all(tmp_path: Path) -> None:
    done = begin(tmp_path, history(), [(1, ONCE, {}), (1, ONCE, {"THALWEG_STAGGING": "1 GiB"})]).end(20)
    same_failure(done, CONFIG, "THALWEG_STAGGING", "did you mean 'THALWEG_STAGING'")


def test_options_of_pfio_are_read_from_the_command_line_of_the_program(tmp_path: Path) -> None:
    options = ("--npes_model", 0, "run.nml", "--nodes_output_server=x")
    failure = same_failure(
        run(tmp_path, history(top="command-line: pfio\n"), RANKS, (*ONCE, *options)),
        CONFIG,
        "command line --npes_model: error: '0' must be at least 1",
        "command line --nodes_output_server: error: 'x' is no whole number",
        "faulty once --npes_model 0 run.nml --nodes_output_server=x\n",
    )
    assert failure.label == "start"


def test_options_of_pfio_are_the_model_s_own_unless_they_are_asked_for(tmp_path: Path) -> None:
    done = run(tmp_path, history(), RANKS, (*ONCE, "--npes_model", 0))
    assert done.returncode == 0, done.outcomes


# ---- chunks and compression


UNFIT: list[tuple[dict[str, str], tuple[str, ...]]] = [
    ({"chunks": "{y: 0}"}, ("thalweg.yaml:6:13: error", "chunks: '0' must be at least 1")),
    ({"chunks": "{lat: 4}"}, ("'history'", "'chunks' names the dimension 'lat'", "does not define")),
    ({"variables": "{temp: {chunks: {lev: 1}}}"}, ("'history', variable 'temp'", "the dimension 'lev'")),
    ({"format": "cdf5", "compression": "zstd"}, ("codec: CDF files have no compression", "netcdf4 or zarr")),
    ({"format": "cdf1", "compression": "{keep-digits: 3}"}, ("keep-digits: values are rounded for compression",)),
    ({"format": "fortran", "compression": "deflate"}, ("codec: Fortran files have no compression",)),
    ({"format": "cdf2", "compression": "{checksum: true}"}, ("checksum: CDF files have no chunks",)),
    ({"format": "cdf5", "chunks": "{y: 4}"}, ("chunks: CDF files have no chunks", "netcdf4 or zarr")),
    ({"sharding": "true"}, ("sharding: only Zarr has shards", "format: zarr")),
    ({"format": "zarr", "compression": "deflate"}, ("codec: Zarr has no deflate", "set codec: zstd")),
    ({"format": "zarr", "compression": "{shuffle: true}"}, ("shuffle: Zarr shuffles only what it", "set codec: zstd")),
    ({"compression": "{codec: deflate, level: 12}"}, ("level: deflate has levels 1 to 9, this is 12",)),
    (
        {"compression": "{codec: zstd, level: 12}", "variables": "{temp: {compression: deflate}}"},
        ("thalweg.yaml:7:37", "codec: deflate has levels 1 to 9, the collection's is 12"),
    ),
    (
        {"compression": "{keep-digits: 3, keep-bits: 9}"},
        ("keep-bits: either keep-digits or keep-bits, not both",),
    ),
]


@pytest.mark.parametrize(
    ("job", "parts"), [refused(history(**settings), parts, "-".join(settings.values())) for settings, parts in UNFIT]
)
def test_chunks_and_compression_that_cannot_be_are_refused(batch: Batch, job: Job, parts: tuple[str, ...]) -> None:
    assert refusal(batch, job, *parts).label in ("start", "ready")


DEFAULT_CHUNKS = "defaults: {chunks: {y: 2, yt_ocean: 16}, variables: {temp: {chunks: {xt_ocean: 4}}}}\n"


def test_chunks_of_the_defaults_are_for_collections_that_have_the_dimensions(tmp_path: Path) -> None:
    done = run(tmp_path, history(top=DEFAULT_CHUNKS), RANKS, ("steady", 1, 0, 2, 40, 60))
    assert done.returncode == 0, done.outcomes
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert file["temp"].chunking()[-2] == 2
    assert done.output.count("'chunks' of the defaults names the dimension 'yt_ocean', which no collection has") == 1
    assert "thalweg.yaml:3:" in done.output
    assert "'y', which" not in done.output


def test_chunks_of_a_collection_are_refused_where_they_are_said(tmp_path: Path) -> None:
    yaml = history(top=DEFAULT_CHUNKS, chunks="{xt_ocean: 16}")
    done = run(tmp_path, yaml, RANKS, ("steady", 1, 0, 2, 40, 60))
    same_failure(done, CONFIG, "thalweg.yaml:7:13: collection 'history': 'chunks' names the dimension 'xt_ocean'")


def test_chunks_of_several_records_cannot_be_compressed(tmp_path: Path) -> None:
    """Of a variable that is large enough to be compressed."""
    yaml = history(chunks="{time: 4}", compression="zstd")
    done = run(tmp_path, yaml, RANKS, ("steady", 1, 0, 2, 40, 60))
    parts = ("'history', variable 'temp'", "chunks of 4 records cannot be compressed", "leave 'time' out of 'chunks'")
    assert same_failure(done, CONFIG, *parts).label == "ready"


@pytest.mark.parametrize("file_format", ["netcdf4", "zarr"])
def test_a_chunk_of_more_than_4_gib_is_refused(tmp_path: Path, file_format: str) -> None:
    yaml = history(top="staging: 64 GiB\n", format=file_format, chunks="{z: 2, y: 30000, x: 20000}")
    done = run(tmp_path, yaml, RANKS, ("steady", 1, 0, 2, 30000, 20000))
    same_failure(done, FORMAT, "variable 'temp' has 4800000000 bytes", "the limit is 4 GiB - 1", "smaller 'chunks'")


def test_what_a_refusal_of_compressed_records_advises_is_taken(tmp_path: Path) -> None:
    yaml = history(format="zarr", chunks="{time: 4}", compression="none")
    assert run(tmp_path, yaml, RANKS, ("steady", 9, 0, 2, 40, 60)).returncode == 0
    assert_exact(tmp_path / "history.zarr", 9, (2, 40, 60))
