# ctest: SHORT TIMEOUT 30
"""tools/check_sizes.py finds files and functions that are too long."""

from pathlib import Path

from check_sizes import measure_tree, percentile, violations


def function(lines: int, name: str = "f") -> str:
    """A C++ function of as many lines."""
    return f"int {name}() {{\n" + "  work();\n" * (lines - 2) + "}\n"


def found(root: Path, text: str, file: str = "src/base/a.cpp") -> list[str]:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return violations(measure_tree(root))


def test_file_of_400_lines_is_allowed(tmp_path: Path) -> None:
    assert found(tmp_path, "// text\n" * 400) == []


def test_file_of_401_lines_is_refused(tmp_path: Path) -> None:
    assert found(tmp_path, "// text\n" * 401) == ["src/base/a.cpp: 401 lines, 400 allowed"]


def test_one_function_of_81_lines_is_refused(tmp_path: Path) -> None:
    short = "".join(function(3, f"f{number}") for number in range(20))
    (text,) = found(tmp_path, short + function(81))
    assert text.startswith("src/base/a.cpp:61: f has 81 lines")


def test_long_function_with_a_reason_is_allowed(tmp_path: Path) -> None:
    short = "".join(function(3, f"f{number}") for number in range(20))
    assert found(tmp_path, short + "// long: a table of all cases\n" + function(81)) == []


def test_many_functions_above_40_lines_are_refused(tmp_path: Path) -> None:
    (text,) = found(tmp_path, function(41, "f") + function(41, "g"))
    assert text == "nine functions of ten have up to 41 lines, 40 allowed"


def test_python_functions_are_measured(tmp_path: Path) -> None:
    text = "def f():\n" + "    work()\n" * 90
    assert any("f has 91 lines" in line for line in found(tmp_path, text, "tools/a.py"))


def test_percentile_counts_from_below() -> None:
    assert percentile([], 90) == 0
    assert percentile([7], 90) == 7
    assert percentile(list(range(1, 11)), 90) == 9
    assert percentile(list(range(1, 11)), 50) == 5
