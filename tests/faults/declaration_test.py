# ctest: SERIAL TIMEOUT 60
"""Wrong calls, and declarations that do not fit each other: errors say what, with which value, and what is allowed."""

from __future__ import annotations

import netCDF4
import numpy as np
import pytest
from launch import AGREEMENT, ARGUMENT, NAME, SHAPE, STATE, Run, history, run

RANKS = 2


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Run:
    rounded = history(compression="{keep-digits: 4}")  # which leaves the values of the model as they are
    return run(tmp_path_factory.mktemp("calls"), rounded, RANKS, ("faulty", "calls"))


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("boxes"), history(), RANKS, ("faulty", "boxes"))


@pytest.fixture(scope="module")
def agree(tmp_path_factory: pytest.TempPathFactory) -> Run:
    yaml = "report: none\n"
    return run(tmp_path_factory.mktemp("agree"), yaml, RANKS, ("faulty", "agree"))


def assert_met(done: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    for rank in range(RANKS):
        outcome = done.of(rank, label)
        assert outcome.code == code, outcome
        assert outcome.seconds < 1.0, outcome
        for part in parts:
            assert part in outcome.text, f"no '{part}' in:\n{outcome.text}"


def cases(*rows: tuple[object, ...]) -> pytest.MarkDecorator:
    """Rows of label, code and the parts that the text must have."""
    values = [pytest.param(label, code, tuple(parts), id=str(label).replace(" ", "_")) for label, code, *parts in rows]
    return pytest.mark.parametrize(("label", "code", "parts"), values)


@cases(
    ("start without handle", ARGUMENT, "'session'", "null pointer"),
    ("decompose without names", ARGUMENT, "'dims'"),
    ("open without name", ARGUMENT, "'name'"),
    ("open without session", ARGUMENT, "'session'", "null pointer"),
    ("put without collection", ARGUMENT, "'collection'", "null pointer"),
    ("put without data", ARGUMENT, "'data'", "null pointer"),
    ("put without extents", ARGUMENT, "'extent'", "null pointer"),
    ("is_due without flag", ARGUMENT, "'due'", "null pointer"),
    ("advance without session", ARGUMENT, "'session'", "null pointer"),
    ("recover without name", ARGUMENT, "'partial'"),
    ("finish twice", STATE, "finished already"),
    ("advance after finish", ARGUMENT, "'session'", "null pointer"),
)
def test_a_missing_argument_is_named(calls: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    assert_met(calls, label, code, parts)


@cases(
    ("variable twice", NAME, "'history'", "'temp' is defined already"),
    ("unknown dimension", NAME, "'salt'", "dimension 'lev' is neither decomposed nor defined", "known are: y, x"),
    ("record dimension inside", SHAPE, "'salt'", "'time' must be the slowest", "(y,time,x)"),
    ("decomposed dimension missing", SHAPE, "'salt'", "(time,y)", "lack 'x', which its decomposition"),
    ("unknown type", ARGUMENT, "99"),
    ("memory dimensions", SHAPE, "'salt'", "(x,z)", "(y,x)", "in another order"),
    ("attribute of unknown variable", NAME, "'units'", "'tmep'", "did you mean 'temp'?"),
    ("fill value of another type", SHAPE, "'temp'", "_FillValue", "float64"),
    ("attribute of less than no values", ARGUMENT, "'valid_min'", "-1 values"),
    ("dimension of size 0", ARGUMENT, "'z'", "size 0", "at least 1"),
    ("dimension of two sizes", NAME, "'y'", "size 8", "9"),
    ("collection twice", NAME, "'history' is open already"),
    ("define after ready", STATE, "'history'", "definitions ended", "define everything before"),
)
def test_a_wrong_definition_is_refused(calls: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    assert_met(calls, label, code, parts)


@cases(
    ("unknown variable", NAME, "'history'", "unknown variable 'tmep'", "did you mean 'temp'"),
    ("variable of attributes", NAME, "'quantization_info_granular_bitround'", "how others are rounded", "is not put"),
    ("wrong type", SHAPE, "'temp'", "array is char", "the variable float64", "all numbers"),
    ("no type", ARGUMENT, "0"),
    ("wrong number of dimensions", SHAPE, "'temp'", "array has 1 dimensions", "has 2"),
    ("wrong shape", SHAPE, "'temp'", "dimension 0", "has 5 elements", "must have 4"),
    ("box out of range", ARGUMENT, "'temp'", "box 3 of 1", "count from 0"),
    ("put twice", STATE, "'temp'", "put twice in record 0", "the call that closes it (advance, record, nf90_sync)"),
    ("advance backwards", STATE, "30 s", "60 s", "must grow"),
    ("advance standing", STATE, "60 s", "must grow"),
    ("set_time late", STATE, "before the first put, also of what has no records", "60 s"),
    ("new file without name", ARGUMENT, "'history'", "needs a name"),
)
def test_a_wrong_step_is_refused(calls: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    assert_met(calls, label, code, parts)


def test_errors_name_the_own_rank(calls: Run) -> None:
    for rank in range(RANKS):
        for label in ("unknown variable", "wrong type", "wrong shape", "put twice"):
            assert f"rank {rank}, collection 'history'" in calls.of(rank, label).text


def test_refused_calls_leave_the_output_whole(calls: Run) -> None:
    assert calls.returncode == 0, calls.output
    with netCDF4.Dataset(calls.folder / "history.nc") as file:
        np.testing.assert_array_equal(file["temp"][:], np.arange(48.0).reshape(1, 8, 6))


@cases(
    ("overlap", AGREEMENT, "(y,x)", "rank 0 box 0", "rank 1 box 0", "overlap", "share", "must belong to one rank"),
    ("hole", AGREEMENT, "(y,x)", "no rank owns", "declare the decomposition as masked"),
    ("rank without boxes", AGREEMENT, "(y,x)", "no rank owns", "masked"),
    ("outside", SHAPE, "rank 1", "box 0"),
    ("negative start", SHAPE, "rank 1", "box 0", "-1"),
    ("different shapes", AGREEMENT, "rank 1 has", "rank 0 has", "7", "6"),
    ("different masks", AGREEMENT, "rank 1 has", "rank 0 has", "masked true", "masked false"),
    ("different names", AGREEMENT, "rank 1 has", "rank 0 has", "(lat,lon)", "(y,x)"),
    ("shape of size 0", SHAPE, "(y,x)", "at least 1", "0"),
    ("too many dimensions", SHAPE, "a,b,c,d,e,f,g", "7 dimensions", "1 to 5"),
)
def test_boxes_that_do_not_fit_are_refused(boxes: Run, label: str, code: int, parts: tuple[str, ...]) -> None:
    assert_met(boxes, label, code, parts)


def test_a_session_goes_on_after_refused_boxes(boxes: Run) -> None:
    assert boxes.returncode == 0, boxes.output
    assert boxes.of(0, "masked rank without boxes").code == 0
    with netCDF4.Dataset(boxes.folder / "history.nc") as file:
        np.testing.assert_array_equal(file["temp"][:], np.arange(48.0).reshape(1, 8, 6))


@cases(
    ("variables", AGREEMENT, "salt(time,y,x)", "temp(time,y,x)"),
    ("types", AGREEMENT, "float32 temp", "float64 temp"),
    ("dimensions", AGREEMENT, "dimension x = 6", "dimension y = 8"),
    ("attributes", AGREEMENT, 'units = "degC"', 'units = "K"'),
    ("one variable more", AGREEMENT, "salt(time,y,x)"),
    ("collections", AGREEMENT, "collection 'restart'", "collection 'history'"),
)
def test_ranks_that_declare_different_things_are_told(
    agree: Run, label: str, code: int, parts: tuple[str, ...]
) -> None:
    assert_met(agree, label, code, ("rank 1 has", "rank 0 has", *parts))


def test_finish_after_a_disagreement_ends(agree: Run) -> None:
    assert agree.returncode == 0, agree.output
    for rank in range(RANKS):
        ends = [outcome for outcome in agree.outcomes[rank] if outcome.label.endswith(", finish")]
        assert len(ends) == 6
        assert {end.code for end in ends} == {AGREEMENT}
