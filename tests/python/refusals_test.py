# ctest: SHORT TIMEOUT 120
"""Wrong calls raise what says what is wrong, and leave the file as it would be without them."""

from __future__ import annotations

import json
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import python

Raised = dict[str, list[str]]
REFUSED = {
    "setting": ("Error", "CONFIG", "slaves"),
    "text": ("Error", "CONFIG", "the run's script"),
    "file": ("Error", "CONFIG", "nowhere.yaml"),
    "communicator": ("TypeError", "", "a communicator of mpi4py, not int"),
    "decompose list": ("Error", "SHAPE", "shape has 1 values for the 2 dimensions"),
    "decompose nothing": ("TypeError", "", "give start and count, or boxes"),
    "decompose both": ("TypeError", "", "give start and count, or boxes"),
    "decompose real": ("TypeError", "", "float"),
    "overlap": ("Error", "AGREEMENT", "rank 1"),
    "real indices": ("TypeError", "", "indices are integers, not float64"),
    "places of points": ("TypeError", "", "shape (2, 8), but points are a list of one dimension"),
    "masked indices": ("TypeError", "", "a masked array; leave points out (index.compressed())"),
    "large index": ("Error", "SHAPE", "rank 0"),
    "collection": ("Error", "NAME", "no such"),
    "setting of a collection": ("Error", "CONFIG", "open_collection_text('other'):2:11: error: every: 'parsecs'"),
    "dtype": ("TypeError", "", "there is no type for elements of bool"),
    "complex": ("TypeError", "", "complex128; possible are int8"),
    "byte order": ("TypeError", "", "astype('float32')"),
    "no dtype": ("TypeError", "", "real"),
    "twice": ("Error", "NAME", "temp"),
    "array attribute": ("ValueError", "", "an array of shape (2, 2)"),
    "bool attribute": ("TypeError", "", "elements of bool"),
    "texts": ("TypeError", "", "float64, S1; take the characters of texts: array.view"),
    "fill of characters": (
        "Error",
        "SHAPE",
        "variable 'name': _FillValue must be one value of the variable's type char",
    ),
    "text attributes": ("TypeError", "", "attribute 'b'"),
    "early change": ("Error", "STATE", "thalweg_ready"),
    "procedure": ("Error", "FORMAT", "'user'"),
    "no procedure": ("TypeError", "", "set_procedure"),
    "name": ("Error", "NAME", "no such"),
    "shape": ("Error", "SHAPE", "temp"),
    "rank": ("Error", "SHAPE", "temp"),
    "box": ("Error", "ARGUMENT", "box 3"),
    "type": ("Error", "SHAPE", "the array is float64, the variable int16"),
    "number for character": ("Error", "SHAPE", "variable 'name': the array is int8, the variable char"),
    "character for number": ("Error", "SHAPE", "variable 'temp': the array is char, the variable float64"),
    "bool": ("TypeError", "", "put of 'temp': there is no type for elements of bool"),
    "half": ("TypeError", "", "float16"),
    "date": ("TypeError", "", "datetime64"),
    "foreign": ("TypeError", "", "put of 'temp': elements of >f8 have the byte order of another machine"),
    "masked": ("TypeError", "", "array.filled"),
    "object": ("TypeError", "", "object"),
    "nothing": ("TypeError", "", "object"),
    "name with NUL": ("Error", "ARGUMENT", "the text 'temp…' has a NUL behind 4 bytes"),
    "put twice": ("Error", "STATE", "temp"),
    "time": ("Error", "STATE", "30"),
    "date as start": ("TypeError", "", "set_time: '2000-01-01' is no number of seconds"),
    "date as time": ("TypeError", "", "'2000-01-01' is no number of seconds since 'reference-date'"),
    "late time": ("Error", "STATE", ""),
    "late variable": ("Error", "STATE", "definitions ended"),
    "finished put": ("Error", "STATE", "the session is finished"),
    "finished define": ("Error", "STATE", "the session is finished"),
    "finished": ("Error", "STATE", "the session is finished"),
    "finished client": ("Error", "STATE", "the session is finished"),
    "finished decomposition": ("Error", "STATE", "the session is finished"),
    "other session": ("Error", "ARGUMENT", "belongs to another session"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("refusals")


@pytest.fixture(scope="module")
def raised(folder: Path) -> Raised:
    return json.loads(python.run("refusals.py", 2, folder))


@pytest.mark.parametrize("label", REFUSED)
def test_wrong_call_is_refused(raised: Raised, label: str) -> None:
    kind, code, text = REFUSED[label]
    assert raised[label][:2] == [kind, code], raised[label]
    assert text in raised[label][2]


def test_nothing_else_was_refused(raised: Raised) -> None:
    assert set(raised) == set(REFUSED)


def test_the_file_is_as_without_them(raised: Raised, folder: Path) -> None:
    with netCDF4.Dataset(folder / "history.nc") as file:
        assert set(file.variables) == {"time", "temp", "name", "count"}
        assert np.asarray(file["temp"][...]).tolist() == [list(range(8))]
