#!/usr/bin/env python3
"""Checks that the C++ and Fortran interfaces, and the stub, are complete and agree with include/thalweg.h.

    check_interfaces.py [--library libthalweg.so]…  exit 1 and one line for each thing that is missing or different
    check_interfaces.py --self-test                 damages the sources in memory and checks that this is noticed

What no compiler sees is checked here: that each C function is called in thalweg.hpp and in the Fortran shim, exposed in
thalweg.f90, and defined in the stub; that the arguments of a Fortran interface and of its C body agree in name, order
and type; that constants have the same values; and that a library exports the functions of the header and nothing else.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Functions that reach Fortran as an optional argument of another procedure, or by netCDF's name.
FORTRAN_PROCEDURE = {
    "put_box": "put",
    "get_box": "get",
    "get_box_at": "get_at",
    "register_box": "register_array",
    "nc_def_var": "nf90_def_field",
    "nc_put_vara": "nf90_put_var",
    "nc_inq": "nf90_inquire",
    "nc_inq_dim": "nf90_inquire_dimension",
    "nc_inq_var": "nf90_inquire_variable",
    "nc_inq_att": "nf90_inquire_attribute",
    "nc_inq_format": "nf90_inquire",
}

# Procedures that a program calls by the name of a generic one.
GENERIC = {"nf90_def_field": "nf90_def_var"}

# What the C body declares for a type in the Fortran interface.
C_TYPE = {
    "character(*)": "Array",
    "type(*), dimension(..)": "Array",
    "type(*)": "void",
    "integer(c_int)": "int",
    "integer(c_int), dimension(:)": "Array",
    "integer(c_int64_t), dimension(:)": "Array",
    "integer(c_int64_t)": "int64_t",
    "real(c_double)": "double",
    "real(c_double), dimension(:)": "Array",
    "type(mpi_comm)": "MPI_Fint",
    "type(thw_session)": "thalweg_session",
    "type(thw_decomposition)": "thalweg_decomposition",
    "type(thw_collection)": "thalweg_collection",
    "type(thw_field)": "thalweg_field",
    "type(thw_input)": "thalweg_input",
    "procedure(thw_write_procedure)": "FortranProcedure",
}

Arguments = list[tuple[str, str]]  # (name, C type), in order


@dataclass(frozen=True)
class Sources:
    """The texts that are compared."""

    header: str
    cpp: str
    module: str
    shim: str
    stub: str

    @staticmethod
    def read(root: Path) -> "Sources":
        c_files = sorted((root / "fortran").glob("*.[ch]"))
        f90_files = sorted((root / "fortran").glob("*.f90"))
        return Sources(
            header=without_comments("\n".join(path.read_text() for path in sorted((root / "include").glob("*.h")))),
            cpp=without_comments("\n".join(path.read_text() for path in sorted((root / "include").glob("*.hpp")))),
            module=re.sub(r"!.*", "", "\n".join(path.read_text() for path in f90_files)),
            shim=without_comments("\n".join(path.read_text() for path in c_files)),
            stub=without_comments("\n".join(path.read_text() for path in sorted((root / "stub").glob("*.c")))),
        )


def procedure_of(function: str) -> str:
    """The part of the name of its C body that comes behind "thw_"."""
    return FORTRAN_PROCEDURE.get(function, re.sub(r"^nc_", "nf90_", function))


def fortran_name(procedure: str) -> str:
    name = GENERIC.get(procedure, procedure)
    return name if name.startswith("nf90_") else f"thw_{name}"


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def header_functions(header: str) -> list[str]:
    return re.findall(r"THALWEG_API\s[^;{]*?\bthalweg_(\w+)\s*\(", header)


def header_constants(header: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"\bTHALWEG_(\w+)\s*=\s*(\d+)", header)}


@cache
def called(text: str) -> frozenset[str]:
    """The functions of thalweg.h that a text calls, or hands to what calls them."""
    return frozenset(re.findall(r"\bthalweg_(\w+)\s*[(,]", text))


def shim_parameters(shim: str) -> dict[str, str]:
    """Parameter list of each function thw_* of the shim."""
    return dict(re.findall(r"^(?:void|_Bool|int|int64_t) thw_(\w+)\(([^)]*)\) \{", shim, flags=re.MULTILINE))


def shim_arguments(parameters: str) -> Arguments:
    arguments = []
    for parameter in parameters.split(","):
        words = parameter.replace("*", " ").split()
        arguments.append((words[-1], " ".join(word for word in words[:-1] if word != "const")))
    return arguments


@cache
def module_arguments(module: str) -> dict[str, Arguments]:
    """Arguments of each interface body of the module, with the C types that they need."""
    text = re.sub(r"&\s*\n\s*&?", "", module)
    pattern = r"^ *(?:subroutine|function) (?:thw_)?(\w+?)(?:_f08)?\(([^)]*)\)(.*?)^ *end "
    bodies = re.findall(pattern, text, flags=re.DOTALL | re.MULTILINE)
    return {name: [(a.strip(), dummy_type(body, a.strip())) for a in names.split(",")] for name, names, body in bodies}


def dummy_type(body: str, name: str) -> str:
    pattern = rf"^\s*([\w()*]+(?:, dimension\((?:\.\.|:)\))?)(?:,[^\n]*)? :: (?:\w+, )*{name}(?:, \w+)*\s*$"
    found = re.search(pattern, body, flags=re.MULTILINE)
    declared = found.group(1).lower() if found else "undeclared"
    return C_TYPE.get(declared, declared)


def public_names(module: str) -> set[str]:
    lists = re.findall(r"^\s*public :: (.*)$", module, flags=re.MULTILINE)
    return {name.strip() for names in lists for name in names.split(",")}


def cpp_findings(sources: Sources) -> list[str]:
    wanted = [f for f in header_functions(sources.header) if not f.startswith("nc_")]  # C++ programs call netCDF-C
    missing = [f for f in wanted if f not in called(sources.cpp)]
    findings = [f"thalweg.hpp: thalweg_{function} is not called" for function in missing]
    for name in header_constants(sources.header):
        is_type = re.match(r"U?INT|FLOAT", name)
        if is_type and not re.search(rf"\b{name.lower()} = THALWEG_{name}\b", sources.cpp):
            findings.append(f"thalweg.hpp: Type has no {name.lower()}")
    return findings


def fortran_findings(sources: Sources) -> list[str]:
    interfaces = module_arguments(sources.module)
    bodies = shim_parameters(sources.shim)
    public = public_names(sources.module)
    findings = []
    for function in header_functions(sources.header):
        procedure = procedure_of(function)
        if procedure not in interfaces or fortran_name(procedure) not in public:
            findings.append(f"thalweg.f90: thalweg_{function} is not exposed as {fortran_name(procedure)}")
        if procedure not in bodies:
            findings.append(f"fortran shim: thw_{procedure} is missing")
        elif function not in called(sources.shim):
            findings.append(f"fortran shim: thalweg_{function} is not called")
    for name in interfaces.keys() & bodies.keys():
        wanted, found = interfaces[name], shim_arguments(bodies[name])
        if wanted != found:
            findings.append(f"thw_{name}: arguments are {wanted} in thalweg.f90 but {found} in the shim")
    return findings


def stub_findings(sources: Sources) -> list[str]:
    defined = set(re.findall(r"^[\w *]+\bthalweg_(\w+)\([^;{]*\) \{", sources.stub, flags=re.MULTILINE))
    missing = [function for function in header_functions(sources.header) if function not in defined]
    return [f"stub: thalweg_{function} is not defined" for function in missing]


def constant_findings(sources: Sources) -> list[str]:
    declared = re.findall(r"parameter, public :: THW_(\w+) = (\d+)", sources.module)
    found = {name: int(value) for name, value in declared}
    wanted = {name.replace("FLOAT", "REAL"): value for name, value in header_constants(sources.header).items()}
    different = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    return [f"thalweg.f90: THW_{name} is {found.get(name)}, in thalweg.h {wanted.get(name)}" for name in different]


def all_findings(sources: Sources) -> list[str]:
    if not header_functions(sources.header):
        return ["thalweg.h: no function found"]
    found = cpp_findings(sources) + fortran_findings(sources)
    return found + stub_findings(sources) + constant_findings(sources)


# Of no language's interface: Fortran's tells by it how messages are to count.
FOR_FORTRAN = {"thalweg_tell_as_fortran"}


def exported_symbols(library: Path) -> set[str]:
    listing = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=posix", library], check=True, capture_output=True, text=True
    )
    return {line.split()[0].split("@")[0] for line in listing.stdout.splitlines()}


def library_findings(sources: Sources, exported: set[str], library: str = "library") -> list[str]:
    wanted = {f"thalweg_{function}" for function in header_functions(sources.header)}
    missing = [f"{library}: {name} is not exported" for name in sorted(wanted - exported)]
    beyond = sorted(exported - wanted - FOR_FORTRAN)
    return missing + [f"{library}: {name} is exported but not in thalweg.h" for name in beyond]


def expect(damaged: Sources, word: str) -> list[str]:
    """A line if damaged sources pass, or if no finding names what was damaged."""
    findings = all_findings(damaged)
    return [] if any(word in finding for finding in findings) else [f"damage of {word} was not noticed: {findings}"]


def self_test(sources: Sources) -> list[str]:
    failures = [f"undamaged sources: {finding}" for finding in all_findings(sources)]
    for function in header_functions(sources.header):
        c_name, procedure = f"thalweg_{function}", f"thw_{procedure_of(function)}"
        for field in ("shim", "stub") if function.startswith("nc_") else ("cpp", "shim", "stub"):
            text = re.sub(rf"\b{c_name}(?=\s*[(,])", "removed", getattr(sources, field))
            failures += expect(replace(sources, **{field: text}), c_name)
        in_module = procedure.removeprefix("thw_") if function.startswith("nc_") else f"{procedure}(_f08)?"
        exposed = fortran_name(procedure_of(function))
        for field, name, word in (("module", in_module, exposed), ("shim", procedure, procedure)):
            text = re.sub(rf"\b{name}\(", "removed(", getattr(sources, field))
            failures += expect(replace(sources, **{field: text}), word)
        hidden = re.sub(rf"(public ::.*)\b{exposed}\b", r"\1hidden", sources.module)
        failures += expect(replace(sources, module=hidden), exposed)
    for name in header_constants(sources.header):
        f_name = "THW_" + name.replace("FLOAT", "REAL")
        changed = re.sub(rf"{f_name} = \d+", f"{f_name} = 99", sources.module)
        failures += expect(replace(sources, module=changed), f_name)
    swapped = sources.module.replace("(session, time,", "(time, session,")
    failures += expect(replace(sources, module=swapped), "thw_advance")
    retyped = sources.module.replace("type(*), dimension(..), intent(in) :: time", "real(c_float), intent(in) :: time")
    failures += expect(replace(sources, module=retyped), "thw_advance")
    exported = {f"thalweg_{function}" for function in header_functions(sources.header)}
    for damaged in (exported - {"thalweg_put"}, exported | {"leaked"}):
        failures += [] if len(library_findings(sources, damaged)) == 1 else ["a wrong symbol was not noticed"]
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    library_help = "libthalweg.so or libthalweg-stub.so, whose exported symbols are compared as well"
    parser.add_argument("--library", type=Path, action="append", default=[], help=library_help)
    parser.add_argument("--self-test", action="store_true", help="check this program itself")
    options = parser.parse_args()
    sources = Sources.read(ROOT)
    findings = self_test(sources) if options.self_test else all_findings(sources)
    for library in options.library:
        findings += library_findings(sources, exported_symbols(library), library.name)
    count = len(header_functions(sources.header))
    print("\n".join(findings) or f"{count} functions agree in C, C++, Fortran and the stub")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
