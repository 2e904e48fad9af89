"""Cases of fields in time: what is put in which steps, and what files have of it. Numbers are worked by hand.

One case: `put` has for each step its end and what is put before it, by the names of fields; a number stands for all
cells. `wanted` has for each collection, by file, the variables' records.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

HOUR, DAY = 3600.0, 86400.0
CELLS = 3
FILL = 1e20  # the missing value of the fields
NONE = 9.969209968386869e36  # what expressions have in float64 where they have no value

Put = dict[str, Any]


@dataclass
class Case:
    collections: dict[str, dict[str, Any]]
    put: list[tuple[float, Put]]
    wanted: dict[str, dict[str, Any]]  # of each file: records of variables, and those of "time" and "bounds"
    settings: dict[str, Any] = field(default_factory=dict)
    start_s: float = 0.0
    says_steps: bool = False
    attributes: dict[str, str] = field(default_factory=dict)  # of x: what cell_methods says
    initial: Put | None = None
    more: tuple[str, ...] = ()  # fields beside x
    rounding: float = 0.0  # what results may be off by, relatively


def hourly(last: int, first: int = 1) -> list[tuple[float, Put]]:
    return [(n * HOUR, {"x": float(n)}) for n in range(first, last + 1)]


def steps(length: float, count: int, start: float = 0.0) -> list[tuple[float, Put]]:
    """The value is the end of the step, in hours."""
    return [(start + n * length, {"x": (start + n * length) / HOUR}) for n in range(1, count + 1)]


def days(first: int, last: int) -> list[tuple[float, Put]]:
    """The value is the number of the day, which ends with the step."""
    return [(n * DAY, {"x": float(n)}) for n in range(first, last + 1)]


def mean(every: str = "6 h", **keys: Any) -> dict[str, Any]:
    return {"every": every, "operation": "mean", "fields": ["x"]} | keys


def in_hours(*values: float) -> list[float]:
    return [value * HOUR for value in values]


def in_days(*values: float) -> list[float]:
    return [value * DAY for value in values]


def of_intervals(*edges: tuple[float, float]) -> dict[str, Any]:
    """The times of records over these intervals."""
    return {"bounds": [list(edge) for edge in edges], "time": [(begin + end) / 2 for begin, end in edges]}


def hours(*edges: tuple[float, float]) -> dict[str, Any]:
    return of_intervals(*[(begin * HOUR, end * HOUR) for begin, end in edges])


def dates(*edges: tuple[float, float]) -> dict[str, Any]:
    return of_intervals(*[(begin * DAY, end * DAY) for begin, end in edges])


DAILY = {"time-step": "1 d", "calendar": "noleap"}
MISSING: list[tuple[float, Put]] = [
    (1 * HOUR, {"x": [1.0, FILL, FILL]}),
    (2 * HOUR, {"x": [2.0, 5.0, FILL]}),
    (3 * HOUR, {"x": [3.0, 4.0, FILL]}),
]
FOUR: list[dict[str, Any]] = [
    {"from": "x", "operation": operation, "name": operation} for operation in ("mean", "max", "min", "sum", "count")
]


IN_UNITS: list[dict[str, Any]] = [
    {"from": "x", "operation": operation, "name": operation, "units": units}
    for operation, units in (("mean", "cm"), ("max", "m @ 5"), ("std", "m @ 5"), ("sum", "cm"))
]
SPREAD = (2 / 3) ** 0.5  # of three values that follow each other


def expressed(expression: str, **keys: Any) -> dict[str, Any]:
    return {"expression": expression} | keys


CASES: dict[str, Case] = {
    "plain": Case(
        {"m": mean()},
        hourly(12),
        {"m": {"x": [3.5, 9.5]} | hours((0, 6), (6, 12))},
        attributes={"m": "time: mean (interval: 1 hour)"},
    ),
    "files of variables": Case(
        {
            "v": mean("3 h", file="%v_%H", fields=["x", {"from": "x", "operation": "max"}])
            | {"new-file": "6 h", "variables": {"x_max": {"attributes": {"comment": "the highest"}}}}
        },
        hourly(9),
        {
            "x_00": {"x": [2.0, 5.0]} | hours((0, 3), (3, 6)),
            "x_06": {"x": [8.0]} | hours((6, 9)),
            "x_max_00": {"x_max": [3.0, 6.0]} | hours((0, 3), (3, 6)),
            "x_max_06": {"x_max": [9.0]} | hours((6, 9)),
        },
    ),
    "other units": Case(
        {
            "u": mean("3 h", fields=["x", *IN_UNITS]),
            "i": {"every": "3 h", "fields": ["x", {"from": "x", "name": "y", "units": "m @ 5"}]},
        },
        MISSING,
        {
            "u": {
                "x": [[2.0, 4.5, FILL]],
                "mean": [[200.0, 450.0, FILL]],
                "max": [[-2.0, 0.0, FILL]],
                "std": [[SPREAD, 0.5, FILL]],
                "sum": [[600.0, 900.0, FILL]],
            },
            "i": {"x": [[3.0, 4.0, FILL]], "y": [[-2.0, -1.0, FILL]]},
        },
        rounding=1e-15,
    ),
    "an initial put": Case(
        {"m": mean(), "i": {"every": "6 h", "initial-record": True, "fields": ["x"]}},
        hourly(6),
        {"m": {"x": [3.5]} | hours((0, 6)), "i": {"x": [0.0, 6.0], "time": in_hours(0, 6)}},
        attributes={"i": "time: point"},
        initial={"x": 0.0},
    ),
    "a step that does not divide": Case(
        {"m": mean(), "max": {"every": "6 h", "operation": "max", "fields": ["x"]}, "drop": mean(partial="drop")},
        steps(2.5 * HOUR, 8),
        {
            "m": {"x": [3.75, 8.75, 15.0, 20.0]} | hours((0, 6), (6, 12), (12, 18), (18, 20)),
            "max": {"x": [5.0, 10.0, 17.5, 20.0]} | hours((0, 6), (6, 12), (12, 18), (18, 20)),
            "drop": {"x": [3.75, 8.75, 15.0]} | hours((0, 6), (6, 12), (12, 18)),
        },
        {"time-step": "150 min"},
        attributes={"m": "time: mean (interval: 150 minutes)"},
    ),
    "steps that vary": Case(
        {"m": mean()},
        [(end * HOUR, {"x": float(end)}) for end in (1, 2, 4, 6)],
        {"m": {"x": [23 / 6]} | hours((0, 6))},
        {"time-step": "1 h"},
        says_steps=True,
    ),
    "weights of the puts": Case(
        {"m": mean(), "s": {"every": "6 h", "operation": "sum", "fields": ["x"]}},
        [(end * HOUR, {"x": float(end), "weight": w}) for end, w in ((1, 1.0), (2, 0.0), (4, 0.0), (6, 3.0))],
        {"m": {"x": [4.75]} | hours((0, 6)), "s": {"x": [13.0]}},
        says_steps=True,
    ),
    "masks of the puts": Case(
        {
            "m": mean("3 h"),
            "c": {"every": "3 h", "operation": "count", "fields": ["x"]},
            "i": {"fields": ["x"]},
        },
        [
            (1 * HOUR, {"x": [1.0, 4.0, 7.0], "mask": [True, True, False]}),
            (2 * HOUR, {"x": [2.0, 8.0, 7.0], "mask": [1.0, 0.4, 0.0]}),
            (3 * HOUR, {"x": [6.0, FILL, 7.0], "mask": [7, 1, 0]}),
        ],
        {
            "m": {"x": [[3.0, 4.0, FILL]]},
            "c": {"x": [[3, 1, 0]]},
            "i": {"x": [[1.0, 4.0, FILL], [2.0, FILL, FILL], [6.0, FILL, FILL]]},
        },
    ),
    "instants alone, masked": Case(
        {"i": {"fields": ["x"]}},
        [(n * HOUR, {"x": [float(n), 4.0, 5.0], "mask": [True, False, n == 2]}) for n in (1, 2)],
        {"i": {"x": [[1.0, FILL, FILL], [2.0, FILL, 5.0]]}},
    ),
    "months without leap days": Case(
        {"m": mean("1 month", partial="drop")},
        days(1, 60),
        {"m": {"x": [16.0, 45.5]} | dates((0, 31), (31, 59))},
        DAILY,
    ),
    "months of a leap year": Case(
        {"m": mean("1 month")},
        days(1, 60),
        {"m": {"x": [16.0, 46.0]} | dates((0, 31), (31, 60))},
        {"time-step": "1 d"},
    ),
    "months of 30 days": Case(
        {"m": mean("1 month")},
        days(1, 60),
        {"m": {"x": [15.5, 45.5]} | dates((0, 30), (30, 60))},
        {"time-step": "1 d", "calendar": "360_day"},
    ),
    "years": Case(
        {"m": {"every": "1 year", "operation": "count", "fields": ["x"]}},
        days(1, 731),
        {"m": {"x": [366, 365]} | dates((0, 366), (366, 731))},
        {"time-step": "1 d"},
    ),
    "a start within a month": Case(
        {"c": mean("1 month"), "s": mean("1 month", anchor="start")},
        days(15, 73),
        {
            "c": {"x": [23.0, 45.5, 66.5]} | dates((14, 31), (31, 59), (59, 73)),
            "s": {"x": [30.0, 59.5]} | dates((14, 45), (45, 73)),
        },
        DAILY,
        start_s=14 * DAY,
    ),
    "a start on the 31st": Case(
        {"s": mean("1 month", anchor="start")},
        days(31, 119),
        {"s": {"x": [44.5, 73.5 + 0.5, 104.5]} | dates((30, 58), (58, 89), (89, 119))},
        DAILY,
        start_s=30 * DAY,
    ),
    "missing values": Case(
        {
            "skip": {"every": "3 h", "operation": "mean", "fields": FOUR},
            "all": {"every": "3 h", "operation": "mean", "missing": "propagate", "fields": ["x"]},
            "most": {"every": "3 h", "operation": "mean", "valid": 0.7, "fields": ["x"]},
        },
        MISSING,
        {
            "skip": {
                "mean": [[2.0, 4.5, FILL]],
                "max": [[3.0, 5.0, FILL]],
                "min": [[1.0, 4.0, FILL]],
                "sum": [[6.0, 9.0, FILL]],
                "count": [[3, 2, 0]],
            },
            "all": {"x": [[2.0, FILL, FILL]]},
            "most": {"x": [[2.0, FILL, FILL]]},
        },
    ),
    "NaN is a sample": Case(
        {"m": {"every": "3 h", "operation": "mean", "fields": FOUR[:3]}},
        [(n * HOUR, {"x": [float("nan") if n == 2 else float(n), float(n), 1.0]}) for n in range(1, 4)],
        {
            "m": {
                "mean": [[float("nan"), 2.0, 1.0]],
                "max": [[float("nan"), 3.0, 1.0]],
                "min": [[float("nan"), 1.0, 1.0]],
            }
        },
    ),
    "nothing put in an interval": Case(
        {"m": mean()},
        hourly(6) + [(n * HOUR, {}) for n in range(7, 13)] + hourly(18, 13),
        {"m": {"x": [3.5, FILL, 15.5]} | hours((0, 6), (6, 12), (12, 18))},
    ),
    "spread": Case(
        {"m": {"every": "6 h", "fields": [{"from": "x", "operation": "std"}, {"from": "x", "operation": "rms"}]}},
        hourly(6),
        {"m": {"x": [(91 / 6 - 12.25) ** 0.5], "x_rms": [(91 / 6) ** 0.5]}},
        rounding=1e-15,
    ),
    "an end between steps": Case(
        {"m": {"every": "end", "operation": "sum", "fields": ["x"]}},
        hourly(5),
        {"m": {"x": [15.0]} | hours((0, 5))},
    ),
    "every some steps": Case(
        {"m": mean("4 steps")},
        hourly(10),
        {"m": {"x": [2.5, 6.5, 9.5]} | hours((0, 4), (4, 8), (8, 10))},
    ),
    "a file a month": Case(
        {"m": mean("1 d", **{"file": "m_%Y%m", "new-file": "1 month"})},
        days(1, 33),
        {
            "m_200001": {"x": [float(n) for n in range(1, 32)]} | dates(*[(n - 1, n) for n in range(1, 32)]),
            "m_200002": {"x": [32.0, 33.0]} | dates((31, 32), (32, 33)),
        },
        {"time-step": "1 d"},
    ),
    "names by the date of the interval": Case(
        {
            "s": mean("1 d", file="s_%Y%m%d"),
            "m": mean("1 d", **{"file": "m_%Y%m%d", "file-date": "middle"}),
            "e": mean("1 d", **{"file": "e_%Y%m%d", "file-date": "end"}),
        },
        days(31, 31),
        {"s_20000131": {"x": [31.0]}, "m_20000131": {"x": [31.0]}, "e_20000201": {"x": [31.0]}},
        {"time-step": "1 d"},
        start_s=30 * DAY,
    ),
    "an expression of each step": Case(
        {
            "m": mean("2 h", fields=["x", expressed("sqrt(x^2 + 'ocean/a'^2)", name="speed")]),
            "x": {"every": "2 h", "operation": "max", "fields": [expressed("x - 2 * a", name="most")]},
            "i": {"every": "2 h", "fields": [expressed("this > 4 ? this : a", **{"from": "x"})]},
            "f": mean("4 h", fields=[expressed("a + x", name="single", type="float32", operation="min")]),
        },
        [
            (1 * HOUR, {"x": [3.0, 0.0, FILL], "a": [4.0, 1.0, 1.0]}),
            (2 * HOUR, {"a": [12.0, 3.0, 3.0], "x": [5.0, FILL, 4.0]}),
            (3 * HOUR, {"x": [1.0, 2.0, FILL], "a": [0.0, FILL, 4.0]}),
            (4 * HOUR, {"a": [0.0, 1.0, 1.0], "x": [2.0, 6.0, FILL]}),
        ],
        {
            "m": {
                "x": [[4.0, 0.0, 4.0], [1.5, 4.0, FILL]],
                "speed": [[9.0, 1.0, 5.0], [1.5, 37.0**0.5, NONE]],
                "bounds": [[0.0, 2 * HOUR], [2 * HOUR, 4 * HOUR]],
            },
            "x": {"most": [[-5.0, -2.0, -2.0], [2.0, 4.0, NONE]]},
            "i": {"x": [[5.0, NONE, 3.0], [0.0, 6.0, NONE]]},
            "f": {"single": [[1.0, 1.0, 7.0]]},
        },
        more=("a",),
    ),
    "operations in an expression": Case(
        {
            "std": {"every": "6 h", "fields": [expressed("sqrt(mean(this^2) - mean(this)^2)", **{"from": "x"})]},
            "range": {"every": "3 h", "fields": [expressed("max(x) - min(x)", name="range"), "x"], "operation": "sum"},
        },
        hourly(6),
        {
            "std": {"x": [(91 / 6 - 3.5 * 3.5) ** 0.5]} | hours((0, 6)),
            "range": {"range": [2.0, 2.0], "x": [6.0, 15.0]} | hours((0, 3), (3, 6)),
        },
    ),
    "a quotient of means and the mean of a quotient": Case(
        {
            "m": mean("2 h", fields=[expressed("mean(x) / mean(a)", name="q"), expressed("mean(x / a)", name="p")]),
            "n": mean("2 h", fields=[expressed("x / a", name="p")]),
        },
        [(1 * HOUR, {"x": 1.0, "a": 1.0}), (2 * HOUR, {"x": 3.0, "a": 2.0}), (3 * HOUR, {"x": 5.0, "a": 0.0})],
        {"m": {"q": [4 / 3, NONE], "p": [1.25, NONE]}, "n": {"p": [1.25, NONE]}},
        more=("a",),
    ),
    "fields of an expression that are not put in each step": Case(
        {
            "m": mean("2 h", fields=[expressed("x + a", name="s"), expressed("mean(x) + mean(a)", name="t")]),
        },
        [
            (1 * HOUR, {"x": 1.0, "a": 10.0}),
            (2 * HOUR, {"x": 2.0}),
            (3 * HOUR, {"a": 30.0}),
            (4 * HOUR, {"a": 40.0}),
        ],
        {"m": {"s": [11.0, NONE], "t": [11.5, NONE]}},
        more=("a",),
    ),
    "a static field in an expression": Case(
        {
            "m": {"every": "2 h", "operation": "sum", "fields": [expressed("x * c", name="weighted")]},
            "o": {"every": "2 h", "fields": [expressed("10 * c + 1", name="once"), "x"]},
        },
        hourly(4),
        {"m": {"weighted": [[0.0, 3.0, 6.0], [0.0, 7.0, 14.0]]}, "o": {"x": [2.0, 4.0], "once": [1.0, 11.0, 21.0]}},
    ),
    "expressions of weighted and masked puts": Case(
        {"m": mean("2 h", fields=[expressed("x + a", name="s")])},
        [
            (1 * HOUR, {"x": [1.0, 2.0, 3.0], "a": 1.0, "weight": 3.0, "mask": [1, 0, 1]}),
            (2 * HOUR, {"x": [5.0, 6.0, 7.0], "a": 1.0, "weight": 1.0, "mask": [1, 1, 0]}),
        ],
        {"m": {"s": [[3.0, 7.0, 4.0]]}},
        says_steps=True,
        more=("a",),
    ),
}
