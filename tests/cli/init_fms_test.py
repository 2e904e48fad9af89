# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg init --from: FMS's namelists become a configuration that means the same, which thalweg check accepts."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from support.command import bad_inputs, refused, thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)

DEFAULTS = {"writers.place": "sync", "pattern": "single", "format": "netcdf4"}
SHARED = {"pattern": "shared", "engine": "library"}
OCEAN = "&ocean_model_nml layout = 16, 15, io_layout = 4, 3 /"
GRID = ("--grid", "xt_ocean=1440,yt_ocean=1081")


class Case(NamedTuple):
    text: str
    settings: dict[str, str]  # of a collection, beside or over DEFAULTS
    remark: str  # what is said of a key
    words: tuple[str, ...] = ()


def switches(text: str, rest: str = "") -> str:
    return f"&mpp_io_nml\n {text}\n/\n{rest}\n"


CASES = {
    "no_switch": Case(switches(""), {}, "parallel_netcdf = .false.: one writer: pattern"),
    "defaults_are_false": Case(
        switches("parallel_netcdf=F, parallel_read=.f. pnetcdf=.FALSE.\n parallel_chunk=.false."),
        {},
        "parallel_chunk = .false.: Thalweg chooses the chunks",
    ),
    "parallel_netcdf": Case(
        switches("parallel_netcdf = .true."), SHARED, "io_layout: no namelist has one: without 'layout' Thalweg cuts"
    ),
    "parallel_netcdf_and_io_layout": Case(
        switches("parallel_netcdf = .true.", OCEAN),
        SHARED | {"layout": "[3, 4]"},
        "&ocean_model_nml: io_layout = 4, 3: layout, slowest dimension first",
    ),
    "parallel_netcdf_and_all_ranks": Case(
        switches("parallel_netcdf = .true.", "&ice_nml io_layout = 0, 0, layout = 8, 6 /"),
        SHARED | {"layout": "[6, 8]"},
        "&ice_nml: io_layout = 0, 0: layout, slowest dimension first",
    ),
    "parallel_netcdf_and_ranks_of_unknown_layout": Case(
        switches("parallel_netcdf = .true.", "&ice_nml io_layout = 0, 0, layout = 0, 0 /"),
        SHARED,
        "which no key 'layout' says; add 'layout: [ny, nx]'",
    ),
    "parallel_read": Case(
        switches("parallel_read = .true."), {}, "parallel_read = .true.: no counterpart: reading is the model's"
    ),
    "one_io_domain": Case(
        "&ocean_model_nml io_layout = 1, 1 /", {}, "io_layout = 1, 1: one I/O domain, as 'pattern: single' has it"
    ),
    "io_domains": Case(
        OCEAN,
        {"pattern": "per-domain", "layout": "[3, 4]"},
        "parallel_netcdf = .false.: a file of each I/O domain, NAME.nc.0000",
    ),
    "io_layout_of_the_ranks": Case(
        "&ocean_model_nml\n layout = 4, 3\n io_layout = 4, 3\n/",
        {"pattern": "per-rank"},
        "io_layout = 4, 3: the layout of the ranks: pattern",
    ),
    "pnetcdf": Case(
        switches("pnetcdf = T"),
        {"format": "cdf5", "engine": "library"},
        "pnetcdf = .true.: PnetCDF writes: engine, format; cdf2 is for readers",
    ),
    "pnetcdf_and_parallel_netcdf": Case(
        switches("pnetcdf = T, parallel_netcdf = T", OCEAN),
        SHARED | {"format": "cdf5", "layout": "[3, 4]"},
        "pnetcdf = .true.: PnetCDF writes",
    ),
    "pnetcdf_and_io_domains": Case(
        switches("pnetcdf = T", OCEAN),
        {"format": "cdf5", "pattern": "per-domain", "layout": "[3, 4]"},
        "have one writer each and no MPI-IO",
    ),
    "parallel_chunk": Case(
        switches("parallel_netcdf = T, parallel_chunk = T, chunk_layout = 3, 15"),
        SHARED | {"chunks": "{xt_ocean: 480, yt_ocean: 73}"},
        "chunk_layout = 3, 15: chunks, the grid's cells over these numbers, rounded up",
        GRID,
    ),
    "parallel_chunk_of_an_unknown_grid": Case(
        switches("parallel_netcdf = T, parallel_chunk = T, chunk_layout = 3, 15"),
        SHARED,
        "fill in: chunks: {Y: ny / 15, X: nx / 3}, rounded up, by the names of dimensions; or say --grid",
    ),
    "parallel_chunk_alone": Case(
        switches("parallel_chunk = T"), {}, "chunk_layout: not said, so Thalweg chooses the chunks", GRID
    ),
    "chunk_layout_alone": Case(
        switches("chunk_layout = 3, 15"), {}, "chunk_layout = 3, 15: no effect without parallel_chunk", GRID
    ),
    "chunks_of_pnetcdf": Case(
        switches("pnetcdf = T, parallel_chunk = T, chunk_layout = 3, 15"),
        {"format": "cdf5", "engine": "library"},
        "chunk_layout = 3, 15: no effect: cdf5 has no chunks",
        GRID,
    ),
    "chunks_of_io_domains": Case(
        switches("parallel_chunk = T, chunk_layout = 3, 15", OCEAN),
        {"pattern": "per-domain", "layout": "[3, 4]"},
        "no effect: it cuts a file of the whole grid, not those of I/O domains",
        GRID,
    ),
    "storage": Case(
        switches("header_buffer_val = 16384, deflate_level = 5, shuffle = 1, io_clocks_on = T, foo = 'bar'"),
        {
            "header-reserve": "16 KiB",
            "compression.codec": "deflate",
            "compression.level": "5",
            "compression.shuffle": "true",
        },
        "foo = 'bar': no counterpart is known",
    ),
    "both_generations": Case(
        switches("deflate_level = 4, header_buffer_val = 8192, foo = 1", "&fms2_io_nml deflate_level = 2, foo = 2 /"),
        {
            "compression.codec": "deflate",
            "compression.level": "2",
            "compression.shuffle": "false",
            "header-reserve": "8 KiB",
        },
        "&mpp_io_nml: deflate_level = 4: gives way to &fms2_io_nml",
    ),
    "both_generations_of_what_is_not_known": Case(
        switches("foo = 1", "&fms2_io_nml foo = 2 /"), {}, "&fms2_io_nml: foo = 2: no counterpart is known"
    ),
    "no_deflate": Case(switches("deflate_level = -1"), {}, "deflate_level = -1: no compression"),
    "deflate_of_pnetcdf": Case(
        switches("deflate_level = 4, pnetcdf = T"),
        {"format": "cdf5", "engine": "library"},
        "deflate_level = 4: no effect: cdf5 has no compression",
    ),
    "fms2_io": Case(
        "&fms2_io_nml netcdf_default_format = '64bit', ncchksz = 65536 /",
        {"format": "cdf2"},
        "ncchksz = 65536: no counterpart: it is a buffer of the netCDF library",
    ),
    "component": Case(
        OCEAN + "\n&land_model_nml io_layout = 1, 2 /",
        {"pattern": "per-domain", "layout": "[2, 1]"},
        "&land_model_nml: io_layout = 1, 2: layout",
        ("--namelist", "land_model_nml"),
    ),
    "components_alike": Case(
        OCEAN + "\n&ice_model_nml io_layout = 4, 3 /",
        {"pattern": "per-domain", "layout": "[3, 4]"},
        "&ocean_model_nml: io_layout = 4, 3",
    ),
    "real_file": Case(
        "! a comment with / and &\n &coupler_nml\n months = 12, calendar = 'julian' ! no\n/\n"
        " &MPP_IO_NML PNETCDF=.T.,/\n"
        " &mpp_io_nml parallel_netcdf=.true. /\n &fms_nml clock_grain='ROUTINE', stack_size = 0 /\n",
        {"format": "cdf5", "engine": "library"},
        "parallel_netcdf = .false.: one writer",
    ),
}


def made(folder: Path, text: str, *words: str) -> str:
    (folder / "input.nml").write_text(text)
    done = thalweg("init", "--from", folder / "input.nml", "-o", folder / "made.yaml", "--force", *words)
    assert (done.code, done.out) == (0, ""), done
    return (folder / "made.yaml").read_text()


def settings_of_any_collection(path: Path) -> dict[str, str]:
    """What is said for one that has nothing but the defaults."""
    path.write_text(path.read_text() + "collections: {any: {}}\n")
    checked = thalweg("check", "--json", path)
    assert checked.code == 0, checked.err
    said = {line["key"]: line["value"] for line in checked.json["settings"] if line["origin"] != "default"}
    return {key.removeprefix("collections.any."): value for key, value in said.items()}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_namelists_become_a_configuration(tmp_path: Path, case: Case) -> None:
    text = made(tmp_path, case.text, *case.words)
    assert any(case.remark in line for line in text.splitlines() if line.startswith("#   ")), text
    assert thalweg("check", tmp_path / "made.yaml").code == 0
    assert settings_of_any_collection(tmp_path / "made.yaml") == DEFAULTS | case.settings


@pytest.mark.parametrize("switch", ["parallel_netcdf", "parallel_read", "pnetcdf", "parallel_chunk"])
def test_each_switch_is_false_unless_said_and_changes_the_result(tmp_path: Path, switch: str) -> None:
    rest = "chunk_layout = 3, 5, "
    unsaid = made(tmp_path, switches(rest), *GRID)
    assert made(tmp_path, switches(f"{rest}{switch} = .false."), *GRID) == unsaid
    assert made(tmp_path, switches(f"{rest}{switch} = .true."), *GRID) != unsaid


@pytest.mark.parametrize("key", ["parallel_netcdf", "parallel_read", "pnetcdf", "parallel_chunk"])
def test_each_switch_has_a_remark(tmp_path: Path, key: str) -> None:
    assert made(tmp_path, switches("")).count(f"#   {key} = .false.: ") == 1


def test_a_key_of_both_namelists_is_listed_with_the_one_that_prevails(tmp_path: Path) -> None:
    text = made(tmp_path, switches("shuffle = 1", "&fms2_io_nml shuffle = F, deflate_level = 3 /"))
    listed = [line.strip("# ") for line in text.splitlines() if "shuffle" in line and line.startswith("#")]
    later, earlier = listed
    assert later == "&fms2_io_nml: shuffle = .false.: compression"
    assert earlier == "&mpp_io_nml: shuffle = 1: gives way to &fms2_io_nml"


def masked(folder: Path, table: str | None, nml: str = "layout = 16, 15, io_layout = 4, 3") -> Path:
    (folder / "INPUT").mkdir()
    if table is not None:
        (folder / "INPUT" / "mask_table").write_text(table)
    path = folder / "input.nml"
    path.write_text(f"&ocean_model_nml {nml}, mask_table = 'INPUT/mask_table' /")
    return path


@pytest.mark.parametrize("nml", ["layout = 16, 15, io_layout = 4, 3", "io_layout = 4, 3"], ids=["layout", "no_layout"])
def test_a_mask_table_says_how_many_domains_have_a_rank(tmp_path: Path, nml: str) -> None:
    table = (Path(__file__).parents[1] / "python" / "mask_table.23.16x15").read_text()
    text = thalweg("init", "--from", masked(tmp_path, table, nml)).out
    said = "mask_table = 'INPUT/mask_table': 23 of 16 x 15 domains have no rank, 217 have one"
    cure = "the model declares its cells as 'masked', those of no rank hold _FillValue"
    assert f"#   &ocean_model_nml: {said}: {cure}\n" in text


def test_a_mask_table_that_is_elsewhere_is_no_error(tmp_path: Path) -> None:
    text = thalweg("init", "--from", masked(tmp_path, None)).out
    assert f"hold _FillValue ('{tmp_path / 'INPUT' / 'mask_table'}' is not there to be looked at)" in text


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("1\n16,14\n1,1\n", "is for the layout 16, 14, but &ocean_model_nml has layout = 16, 15; give the table"),
        ("2\n16,15\n1,1\n", "its first line says 2 masked domains, but 1 follow"),
        ("1\n16,15\n17,1\n", "line 3: domain 17,1 lies outside of the layout 16,15, which counts from 1"),
        ("1\n16,15\n\n-1,1\n", "line 4: domain -1,1 lies outside of the layout"),
        ("2\n16,15\n3,1\n3 1\n", "domain 3,1 is there 2 times"),
        ("1\n16,15\n3\n", "line 3: this is no domain: it has to be the number of masked domains, then"),
        ("1\n16,15\n3.5,1\n", "line 3: this is no domain"),
        ("16,15\n3,1\n", "is no mask table: it has to be the number of masked domains, then their layout nx,ny"),
        ("", "is no mask table"),
        ("2\n1,2\n1,1\n1,2\n", "all 2 domains of the layout 1,2 are masked, so that no rank is left"),
    ],
)
def test_a_wrong_mask_table_is_one_clear_line(tmp_path: Path, table: str, message: str) -> None:
    assert message in refused(3, "init", "--from", masked(tmp_path, table))


def test_what_no_namelist_has_is_said(tmp_path: Path) -> None:
    text = made(tmp_path, switches(""))
    assert "# Still to be written, because no namelist has it" in text
    written = text.replace("# time-step", "time-step").replace("# collections", "collections").replace("#   N", "   N")
    (tmp_path / "written.yaml").write_text(written)
    assert thalweg("check", tmp_path / "written.yaml").code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (switches("pnetcdf = 1"), "&mpp_io_nml: pnetcdf = 1 is no logical; write .true. or .false."),
        (switches("parallel_read = 'yes'"), "&mpp_io_nml: parallel_read = 'yes' is no logical"),
        (switches("parallel_chunk = T, chunk_layout = 0, 3"), "chunk_layout = 0, 3 has to be two whole numbers from 1"),
        (switches("parallel_chunk = T, chunk_layout = 3"), "chunk_layout = 3 has to be two whole numbers from 1 on"),
        ("&ocean_model_nml io_layout = 2, -1 /", "&ocean_model_nml: io_layout = 2, -1 has to be two whole numbers"),
        ("&ocean_model_nml io_layout = 2.5, 1 /", "io_layout = 2.5, 1 has to be two whole numbers from 0 on, x and y"),
        ("&ocean_model_nml layout = 'a', io_layout = 2, 1 /", "&ocean_model_nml: layout = 'a' has to be two"),
        ("&fms2_io_nml netcdf_default_format = 'zarr' /", "'zarr' is none of 64bit, classic, netcdf4"),
        (switches("deflate_level = 'much'"), "deflate_level = 'much' has to be a whole number"),
        (switches("header_buffer_val = -3"), "header_buffer_val = -3 has to be a whole number from 0 on"),
        ("&mpp_io_nml parallel_netcdf = T", "is no file of Fortran namelists: End-of-file reached"),
        ("&mpp_io_nml chunk_layout(1:1) = 3, 15 /", "no file of Fortran namelists: f90nml: warning: Value 15 is not"),
        (switches("deflate_level = 99"), "deflate_level = 99 has to be a whole number from -1 to 9"),
        (
            switches("pnetcdf = T", "&fms_nml a = 'x\n/"),
            "line 4: the text that begins with ' is not closed: &fms_nml a = 'x",
        ),
        ("&coupler_nml months = 12 /", "has neither &mpp_io_nml nor &fms2_io_nml, and no io_layout"),
        ("", "has neither &mpp_io_nml nor &fms2_io_nml, and no io_layout"),
    ],
)
def test_what_fms_would_not_take_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "input.nml").write_text(text)
    assert message in refused(3, "init", "--from", tmp_path / "input.nml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give either an example, or --from"),
        (("example.nc", "--from", "input.nml"), "give either an example, or --from"),
        (("example.nc", "--grid", "x=1,y=1"), "--namelist, --grid and --with are for --from"),
        (("--from", "input.nml", "--collection", "a"), "--collection is for an example"),
        (("--from", "input.nml"), "&ocean_model_nml (4, 3), &land_model_nml (1, 1); say whose with --namelist NAME"),
        (("--from", "input.nml", "--namelist", "ice"), "it has no io_layout; those that have one: &ocean_model_nml"),
        (("--from", "input.nml", "--namelist", "ocean_model_nml", "--grid", "x=4"), "--grid 'x=4' has to name x and y"),
        (("--from", "input.nml", "--namelist", "ocean_model_nml", "--grid", "x=4,y=0"), "--grid 'x=4,y=0' has to"),
        (("--from", "input.nml", "--namelist", "ocean_model_nml", "--grid", "x=4,x=5"), "--grid 'x=4,x=5' has to"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.nml").write_text(OCEAN + "\n&land_model_nml io_layout = 1, 1 /\n")
    assert message in refused(2, "init", *words)


@pytest.mark.parametrize("name", ["text.nc", "empty.nc", "zeros.nc", "missing.nc", "folder", "cut.nc", "pipe.nc"])
def test_bad_input_is_one_clear_line(tmp_path: Path, name: str) -> None:
    places = bad_inputs(tmp_path)
    assert f"thalweg: '{places[name]}' " in refused(3, "init", "--from", places[name])


def test_an_output_that_exists_stays(tmp_path: Path) -> None:
    (tmp_path / "input.nml").write_text(OCEAN)
    (tmp_path / "made.yaml").write_text("mine")
    assert "made.yaml' exists" in refused(3, "init", "--from", tmp_path / "input.nml", "-o", tmp_path / "made.yaml")
    assert (tmp_path / "made.yaml").read_text() == "mine"
