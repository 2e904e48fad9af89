"""More cases of fields in time: which steps are samples of an interval, what a step is that is put several times or
lies in two intervals, and of which step an instant is."""

from __future__ import annotations

from field_cases import DAILY, FILL, HOUR, Case, dates, days, expressed, hourly, hours, in_hours, mean, steps


def window(begin: int | None, end: int | None = None) -> dict[str, str]:
    """In hours of the first day."""
    ends = {"from": begin, "until": end}
    return {key: f"2000-01-01 {hour:02}:00:00" for key, hour in ends.items() if hour is not None}


STEPS: dict[str, Case] = {
    "an instant whose step does not divide": Case(
        {
            "i": {"every": "6 h", "fields": ["x"]},
            "d": {"every": "6 h", "file": "d_%H", "new-file": "12 h", "fields": ["x"]},
        },
        steps(2.5 * HOUR, 8),
        {
            "i": {"x": [5.0, 10.0, 17.5], "time": in_hours(5, 10, 17.5)},
            "d_00": {"x": [5.0, 10.0], "time": in_hours(5, 10)},
            "d_12": {"x": [17.5], "time": in_hours(17.5)},
        },
        {"time-step": "150 min"},
        attributes={"i": "time: point"},
    ),
    "an instant of a month": Case(
        {"i": {"every": "1 month", "fields": ["x"]}},
        [(n * 50 * HOUR, {"x": float(n)}) for n in range(1, 45)],
        {"i": {"x": [14.0, 28.0, 43.0], "time": in_hours(700, 1400, 2150)}},
        {"time-step": "50 h", "calendar": "noleap"},
    ),
    "windows of time": Case(
        {
            "m": mean("3 h", **window(2, 8)),
            "i": {"every": "2 h", "fields": ["x"], **window(2, 8)},
            "b": {"every": "2 h", "fields": ["x"], "initial-record": True, **window(0, 3)},
            "e": {"every": "end", "operation": "sum", "fields": ["x"], **window(2)},
            "d": {"every": "3 h", "operation": "difference", "fields": ["x"], **window(2)},
            "f": mean("3 h", file="f_%H", **{"new-file": "6 h"}, **window(2, 7)),
            "u": mean("4 h", anchor="start", **window(None, 6)),
            "k": {"every": "5 steps", "fields": ["x"], **window(4, 9)},
        },
        hourly(12),
        {
            "m": {"x": [3.0, 5.0, 7.5]} | hours((2, 3), (3, 6), (6, 8)),
            "i": {"x": [4.0, 6.0, 8.0], "time": in_hours(4, 6, 8)},
            "b": {"x": [0.0, 2.0], "time": in_hours(0, 2)},
            "e": {"x": [75.0]} | hours((2, 12)),
            "d": {"x": [FILL, 3.0, 3.0, 3.0]} | hours((2, 3), (3, 6), (6, 9), (9, 12)),
            "f_00": {"x": [3.0, 5.0]} | hours((2, 3), (3, 6)),
            "f_06": {"x": [7.0]} | hours((6, 7)),
            "u": {"x": [2.5, 5.5]} | hours((0, 4), (4, 6)),
            "k": {"x": [5.0], "time": in_hours(5)},
        },
        initial={"x": 0.0},
    ),
    "a window that steps do not meet": Case(
        {"m": mean("6 h", **window(4, 11)), "i": {"every": "6 h", "fields": ["x"], **window(4, 11)}},
        steps(2.5 * HOUR, 8),
        {
            "m": {"x": [5.0, 8.75]} | hours((4, 6), (6, 11)),
            "i": {"x": [5.0, 10.0], "time": in_hours(5, 10)},
        },
        {"time-step": "150 min"},
    ),
    "some steps are samples": Case(
        {
            "m": mean(sample="3 h"),
            "o": mean(**{"sample": "3 h", "sample-offset": "1 h"}),
            "e": mean(
                fields=["x", {"from": "x", "sample": "2 h", "name": "two"}, expressed("x * x", name="s", sample="3 h")]
            ),
        },
        hourly(12),
        {
            "m": {"x": [4.5, 10.5]} | hours((0, 6), (6, 12)),
            "o": {"x": [2.5, 8.5]} | hours((0, 6), (6, 12)),
            "e": {"x": [3.5, 9.5], "two": [4.0, 10.0], "s": [22.5, 112.5]} | hours((0, 6), (6, 12)),
        },
        attributes={"m": "time: mean (interval: 3 hours)", "e": "time: mean (interval: 1 hour)"},
    ),
    "samples that steps do not meet": Case(
        {"m": mean(sample="3 h")},
        steps(2.5 * HOUR, 8),
        {"m": {"x": [5.0, 8.75, 13.75, 20.0]} | hours((0, 6), (6, 12), (12, 18), (18, 20))},
        {"time-step": "150 min"},
    ),
    "samples weigh the same": Case(
        {"m": mean(sample="2 h")},
        [(end * HOUR, {"x": float(end)}) for end in (1, 2, 4, 6)],
        {"m": {"x": [4.0]} | hours((0, 6))},
        says_steps=True,
    ),
    "samples from the start": Case(
        {"m": mean(anchor="start", sample="3 h"), "n": mean(sample="2 steps")},
        hourly(13, 2),
        {
            "m": {"x": [5.5, 11.5]} | hours((1, 7), (7, 13)),
            "n": {"x": [4.0, 9.0, 13.0]} | hours((1, 6), (6, 12), (12, 13)),
        },
        start_s=HOUR,
    ),
    "a sample a month": Case(
        {"m": {"every": "1 year", "operation": "sum", "sample": "1 month", "fields": ["x"]}},
        days(1, 120),
        {"m": {"x": [31.0 + 59 + 90 + 120]} | dates((0, 120))},
        DAILY,
        attributes={"m": "time: sum (interval: 1 month)"},
    ),
    "a step that is split": Case(
        {
            "m": mean(straddle="split"),
            "x": {"every": "6 h", "operation": "max", "fields": ["x"], "straddle": "split"},
            "n": {"every": "6 h", "operation": "min", "fields": ["x"], "straddle": "split"},
            "p": mean(straddle="split", partial="drop", fields=[expressed("x + 1", name="y")]),
        },
        steps(2.5 * HOUR, 8),
        {
            "m": {"x": [4.375, 24.5 / 2.4, 16.25, 20.0]} | hours((0, 6), (6, 12), (12, 18), (18, 20)),
            "x": {"x": [7.5, 12.5, 20.0, 20.0]},
            "n": {"x": [2.5, 7.5, 12.5, 20.0]},
            "p": {"y": [5.375, 24.5 / 2.4 + 1, 17.25]},
        },
        {"time-step": "150 min"},
        rounding=1e-15,
    ),
    "steps that vary and are split": Case(
        {"m": mean("3 h", straddle="split")},
        [(end * HOUR, {"x": float(end)}) for end in (1, 2, 4, 6)],
        {"m": {"x": [7 / 3, 16 / 3]} | hours((0, 3), (3, 6))},
        says_steps=True,
    ),
    "no record where nothing was put": Case(
        {
            "s": mean(**{"when-not-put": "skip"}),
            "e": mean(fields=["x", {"from": "a", "operation": "max"}], **{"when-not-put": "skip"}),
            "t": mean("3 h", **{"when-not-put": "skip", "file": "t_%H", "new-file": "3 h", "sample": "2 h"}),
        },
        hourly(6) + [(n * HOUR, {"a": 1.0} if n == 9 else {}) for n in range(7, 13)] + hourly(18, 13),
        {
            "s": {"x": [3.5, 15.5]} | hours((0, 6), (12, 18)),
            "e": {"x": [3.5, FILL, 15.5], "a": [FILL, 1.0, FILL]} | hours((0, 6), (6, 12), (12, 18)),
            "t_00": {"x": [2.0]} | hours((0, 3)),
            "t_03": {"x": [5.0]} | hours((3, 6)),
            "t_12": {"x": [14.0]} | hours((12, 15)),
            "t_15": {"x": [17.0]} | hours((15, 18)),
        },
        more=("a",),
    ),
    "no record of a first interval": Case(
        {"f": mean("3 h", **{"when-not-put": "skip", "file": "f_%H", "new-file": "6 h"})},
        [(n * HOUR, {}) for n in range(1, 7)] + hourly(12, 7),
        {"f_06": {"x": [8.0, 11.0]} | hours((6, 9), (9, 12))},
    ),
    "no record of a last interval": Case(
        {"s": mean(**{"when-not-put": "skip"})},
        [(2.5 * n * HOUR, {"x": 2.5 * n} if n in (1, 2, 5) else {}) for n in range(1, 9)],
        {"s": {"x": [3.75, 12.5]} | hours((0, 6), (12, 18))},
        {"time-step": "150 min"},
    ),
    "twice in a step": Case(
        {
            "last": {"fields": ["x"], "repeat": "last"},
            "add": {"fields": ["x"], "repeat": "add"},
            "mean": {"fields": ["x"], "repeat": "mean"},
            "m": mean("2 h", repeat="add"),
            "l": mean("2 h", repeat="last"),
            "p": mean("2 h", repeat="last", missing="propagate"),
            "n": {"every": "2 h", "operation": "count", "fields": ["x"], "repeat": "mean"},
        },
        [
            (1 * HOUR, {"x": 10.0, "again": 20.0}),
            (2 * HOUR, {"x": [1.0, FILL, 3.0], "again": [FILL, FILL, 5.0]}),
        ],
        {
            "last": {"x": [20.0, [1.0, FILL, 5.0]], "time": in_hours(1, 2)},
            "add": {"x": [30.0, [1.0, FILL, 8.0]]},
            "mean": {"x": [15.0, [1.0, FILL, 4.0]]},
            "m": {"x": [[15.5, 30.0, 19.0]]} | hours((0, 2)),
            "l": {"x": [[10.5, 20.0, 12.5]]} | hours((0, 2)),
            "p": {"x": [[FILL, FILL, 12.5]]} | hours((0, 2)),
            "n": {"x": [[2, 1, 2]]} | hours((0, 2)),
        },
    ),
}
