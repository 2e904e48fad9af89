# ctest: SHORT LABELS mpi TIMEOUT 120
"""Models that err in what they hand over: stale handles, times that are none, ranks that do not make the same steps,
values that the file's type cannot hold."""

from __future__ import annotations

import json
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from launch import AGREEMENT, ARGUMENT, NAME, SHAPE, STATE, Outcome, Run, begin, history, read_outcomes, recover, run

RANKS = 2
TOP = "deadline: 20 s\n"
TWO_NODES = TOP + "emulate-nodes: 2\n"
STRUCTURE = "{keep-digits: 3}"
RESTART = "  restart:\n    file: restart.nc\n"
CASES = {
    "handles": ("handles", history(top=TOP)),
    "times": ("times", history(top=TOP)),
    "initial": ("initial", history(top=TOP, initial_record="true") + RESTART),
    "early": ("early", history(top=TOP)),
    "apart": ("apart", history(top=TOP)),
    "apart_nodes": ("apart", history(top=TWO_NODES)),
    "apart_sync": ("apart", history("sync", TOP, format="cdf5")),
    "stops": ("stops", history(top=TOP)),
    "stops_nodes": ("stops", history(top=TWO_NODES)),
    "waits_early": ("waits-early", history(top=TOP)),
    "overflow": ("overflow", history(top=TOP + "profile: profile.json\n", compression=STRUCTURE)),
    "overflow_sync": ("overflow", history("sync", TOP + "profile: profile.json\n", compression=STRUCTURE)),
    "overflow_nodes": ("overflow", history(top=TWO_NODES + "profile: profile.json\n", format="cdf5")),
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All cases, in one start."""
    folder = tmp_path_factory.mktemp("mistaken")
    lines = []
    for name, (command, yaml) in CASES.items():
        (folder / name).mkdir()
        (folder / name / "thalweg.yaml").write_text(yaml)
        lines.append(f"{folder / name}\t{command}\n")
    (folder / "all").write_text("".join(lines))
    made = begin(folder, "", [(RANKS, ("mistaken", "@all"), {})]).end(90)
    assert made.returncode == 0, made.output
    return made


def outcomes_of(done: Run, case: str) -> dict[int, dict[str, Outcome]]:
    """The last outcome of each call."""
    found = read_outcomes(done.folder / case)
    return {rank: {outcome.label: outcome for outcome in of_rank} for rank, of_rank in found.items()}


def files(done: Run, case: str) -> list[str]:
    return sorted(path.name for path in (done.folder / case).glob("*.nc*") if "journal" not in path.name)


def cases(*rows: tuple[object, ...]) -> pytest.MarkDecorator:
    values = [pytest.param(label, code, tuple(parts), id=str(label).replace(" ", "_")) for label, code, *parts in rows]
    return pytest.mark.parametrize(("label", "code", "parts"), values)


@cases(
    ("decomposition of an old session", STATE, "'decomposition'", "is finished", "thalweg_decompose again"),
    ("put temp", STATE, "'collection'", "is finished", "thalweg_open_collection again"),
    ("is_due after finish", STATE, "'collection'", "is finished"),
    ("advance of a copy", STATE, "'session'", "is finished"),
    ("finish of a copy", STATE, "'session'", "is finished"),
    ("put into no collection", ARGUMENT, "0x5ca1ab1e, which is no collection", "never set", "thalweg_open_collection"),
    ("wait of no session", ARGUMENT, "which is no session", "thalweg_start"),
    ("finish of no session", ARGUMENT, "which is no session"),
    ("define in a decomposition", ARGUMENT, "which is no collection"),
)
def test_a_handle_that_is_stale_or_none_is_refused(done: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    for of_rank in outcomes_of(done, "handles").values():
        assert of_rank[label].code == code, of_rank[label]
        for part in parts:
            assert part in of_rank[label].text


# ---- times


@cases(
    ("set_time NaN", ARGUMENT, "set_time to nan s", "no model time", "finite"),
    ("advance NaN", ARGUMENT, "advance to nan s since 2000-01-01", "no model time"),
    ("advance infinity", ARGUMENT, "advance to inf s"),
    ("advance 1e300", ARGUMENT, "advance to 1e+300 s", "of the years -999999 to 999999"),
    ("advance 1e15", ARGUMENT, "advance to 1000000000000000 s"),
    ("advance standing", STATE, "advance to 0 s", "the start time", "set initial-record: true"),
)
def test_a_time_that_is_none_is_refused(done: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    for of_rank in outcomes_of(done, "times").values():
        assert of_rank[label].code == code, of_rank[label]
        for part in parts:
            assert part in of_rank[label].text


def test_refused_times_leave_the_output_whole(done: Run) -> None:
    assert files(done, "times") == ["history.nc", "history.nc.checksums"]
    with netCDF4.Dataset(done.folder / "times" / "history.nc") as file:
        np.testing.assert_array_equal(file["time"][:], [60.0])
        np.testing.assert_array_equal(file["temp"][:], np.arange(48.0).reshape(1, 8, 6))


def test_the_state_at_the_start_is_not_the_next_record_of_those_without_an_initial_one(done: Run) -> None:
    labels = [outcome.label for outcome in read_outcomes(done.folder / "initial")[0] if "due" in outcome.label]
    assert labels == ["restart is not due", "history is due"] + 2 * ["restart is due", "history is due"]
    for name, times in {"history.nc": [0.0, 60.0, 120.0], "restart.nc": [60.0, 120.0]}.items():
        with netCDF4.Dataset(done.folder / "initial" / name) as file:
            np.testing.assert_array_equal(file["time"][:], times)
            np.testing.assert_array_equal(file["temp"][:, 0, 0], [1000.0 * time / 60 for time in times])


# ---- puts before definitions end


def test_first_puts_wait_for_no_other_rank(done: Run) -> None:
    """Each is checked where it is made; ranks that wait for each other between them go on."""
    for rank, of_rank in outcomes_of(done, "early").items():
        assert of_rank["put temp"].code == of_rank["finish"].code == 0
        if rank == 0:
            assert of_rank["put twice"].code == STATE
            assert "temp': put twice in record 0" in of_rank["put twice"].text
        else:
            assert of_rank["put a wrong shape"].code == SHAPE
            assert "has 5 elements, but it must have 4" in of_rank["put a wrong shape"].text
        assert of_rank["put unknown"].code == NAME
        assert "unknown variable 'tmep'; did you mean 'temp'?" in of_rank["put unknown"].text
    with netCDF4.Dataset(done.folder / "early" / "history.nc") as file:
        assert file["temp"].level == 5
        for record in range(2):
            expected = 1000.0 * record + np.arange(48.0).reshape(8, 6)
            np.testing.assert_array_equal(file["temp"][record], expected)


# ---- steps


@pytest.mark.parametrize("case", ["apart", "apart_sync"])
def test_ranks_of_a_node_that_go_to_different_times_are_told_in_the_step(done: Run, case: str) -> None:
    found = outcomes_of(done, case)
    assert found[1]["advance"].code == AGREEMENT
    assert "in their advance number 2, rank 1 goes to 121 s and rank 0 to 120 s" in found[1]["advance"].text
    assert_unpublished(done, case, found, "rank 0 to 120 s")


def test_nodes_that_go_to_different_times_are_told_at_the_end(done: Run) -> None:
    found = outcomes_of(done, "apart_nodes")
    assert found[0]["advance"].code == found[1]["advance"].code == 0
    said = "in their advance number 2, rank 1 went to 121 s and rank 0 to 120 s"
    assert_unpublished(done, "apart_nodes", found, said)


@pytest.mark.parametrize("case", ["stops", "stops_nodes"])
def test_a_rank_that_stops_earlier_is_named(done: Run, case: str) -> None:
    assert_unpublished(done, case, outcomes_of(done, case), "rank 1 stopped earlier")
    made = recover(done.folder / case / "history.nc.partial")
    assert made.returncode == 0, made
    with netCDF4.Dataset(done.folder / case / "history.nc") as file:
        np.testing.assert_array_equal(file["time"][:], [60.0, 120.0])


def test_a_rank_that_waits_earlier_is_named(done: Run) -> None:
    found = outcomes_of(done, "waits_early")
    for of_rank in found.values():
        assert of_rank["finish"].code == AGREEMENT
        assert of_rank["finish"].seconds < 10
    assert "rank 0 stopped earlier" in found[0]["finish"].text


def assert_unpublished(done: Run, case: str, found: dict[int, dict[str, Outcome]], part: str) -> None:
    for of_rank in found.values():
        assert of_rank["finish"].code == AGREEMENT, of_rank["finish"]
        assert part in of_rank["finish"].text
        assert "'thalweg recover' makes files of NAME.partial" in of_rank["finish"].text
        assert sum(outcome.seconds for outcome in of_rank.values()) < 10
    assert "history.nc.partial" in files(done, case)
    assert "history.nc" not in files(done, case) or "stops" in case  # which another test recovers


def test_the_end_of_mpi_without_finish_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, history(top=TOP), RANKS, ("mistaken", "leaves"))
    assert done.returncode == 0, done.output
    assert done.output.count("MPI_Finalize was called before thalweg_finish") == 1
    assert "in 'history.nc.partial', of which 'thalweg recover' makes proper files" in done.output
    for rank in range(RANKS):
        for label in ("put temp", "advance", "finish"):
            assert done.of(rank, label).code == STATE
            assert "MPI_Finalize was called before thalweg_finish" in done.of(rank, label).text
    made = recover(tmp_path / "history.nc.partial")
    assert made.returncode == 0, made
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        np.testing.assert_array_equal(file["time"][:], [60.0, 120.0, 180.0])


# ---- values


@pytest.mark.parametrize("case", ["overflow", "overflow_sync", "overflow_nodes"])
def test_values_beyond_the_range_end_no_model_and_are_counted(done: Run, case: str) -> None:
    for of_rank in outcomes_of(done, case).values():
        assert {"traps are on", "no flags"} <= of_rank.keys()
        assert {label: of_rank[label].code for label in ("put narrow", "put wide", "advance NaN", "finish")} == {
            "put narrow": 0, "put wide": 0, "advance NaN": ARGUMENT, "finish": 0}  # fmt: skip
    with netCDF4.Dataset(done.folder / case / "history.nc") as file:
        file.set_auto_mask(False)
        largest = np.finfo("f4").max
        for row in (0, 4):  # the first of each rank
            if case == "overflow_nodes":  # rounding makes zeros of what is no number
                wanted = np.array([np.inf, largest, -np.inf, np.inf, np.nan, np.nan], "f4")
                np.testing.assert_array_equal(file["narrow"][-1, row], wanted)
                assert np.isnan(file["wide"][-1, row, 0])
            np.testing.assert_array_equal(file["narrow"][-1, row + 1], np.float32(1.25))
    profile = json.loads((done.folder / case / "profile.json").read_text())
    for of_rank in profile["ranks"]:
        assert of_rank["client"]["out_of_range"] == 4
        doubtful = {"variable": "narrow", "missing": 0, "out_of_range": 4, "unclosed": 0}
        assert of_rank["collections"][0]["doubtful_puts"] == [doubtful]
    said = "collection 'history', variable 'narrow': 8 values are beyond the range of float32, and infinite in the file"
    assert done.output.count(said) == 3
