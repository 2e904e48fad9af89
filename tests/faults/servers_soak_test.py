# ctest: LABELS soak SERIAL TIMEOUT 1200
"""Every process of every place of servers is killed and stopped, and its storage stalls below every call."""

from __future__ import annotations

from pathlib import Path

import pytest
from placed import PLACES, Place
from servers_test import kill, stall, stop

EVERY = [(place, rank) for place in PLACES for rank in range(place.ranks)]


@pytest.mark.parametrize(("place", "victim"), EVERY, ids=str)
def test_a_killed_process_is_named_by_all_that_live_on(tmp_path: Path, place: Place, victim: int) -> None:
    kill(tmp_path, place, victim)


@pytest.mark.parametrize(("place", "victim"), EVERY, ids=str)
def test_a_stopped_process_is_named_by_the_clients_that_go_on(tmp_path: Path, place: Place, victim: int) -> None:
    stop(tmp_path, place, victim)


@pytest.mark.parametrize("call", ["put", "wait", "finish"])
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_storage_that_stalls_below_a_server_is_reported_to_clients(tmp_path: Path, place: Place, call: str) -> None:
    stall(tmp_path, place, call)
