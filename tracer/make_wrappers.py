"""Makes wrappers.c and table.c of the lists in functions/: make_wrappers.py FOLDER_OF_LISTS FOLDER_OF_OUTPUT."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LAYERS = ("netcdf", "pnetcdf", "hdf5", "mpiio", "posix", "mpi")
COMMON_TYPES = ["text", "schar", "uchar", "short", "int", "long", "float", "double"]
COMMON_TYPES += ["ushort", "uint", "longlong", "ulonglong"]
TYPES = {"netcdf": [*COMMON_TYPES, "ubyte", "string"], "pnetcdf": COMMON_TYPES}
FAILURES = {"hdf5": "negative"}
# Hidden lengths of texts and the place of the error come behind the arguments that C has.
FORTRAN_WORDS = 12
KEYS = {
    "file": "none path pathat fd stream dir handle handle_at",
    "makes": "none fd stream handle at32 at64",
    "var": "none id name",
    "bytes": "none return items arg type var var1 vara varn hdf5 text",
    "offset": "none arg position start",
    "facts": "none open word whole point box strided boxes",
    "fail": "negative nonzero null never",
    "effect": "none close dup dup2 fcntl seek close_all init finalize fresh fresh_stream fresh_pair",
    "class": "none p2p wait collective barrier rma setup",
}


class Mistake(Exception):
    """A line that cannot be understood; the text says which and why."""


@dataclass(frozen=True)
class Function:
    symbol: str
    name: str
    layer: str
    words: int
    words_in_c: int
    is_fortran: bool = False
    roles: dict[str, str] = field(default_factory=dict)


def expanded(text: str, types: list[str]) -> Iterator[str]:
    """All words that a word with braces stands for, the innermost braces first."""
    braces = re.search(r"\{([^{}]*)\}", text)
    if braces is None:
        yield text
        return
    if braces[1] == "T":
        for name in types:
            yield from expanded(text[: braces.start()] + name + text[braces.end() :], types)
        return
    # Braces with commas may hold what inner braces became: those were resolved to one name each before.
    for name in braces[1].split(","):
        yield from expanded(text[: braces.start()] + name + text[braces.end() :], types)


def role_of(key: str, value: str, where: str) -> str:
    """An initialiser such as {FILE_FD, 0}."""
    kind, _, argument = value.partition(":")
    if kind not in KEYS[key].split():
        raise Mistake(f"{where}: '{key}={value}': allowed are {KEYS[key]}; see functions/README.md")
    return f"{{{key.upper()}_{kind.upper()}, {argument or 0}}}"


def functions_of(line: str, layer: str, where: str) -> Iterator[Function]:
    main, _, others = line.partition("|")
    symbol, words, *settings = main.split()
    given = dict(setting.split("=", 1) for setting in settings)
    shown = given.pop("as", None)
    unknown = set(given) - set(KEYS)
    if unknown:
        raise Mistake(f"{where}: unknown key '{min(unknown)}'; allowed are {', '.join(KEYS)}, as")
    given.setdefault("fail", FAILURES.get(layer, "nonzero"))
    roles = {key: role_of(key, given.get(key, "none"), where) for key in KEYS}
    for name in dict.fromkeys(expanded(symbol, TYPES.get(layer, []))):
        yield Function(name, shown or name, layer, int(words), int(words), False, roles)
        for other in others.split():
            yield Function(other, shown or name, layer, int(words), int(words), False, roles)
        if layer in ("mpiio", "mpi"):
            for suffix in ("_", "_f08_"):
                yield Function(name.lower() + suffix, name, layer, FORTRAN_WORDS, int(words), True, roles)


def read(folder: Path) -> list[Function]:
    found: dict[str, Function] = {}
    for layer in LAYERS:
        path = folder / f"{layer}.txt"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            for function in functions_of(line, layer, f"{path.name}:{number}"):
                if function.symbol in found:
                    raise Mistake(f"{path.name}:{number}: '{function.symbol}' is listed twice; take one away")
                found[function.symbol] = function
    return list(found.values())


def table_text(functions: list[Function]) -> str:
    rows = []
    for function in functions:
        roles = ", ".join(f".{key}_role = {text}" for key, text in function.roles.items())
        rows.append(
            f'  {{"{function.symbol}", "{function.name}", LAYER_{function.layer.upper()}, '
            f"{int(function.is_fortran)}, {function.words_in_c}, {roles}}},"
        )
    return "\n".join(['#include "function.h"', "const struct Function thw_functions[] = {", *rows, "};\n"])


def wrapper_text(index: int, function: Function) -> str:
    names = [f"a{number}" for number in range(function.words)]
    parameters = ", ".join(f"long {name}" for name in names) or "void"
    types = ", ".join("long" for _ in names) or "void"
    arguments = ", ".join(names)
    return f"WRAPPER({function.symbol}, {index}, ({parameters}), ({types}), ({arguments}), {{{arguments or '0'}}})"


def main() -> int:
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        functions = read(folder)
    except Mistake as fault:
        print(f"make_wrappers: {fault}", file=sys.stderr)
        return 1
    output.mkdir(parents=True, exist_ok=True)
    wrappers = [wrapper_text(index, function) for index, function in enumerate(functions)]
    (output / "table.c").write_text(table_text(functions), encoding="utf-8")
    (output / "wrappers.c").write_text("\n".join(['#include "wrapper.h"', *wrappers, ""]), encoding="utf-8")
    places = [f"#define INDEX_{f.symbol} {i}" for i, f in enumerate(functions) if f.symbol.endswith("vfprintf")]
    places += [f"#define INDEX_{f.symbol} {i}" for i, f in enumerate(functions) if f.symbol == "__vfprintf_chk"]
    text = "\n".join(["#pragma once", f"#define FUNCTION_COUNT {len(functions)}", *places, ""])
    (output / "function_count.h").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
