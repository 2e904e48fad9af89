# ctest: LABELS trace mpi TIMEOUT 180
"""Jobs of four ranks: links between layers, aggregators, balance, the command as users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support import mpi
from support.command import Done, thalweg
from support.tracing import LIBRARY, MODEL
from thalweg.trace.page import page_of

ROW_BYTES = 64 * 512 * 8
STEPS = 6
RANKS = 4

pytestmark = pytest.mark.skipif(not MODEL.exists(), reason="built without parallel netCDF and PnetCDF")


def traced(folder: Path, *options: object, program: tuple[object, ...]) -> Done:
    command = [mpi.ENVIRONMENT, "mpiexec", "-n", RANKS, *program]
    return thalweg("trace", "--library", LIBRARY, "--json", *options, "--", *command)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report on the model, where ROMIO gathers on one rank and rank 0 computes longer."""
    folder = tmp_path_factory.mktemp("model")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMPI_MCA_io", "romio321")
        done = traced(folder, "--threshold", 0, program=(MODEL, folder, STEPS, 40))
    assert done.code == 0, done
    return {**done.json, "folder": folder}


def by_name(made: dict[str, Any], part: str = "functions") -> dict[str, dict[str, Any]]:
    return {one["function"]: one for one in made[part]}


def test_every_call_is_counted(made: dict[str, Any]) -> None:
    functions = by_name(made)
    put = functions["nc_put_vara_double"]
    assert (put["calls"], put["bytes"], put["ranks"]) == (RANKS * STEPS, RANKS * STEPS * ROW_BYTES, RANKS)
    posted, waited = functions["ncmpi_iput_vara_double"], functions["ncmpi_wait_all"]
    assert posted["calls"] == waited["calls"] == RANKS * STEPS // 2
    assert functions["ncmpi_put_vara_double_all"]["bytes"] == RANKS * STEPS // 2 * ROW_BYTES
    assert functions["MPI_Init"]["calls"] == RANKS
    assert not made["losses"]


def test_fewer_ranks_write_than_put(made: dict[str, Any]) -> None:
    ranks = {layer["layer"]: layer["ranks_moving_data"] for layer in made["layers"]}
    assert (ranks["netcdf"], ranks["pnetcdf"], ranks["mpiio"], ranks["posix"]) == (RANKS, RANKS, RANKS, 1)
    rules = {finding["rule"]: finding for finding in made["findings"]}
    assert rules["ranks-shrink"]["ranks"]["posix"] == 1
    assert rules["aggregation-overhead"]["overhead_s"] > 0


def test_links_say_who_calls_whom(made: dict[str, Any]) -> None:
    links = {(link["caller"], link["function"]): link for link in made["links"]}
    assert links["nc_put_vara_double", "MPI_File_write_at_all"]["ranks"] == RANKS
    assert links["MPI_File_write_at_all", "pwrite"]["ranks"] == 1
    assert links["ncmpi_wait_all", "MPI_File_write_at_all"]["calls"] == RANKS * STEPS // 2


def test_paths_hold_what_the_links_say(made: dict[str, Any]) -> None:
    roots = {node["function"]: node for node in made["paths"]}
    put = roots["ncmpi_put_vara_double_all"]
    assert sum(child["time_s"] for child in put["calls_to"]) <= put["time_s"]
    write = by_name(put, "calls_to")["MPI_File_write_at_all"]
    assert write["calls"] == RANKS * STEPS // 2
    assert by_name(write, "calls_to")["pwrite"]["ranks"] == 1


def test_ranks_that_wait_are_seen(made: dict[str, Any]) -> None:
    """Rank 0 comes last to each collective call; the others are in it for as long as it computes."""
    times = next(one["time_s"] for one in made["balance"] if one["function"] == "nc_put_vara_double")
    late = 0.040 * (STEPS - 1)
    assert all(times[str(rank)] > times["0"] + 0.5 * late for rank in (1, 2, 3)), times


def test_files_and_shares(made: dict[str, Any]) -> None:
    files = {Path(file["file"]).name: file for file in made["files"]}
    assert files["cdf5.nc"]["write"]["bytes"] >= RANKS * STEPS * ROW_BYTES
    assert files["cdf5.nc"]["write"]["ranks"] == 1 and files["cdf5.nc"]["accesses_seen_at"] == "posix"
    assert set(files["par.nc"]["time_max_s"]) == {"netcdf", "mpiio", "posix"}
    shares = {share["class"]: share["share"] for share in made["shares"]}
    assert 0.99 < shares["compute"] + shares["io"] + shares["mpi"] < 1.01
    assert all(process["has_ended"] for process in made["processes"])


def test_the_page_has_the_graph_and_loads_nothing(made: dict[str, Any]) -> None:
    strange = {**made, "command": ["<script>", "&amp"]}
    page = page_of(strange, threshold=0)
    words = [text for element in ElementTree.fromstring(page).iter() for text in [element.text or ""]]
    functions = {one["function"] for one in made["functions"] if one["layer"] != "mpi"}
    assert functions <= set(words)
    link = next(one for one in made["links"] if (one["caller"], one["function"]) == ("MPI_File_write_at_all", "pwrite"))
    assert link["ranks"] == 1 and any(word.endswith(" [1]") for word in words)
    files = {Path(one["file"]).name for one in made["files"]}
    assert {"cdf5.nc", "par.nc"} <= files <= {Path(word).name for word in words}
    written = next(one["write"] for one in made["files"] if one["file"].endswith("cdf5.nc"))
    assert f"{written['bytes']:,}" in words and written["pattern"] in words
    assert "<script" not in page and "href" not in page and "src=" not in page


def test_text_and_the_exit_code_of_the_program(tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    keep = tmp_path / "logs"
    script = f"cd {tmp_path} && echo 12 > f; cat f; exit 7"
    done = thalweg("trace", "--library", LIBRARY, "--keep", keep, "-o", report, "--", "sh", "-c", script)
    assert done.code == 7 and "ended with code 7" in done.err
    assert "What stands out" in report.read_text()
    again = thalweg("trace", "--logs", keep)
    assert again.code == 0 and again.out.splitlines()[1:] == report.read_text().splitlines()[1:]
    assert thalweg("trace", "--library", LIBRARY, "--", "sh", "-c", "exit 5").code == 5  # no file was touched
    assert "has logs of another run" in thalweg("trace", "--library", LIBRARY, "--keep", keep, "--", "true").err


def test_a_killed_job_has_a_report(tmp_path: Path) -> None:
    done = traced(tmp_path, "--limit", 5, program=(MODEL, tmp_path, 100000, 1))
    made = json.loads(done.out)
    assert done.code == 124
    assert len(made["processes"]) == RANKS and not any(process["has_ended"] for process in made["processes"])
    assert by_name(made)["nc_put_vara_double"]["calls"] > RANKS
    assert "stopped-in-call" in {finding["rule"] for finding in made["findings"]}
