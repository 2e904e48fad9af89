# ctest: SHORT TIMEOUT 120
"""What the README shows does what it says when it is pasted."""

from __future__ import annotations

import re
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python

README = mpi.SOURCE / "README.md"
WORDS_OF_A_SENTENCE = 40
LINES = 110


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    return text


@pytest.mark.parametrize("writers", ["thread", "{ranks: 1}"])
def test_the_program_writes_its_file(tmp_path: Path, writers: str) -> None:
    (tmp_path / "model.py").write_text(block("python"))
    configuration = block("yaml")
    assert "writers: thread " in configuration
    (tmp_path / "ocean.yaml").write_text(configuration.replace("writers: thread ", f"writers: {writers} "))
    python.run(tmp_path / "model.py", 4, tmp_path)
    with netCDF4.Dataset(tmp_path / "ocean.nc") as file:
        assert file.data_model == "NETCDF4"
        assert file["time"][:].tolist() == [6 * 3600.0, 12 * 3600.0]
        assert [np.unique(record).tolist() for record in file["temp"][:]] == [[16.0], [22.0]]
        assert file["lat"][:].tolist() == np.arange(-85.0, 90, 10).tolist()
        assert file["lon"][:].tolist() == np.arange(5.0, 360, 10).tolist()
        assert file["temp"].dimensions == ("time", "lat", "lon")


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", README.read_text())
    assert len(links) > 10
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_it_is_short_and_so_are_its_sentences() -> None:
    text = README.read_text()
    assert len(text.splitlines()) <= LINES
    prose = re.sub(r"^```.*?^```$|^\|.*?$|^#.*?$", "\n\n", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    sentences = re.split(r"(?<=[.:;?])\s|\n\s*\n|\n- ", prose)
    assert [sentence for sentence in sentences if len(sentence.split()) > WORDS_OF_A_SENTENCE] == []
