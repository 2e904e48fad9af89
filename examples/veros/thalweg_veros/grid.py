"""Veros' division of its grid over the processes, as decompositions of Thalweg."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import thalweg
from veros import distributed, runtime_state
from veros.variables import GHOST_DIMENSIONS

HALO = 2  # the ghost cells of Veros, on each side


class Grid:
    """The sections of this rank in one session.

    with_ghosts: arrays are written with the ghost cells around the whole grid, as in restarts, where the outermost
    ranks hold them; otherwise these cells are a halo.
    """

    def __init__(self, session: thalweg.Session, dimensions: Mapping[str, int], *, with_ghosts: bool) -> None:
        self._session = session
        self._dimensions = dimensions
        self._with_ghosts = with_ghosts
        self._declared: dict[tuple[str, ...], thalweg.Decomposition] = {}

    def of(self, dims: Sequence[str]) -> thalweg.Decomposition | None:
        """The decomposition of a variable with these dimensions; None if it has no horizontal one. Collective where it
        is the first with them."""
        cut = tuple(dim for dim in dims if self.cuts(dim))
        if cut and cut not in self._declared:
            self._declared[cut] = self._declare(cut)
        return self._declared.get(cut)

    def _declare(self, cut: tuple[str, ...]) -> thalweg.Decomposition:
        ghosts = 2 * HALO if self._with_ghosts else 0
        section, _ = self.slices(cut)
        box = ([piece.start for piece in section], [piece.stop - piece.start for piece in section])
        return self._session.decompose(
            ",".join(cut),
            shape=[self._dimensions[dim] + ghosts for dim in cut],
            boxes=[box] if self._holds(cut) else [],
            halo=None if self._with_ghosts else [HALO] * len(cut),
        )

    @staticmethod
    def cuts(dim: str) -> bool:
        """Whether processes hold sections of the dimension, instead of all of it."""
        return dim in GHOST_DIMENSIONS

    def slices(self, dims: Sequence[str]) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
        """Where this rank's part lies in the whole, and in its own array."""
        nx, ny = self._dimensions["xt"], self._dimensions["yt"]
        whole, own = distributed.get_chunk_slices(nx, ny, dims, include_overlap=self._with_ghosts)
        return (whole, own) if dims else ((), ())

    def _holds(self, cut: tuple[str, ...]) -> bool:
        """Of ranks that hold the same values, the first: those of a variable of y along x, and of x along y."""
        index = runtime_state.proc_idx
        return all(
            index[direction] == 0 or any(dim in scattered for dim in cut)
            for direction, scattered in enumerate(distributed.SCATTERED_DIMENSIONS)
        )
