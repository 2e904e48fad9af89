"""Virtual masters: whether the files that they show are there."""

from __future__ import annotations

from pathlib import Path

from thalweg.cli.finding import Finding, note, ok, problem
from thalweg.cli.output import counted
from thalweg.data.cut import RUN, SET_OF_TWO_RUNS


def files_shown(path: Path) -> list[str]:
    """The files that a virtual master shows, by their names in it; none for a file that has its values itself."""
    import h5py

    with h5py.File(path, "r", locking=False) as file:
        virtual = [item for item in file.values() if isinstance(item, h5py.Dataset) and item.is_virtual]
        return list(dict.fromkeys(source.file_name for item in virtual for source in item.virtual_sources()))


def of_one_run(files: list[Path]) -> Finding:
    """A run that was killed while it replaced a set has left files of both under the names that a master shows."""
    runs = {file: run_of(file) for file in files}
    others = [file for file, run in runs.items() if run != runs[files[0]]]
    if not others:
        return ok("virtual", f"a master of {counted(len(files), 'file')}, which are all there")
    return problem("virtual", f"'{files[0].name}' and '{others[0].name}', which it shows, {SET_OF_TWO_RUNS}")


def run_of(file: Path) -> str | None:
    import h5py

    try:
        with h5py.File(file, "r", locking=False) as part:
            said = part.attrs.get(RUN)
    except (OSError, RuntimeError, ValueError, KeyError):
        return None  # what is wrong with it is found where its values are read
    return said.decode(errors="replace") if isinstance(said, bytes) else said if said is None else str(said)


def sources(path: Path) -> list[Finding]:
    """Nothing for a file that has its values itself."""
    try:
        names = files_shown(path)
    except ImportError:
        return [note("virtual", "whether it is a virtual master cannot be seen", "pip install h5py")]
    except (OSError, RuntimeError, ValueError, KeyError) as fault:
        return [problem("metadata", f"'{path}' cannot be listed by h5py: {' '.join(str(fault).split())}")]
    if not names:
        return []
    missing = [name for name in names if not (path.parent / name).exists()]
    if not missing:
        return [of_one_run([path.parent / name for name in names])]
    growing = [name for name in missing if (path.parent / f"{name}.partial").exists()]
    text = (
        f"{len(missing)} of {counted(len(names), 'file')} are missing ({', '.join(missing[:3])}): fill values are read"
    )
    advice = "recover the '.partial' files first" if growing else "move the files of the set beside the master"
    return [problem("virtual", text, advice)]
