"""Counts the methods and members of C++ classes, and how branched functions are, and fails where a limit is passed.

Limits: a class or struct has at most 25 methods and 15 members; the cyclomatic complexity of a function is at most 15.
What may pass one stands in tools/large_classes.txt with its reason; a line there that is not needed is a failure, too.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import tree_sitter_cpp
from check_sizes import measure
from tree_sitter import Language, Node, Parser

MAX_METHODS = 25
MAX_MEMBERS = 15
MAX_COMPLEXITY = 15

FOLDERS = ("include", "src", "programs")
EXCEPTIONS = Path(__file__).with_name("large_classes.txt")
PARSER = Parser(Language(tree_sitter_cpp.language()))
# A type in a type is a declaration of its own, and is counted by itself.
TYPES = {"class_specifier": "class", "struct_specifier": "struct"}


class Class(NamedTuple):
    name: str
    place: str
    methods: int
    members: int


def classes_in(text: bytes, name: str) -> Iterator[Class]:
    yield from classes_below(PARSER.parse(text).root_node, name, ())


def classes_below(node: Node, file: str, outer: tuple[str, ...]) -> Iterator[Class]:
    inner = outer
    body = node.child_by_field_name("body")
    if node.type in TYPES and body is not None:
        own = node.child_by_field_name("name")
        inner = (*outer, own.text.decode() if own is not None else "(unnamed)")
        methods, members = counts(body)
        yield Class("::".join(inner), f"{file}:{node.start_point.row + 1}", methods, members)
    for child in node.children:
        yield from classes_below(child, file, inner)


def counts(body: Node) -> tuple[int, int]:
    """Overloads count each; constructors, destructors, operators and deleted functions do not."""
    methods, members = set(), 0
    for number, child in enumerate(body.children):
        declared = child.children[-1] if child.type == "template_declaration" else child
        if declared.type == "function_definition" or is_method(declared):
            if is_plain(declared):
                methods.add(number)
        elif declared.type == "field_declaration" and not is_static(declared):
            members += sum(1 for name in declared.children_by_field_name("declarator") if name is not None)
    return len(methods), members


def function_of(node: Node) -> Node | None:
    found = node.child_by_field_name("declarator")
    while found is not None and found.type in ("pointer_declarator", "reference_declarator", "init_declarator"):
        found = found.child_by_field_name("declarator") or found.named_children[-1]
    return found if found is not None and found.type == "function_declarator" else None


def is_method(node: Node) -> bool:
    return node.type in ("field_declaration", "declaration") and function_of(node) is not None


def is_plain(node: Node) -> bool:
    function = function_of(node)
    if function is None or node.child_by_field_name("type") is None:
        return False  # a constructor or a destructor, or a conversion
    name = function.child_by_field_name("declarator")
    return name is not None and name.type != "operator_name"


def is_static(node: Node) -> bool:
    return any(child.type == "storage_class_specifier" and child.text == b"static" for child in node.children)


def excesses(root: Path) -> dict[str, str]:
    """What passes a limit, by its name, and how."""
    found = {}
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.?pp")):
        for one in classes_in(path.read_bytes(), path.relative_to(root).as_posix()):
            if one.methods > MAX_METHODS or one.members > MAX_MEMBERS:
                found[one.name] = (
                    f"{one.place}: {one.name} has {one.methods} methods and {one.members} members; "
                    f"{MAX_METHODS} and {MAX_MEMBERS} are allowed"
                )
        for function in measure(path, root).functions:
            if function.complexity > MAX_COMPLEXITY:
                found[function.name] = (
                    f"{function.place}: {function.name} has the cyclomatic complexity {function.complexity}; "
                    f"{MAX_COMPLEXITY} is allowed"
                )
    return found


def exceptions(file: Path) -> dict[str, str]:
    """Names with their reasons: a line "name: reason" each, comments with #."""
    lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    pairs = [line.partition(": ") for line in lines if line and not line.startswith("#")]
    return {name: reason for name, _, reason in pairs}


def violations(found: dict[str, str], allowed: dict[str, str]) -> list[str]:
    wrong = [text for name, text in found.items() if not allowed.get(name)]
    return wrong + [f"{EXCEPTIONS.name}: '{name}' needs no exception any more" for name in allowed if name not in found]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    wrong = violations(excesses(root), exceptions(EXCEPTIONS))
    print("\n".join([*wrong, f"classes: {len(wrong)} violations"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
