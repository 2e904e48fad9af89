# ctest: LABELS mpi TIMEOUT 60
"""An ensemble in one file, with the member as a dimension, and means over members, on 4 ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from field_runs import opened, require_conventions
from programs.ensembles import STEPS, temperature
from support import python

MEANS = {"every": "3 h", "operation": "mean", "fields": ["t"]}
ABOUT = {"title": "members", "history": "made", "institution": "none", "source": "a test", "references": "none"}


@pytest.mark.parametrize("members", [2, 4])
def test_members_are_a_dimension_and_means_are_over_it(tmp_path: Path, members: int) -> None:
    collections = {
        "all": MEANS | {"file": "all.nc", "attributes": ABOUT},
        "mean": MEANS | {"file": "mean.nc", "grid": {"mean": ["realization"]}},
        "zonal": MEANS | {"file": "zonal.nc", "grid": {"mean": ["realization", "lon"]}},
    }
    python.run("ensembles.py", 4, tmp_path, {"time-step": "1 h", "collections": collections}, members)
    require_conventions(tmp_path / "all.nc")
    each = np.array([[temperature(m, step) for m in range(members)] for step in range(1, STEPS + 1)])
    wanted = each.reshape(2, 3, *each.shape[1:]).mean(1)
    with opened(tmp_path, "all") as every:
        assert every.t.dims == ("time", "realization", "lat", "lon")
        assert every.realization.values.tolist() == list(range(1, members + 1))
        np.testing.assert_allclose(every.t.values, wanted, rtol=1e-14)
    with opened(tmp_path, "mean") as mean, opened(tmp_path, "zonal") as zonal:
        assert (mean.t.dims, zonal.t.dims) == (("time", "lat", "lon"), ("time", "lat"))
        np.testing.assert_allclose(mean.t.values, wanted.mean(1), rtol=1e-14)
        np.testing.assert_allclose(zonal.t.values, wanted.mean((1, 3)), rtol=1e-14)
        assert mean.t.cell_methods == "time: mean (interval: 1 hour) realization: mean"
