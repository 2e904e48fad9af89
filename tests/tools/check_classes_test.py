# ctest: SHORT TIMEOUT 30
"""tools/check_classes.py counts what it says it counts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.mpi import SOURCE

sys.path.insert(0, str(SOURCE / "tools"))

import check_classes

TEXT = b"""
class Plain {
 public:
  Plain(int a);
  ~Plain();
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;
  int one() const;
  std::string& two(int x) { return text_; }
  template <typename T> void three(T t);
  virtual void four() = 0;
  static int five();
  auto six() -> int;
  const std::vector<int>* seven(std::function<int(int)> f);
  static constexpr int limit = 3;
  struct Inner { int a, b; void go(); };
  enum class Kind { x, y };
  using Text = std::string;

 private:
  std::map<int, std::vector<int>> values_;
  std::function<void(int)> call_;
  int* pointer_ = nullptr;
  Inner inner_{};
  std::string text_;
};
"""


def test_methods_and_members_are_counted() -> None:
    found = {one.name: one for one in check_classes.classes_in(TEXT, "plain.hpp")}
    assert (found["Plain"].methods, found["Plain"].members) == (7, 5)
    assert (found["Plain::Inner"].methods, found["Plain::Inner"].members) == (1, 2)
    assert found["Plain"].place == "plain.hpp:2"


@pytest.mark.parametrize(
    ("methods", "members", "branches", "said"),
    [(25, 15, 14, ""), (26, 1, 0, "26 methods"), (1, 16, 0, "16 members"), (1, 1, 15, "complexity 16")],
)
def test_what_passes_a_limit_is_named(tmp_path: Path, methods: int, members: int, branches: int, said: str) -> None:
    (tmp_path / "src").mkdir()
    body = "".join(f"  void m{i}();\n" for i in range(methods)) + "".join(f"  int a{i};\n" for i in range(members))
    branching = "".join(f"  if (x == {i}) return {i};\n" for i in range(branches))
    text = f"struct Big {{\n{body}}};\nint branch(int x) {{\n{branching}  return 0;\n}}\n"
    (tmp_path / "src" / "big.hpp").write_text(text)
    wrong = check_classes.violations(check_classes.excesses(tmp_path), {})
    assert len(wrong) == (1 if said else 0)
    assert all(said in text for text in wrong)


def test_an_exception_needs_a_reason_and_a_need() -> None:
    found = {"Big": "src/big.hpp:1: Big has 26 methods"}
    assert check_classes.violations(found, {"Big": "it is a table"}) == []
    assert check_classes.violations(found, {"Big": ""}) == ["src/big.hpp:1: Big has 26 methods"]
    assert check_classes.violations({}, {"Big": "it is a table"}) == [
        "large_classes.txt: 'Big' needs no exception any more"
    ]
