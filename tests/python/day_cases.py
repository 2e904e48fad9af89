"""More cases of fields in time: what changes from the end of one interval to that of the next, and what parts of the
day have in one."""

from __future__ import annotations

from typing import Any

from field_cases import FILL, HOUR, NONE, Case, expressed, hourly, hours, in_hours


def difference(every: str = "3 h", **keys: Any) -> dict[str, Any]:
    return {"every": every, "operation": "difference", "fields": ["x"]} | keys


def at_hours(*values: Any) -> list[tuple[float, dict[str, Any]]]:
    """What is put in each step of an hour; None: nothing."""
    return [(n * HOUR, {} if value is None else {"x": value}) for n, value in enumerate(values, start=1)]


def of_parts(*values: Any) -> list[list[Any]]:
    """Of a record: what each part of the day has in all cells."""
    return [[value] for value in values]


def spans(*edges: tuple[float, float]) -> list[list[float]]:
    """Of a record: from where parts of the day begin for the first time to where they end for the last, in hours."""
    return [[begin * HOUR, end * HOUR] for begin, end in edges]


FROM_START = {"initial-record": True}
# The hour of the day at which a step of three hours ends, from 3 to 24.
BY_HOUR = [(n * 3 * HOUR, {"x": float((3 * n - 1) % 24 + 1)}) for n in range(1, 19)]
TWO_DAYS = ((0, 30), (6, 36), (12, 42), (18, 48))

DAYS: dict[str, Case] = {
    "differences": Case(
        {"d": difference(), "n": difference(fields=["x", {"from": "x", "operation": "max", "name": "most"}])},
        hourly(8),
        {
            "d": {"x": [FILL, 3.0, 2.0]} | hours((0, 3), (3, 6), (6, 8)),
            "n": {"x": [FILL, 3.0, 2.0], "most": [3.0, 6.0, 8.0]},
        },
    ),
    "differences from the start": Case(
        {
            "d": difference(**FROM_START),
            "e": difference(fields=[expressed("10 * x", name="of"), expressed("difference(x) / 2", name="half")]),
            "m": {"every": "3 h", "operation": "mean", "fields": ["x"]},
        },
        hourly(6),
        {
            "d": {"x": [-7.0, 3.0]} | hours((0, 3), (3, 6)),
            "e": {"of": [-70.0, 30.0], "half": [-3.5, 1.5]},
            "m": {"x": [2.0, 5.0]},
        },
        initial={"x": 10.0},
    ),
    "differences of values that are missing": Case(
        {
            "d": difference("2 h", **FROM_START),
            "p": difference("2 h", missing="propagate"),
            "e": {"every": "2 h", "fields": [expressed("difference(x) + 1", name="more")]},
        },
        at_hours([1.0, FILL, 1.0], [2.0, 5.0, FILL], [4.0, 4.0, FILL], [8.0, FILL, 9.0], 9.0, [9.0, 7.0, 10.0]),
        {
            "d": {"x": [[2.0, 4.0, FILL], [6.0, FILL, FILL], [1.0, FILL, 1.0]]},
            "p": {"x": [[2.0, FILL, FILL], [6.0, FILL, FILL], [1.0, FILL, 1.0]]},
            "e": {"more": [[3.0, 5.0, NONE], [7.0, NONE, NONE], [2.0, NONE, 2.0]]},
        },
        initial={"x": [0.0, 1.0, FILL]},
    ),
    "differences of NaN": Case(
        {"d": difference("1 h")},
        at_hours(1.0, [float("nan"), 2.0, 2.0], [3.0, 3.0, 3.0]),
        {"d": {"x": [[FILL, FILL, FILL], [float("nan"), 1.0, 1.0], [float("nan"), 1.0, 1.0]]}},
    ),
    "differences where nothing was put": Case(
        {"d": difference("2 h")},
        at_hours(1.0, 2.0, 4.0, None, None, None, 7.0, 8.0, 9.0, 11.0),
        {"d": {"x": [FILL, 2.0, FILL, FILL, 3.0]} | hours((0, 2), (2, 4), (4, 6), (6, 8), (8, 10))},
    ),
    "differences of values that are put again, and of masks": Case(
        {"d": difference("2 h", repeat="last", **FROM_START)},
        [
            (1 * HOUR, {"x": 1.0, "again": 3.0}),
            (2 * HOUR, {"x": [5.0, 6.0, 7.0], "mask": [1, 1, 0]}),
            (3 * HOUR, {"x": 1.0}),
            (4 * HOUR, {"x": 9.0, "again": 10.0}),
        ],
        {"d": {"x": [[3.0, 4.0, FILL], [5.0, 4.0, FILL]]}},
        initial={"x": 2.0},
    ),
    "parts of the day": Case(
        {
            "d": {"every": "2 d", "operation": "diurnal 4", "fields": ["x", expressed("2 * x", name="twice")]},
            "e": {
                "every": "1 d",
                "operation": "mean",
                "partial": "drop",
                "fields": [
                    "x",
                    {"from": "x", "operation": "diurnal 2", "name": "halves"},
                    {"from": "x", "operation": "diurnal 8", "name": "eighths", "type": "float32"},
                ],
            },
        },
        BY_HOUR,
        {
            "d": {
                "x": [of_parts(4.5, 10.5, 16.5, 22.5), of_parts(4.5, FILL, FILL, FILL)],
                "twice": [of_parts(9.0, 21.0, 33.0, 45.0), of_parts(9.0, NONE, NONE, NONE)],
                "time_of_day_4": [3.0, 9.0, 15.0, 21.0],
                "time_of_day_4_bnds": [[0.0, 6.0], [6.0, 12.0], [12.0, 18.0], [18.0, 24.0]],
                "climatology_4": [in_hours(3, 9, 15, 21), in_hours(51, 57, 63, 69)],
                "climatology_4_bnds": [spans(*TWO_DAYS), spans((48, 54), (54, 60), (60, 66), (66, 72))],
            }
            | hours((0, 48), (48, 54)),
            "e": {
                "x": [13.5, 13.5],
                "halves": [of_parts(7.5, 19.5)] * 2,
                "eighths": [of_parts(*range(3, 25, 3))] * 2,
                "climatology_2_bnds": [spans((0, 12), (12, 24)), spans((24, 36), (36, 48))],
            }
            | hours((0, 24), (24, 48)),
        },
        {"time-step": "3 h"},
        attributes={"d": "time: mean within days time: mean over days"},
    ),
    "parts of the day from within one": Case(
        {"d": {"every": "1 d", "operation": "diurnal 4", "fields": ["x"]}},
        hourly(31, 11),
        {
            "d": {
                "x": [of_parts(FILL, 11.5, 15.5, 21.5), of_parts(27.5, 31.0, FILL, FILL)],
                "climatology_4_bnds": [
                    spans((24, 30), (6, 12), (12, 18), (18, 24)),
                    spans((24, 30), (30, 36), (36, 42), (42, 48)),
                ],
            }
            | hours((10, 24), (24, 31))
        },
        start_s=10 * HOUR,
    ),
    "parts of the day of steps that vary": Case(
        {"d": {"every": "1 d", "operation": "diurnal 2", "fields": ["x"], "valid": 0.6}},
        [
            (4 * HOUR, {"x": [1.0, FILL, 1.0]}),
            (12 * HOUR, {"x": [4.0, 4.0, FILL]}),
            (16 * HOUR, {"x": 6.0, "weight": 3.0}),
            (24 * HOUR, {"x": [8.0, FILL, 8.0], "weight": 1.0}),
        ],
        {"d": {"x": [[[3.0, 4.0, FILL], [6.5, 6.0, 6.5]]]} | hours((0, 24))},
        says_steps=True,
    ),
}
