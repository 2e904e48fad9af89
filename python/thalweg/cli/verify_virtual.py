"""Virtual masters: whether the files that they show are there."""

from __future__ import annotations

from pathlib import Path

from thalweg.cli.finding import Finding, note, ok, problem
from thalweg.cli.output import counted
from thalweg.data.virtual import files_shown


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
    missing = sorted(name for name in names if not (path.parent / name).exists())
    if not missing:
        return [ok("virtual", f"a master of {counted(len(names), 'file')}, which are all there")]
    growing = [name for name in missing if (path.parent / f"{name}.partial").exists()]
    few = ", ".join(missing[:3]) + ", …" * (len(missing) > 3)
    text = f"{len(missing)} of {counted(len(names), 'file')} are missing ({few}): fill values are read"
    advice = "recover the '.partial' files first" if growing else "move the files of the set beside the master"
    return [problem("virtual", text, advice)]
