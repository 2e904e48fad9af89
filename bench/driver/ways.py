"""Which ways are measured in which case, in the order of a round, and how often."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    name: str
    kind: str  # "limit": what no output can beat; "raw"; "peer"; "thalweg"
    important: bool = True  # measured in every round; the others at most three times
    writes: bool = True
    checked: bool = False  # leaves a file whose values can be checked
    codec: str = "none"  # its limit is the way "codec_…"
    file: str = "output.nc"
    rank_on_each_core: bool = False  # as many ranks as cores, each with all points; nothing is written
    one_rank: bool = False  # the model is one rank, and all processes are bound to cores of their own
    settings: str = ""  # more keys of Thalweg's collection; its profile is kept then
    program_way: str = ""  # what the program calls it, where that is not its name
    writers: str = ""  # of Thalweg, in place of those in its name
    servers: int = 0  # ranks beside the model's
    servers_apart: bool = False  # on a node of their own, which Thalweg emulates


# Four writers of one file, and of a file each with a virtual one over them.
SEVERAL_WRITERS = {"shared": "pattern: shared", "set": "pattern: per-domain"}

# Servers: how many ranks beside the model's, and whether on a node of their own.
SERVERS = {"ranks1": (1, False), "ranks2": (2, False), "nodes1": (1, True), "nodes2": (2, True)}


def server_ways() -> Iterator["Way"]:
    for placement, (servers, apart) in SERVERS.items():
        writers = "nodes" if apart else f"{{ranks: {servers}}}"
        common = {"servers": servers, "servers_apart": apart, "writers": writers}
        for file_format in ("cdf5", "netcdf4"):
            name, like = f"thalweg_{placement}_{file_format}", f"thalweg_thread_{file_format}"
            yield Way(name, "thalweg", important=False, checked=True, program_way=like, **common)
        yield Way(f"idle_{placement}", "thalweg", writes=False, program_way="idle_thread", **common)


def own_core_way(file_format: str, codec: str, file: str) -> "Way":
    """A server that has a core for itself compresses what a model of one rank puts."""
    return Way(
        f"thalweg_ranks1_{file_format}_zstd",
        "thalweg",
        codec=codec,
        checked=True,
        file=file,
        one_rank=True,
        program_way=f"thalweg_thread_{file_format}_zstd",
        writers="{ranks: 1}",
        servers=1,
    )


WAYS = {
    way.name: way
    for way in (
        Way("none", "limit", writes=False),
        Way("idle_thread", "thalweg", writes=False),
        Way("copy", "limit", writes=False),
        Way("thalweg_thread_cdf5", "thalweg", checked=True),
        Way("floor", "limit"),
        Way("thalweg_thread_netcdf4", "thalweg", checked=True),
        Way("raw_direct", "raw"),
        Way("thalweg_sync_cdf5", "thalweg", checked=True),
        Way("raw_buffered", "raw"),
        Way("thalweg_sync_netcdf4", "thalweg", checked=True),
        Way("gather_netcdf4", "peer", important=False, checked=True),
        Way("gather_cdf5", "peer", important=False, checked=True),
        Way("parallel_netcdf4", "peer", important=False, checked=True),
        Way("pnetcdf_blocking", "peer", important=False, checked=True),
        Way("pnetcdf_iput", "peer", important=False, checked=True),
        *(
            Way(
                f"thalweg_thread_netcdf4_{name}",
                "thalweg",
                checked=True,
                settings=settings + ", layout: [4, 1]",
                program_way="thalweg_thread_netcdf4",
            )
            for name, settings in SEVERAL_WRITERS.items()
        ),
        *server_ways(),
        Way("codec_zstd", "limit", codec="zstd", writes=False, rank_on_each_core=True),
        Way("thalweg_thread_netcdf4_zstd", "thalweg", codec="zstd", checked=True),
        Way("thalweg_thread_zarr_zstd", "thalweg", codec="zstd", checked=True, file="output.zarr"),
        Way("thalweg_sync_netcdf4_zstd", "thalweg", codec="zstd", checked=True),
        Way("gather_netcdf4_zstd", "peer", codec="zstd", important=False, checked=True),
        Way(
            "codec_zstd_one_core", "limit", codec="zstd_one_core", writes=False, one_rank=True, program_way="codec_zstd"
        ),
        own_core_way("netcdf4", "zstd_one_core", "output.nc"),
        own_core_way("zarr", "zstd_one_core", "output.zarr"),
        Way("codec_deflate", "limit", codec="deflate", writes=False, rank_on_each_core=True),
        Way("thalweg_thread_netcdf4_deflate", "thalweg", codec="deflate", checked=True),
        Way("gather_netcdf4_deflate", "peer", codec="deflate", important=False, checked=True),
        Way("parallel_netcdf4_deflate", "peer", codec="deflate", important=False, checked=True),
    )
}

THREAD_WAYS = ("thalweg_thread_cdf5", "thalweg_thread_netcdf4")
THALWEG_WAYS = (*THREAD_WAYS, "thalweg_sync_cdf5", "thalweg_sync_netcdf4")
RAW_WAYS = ("raw_buffered", "raw_direct")

CASES = {
    "large": tuple(name for name, way in WAYS.items() if way.codec == "none" and not way.settings and not way.servers),
    # The model with output and the idle cost of what writes it, by servers and without them.
    "servers": tuple(
        name
        for name, way in WAYS.items()
        if (way.servers and not way.one_rank) or name in ("none", "copy", "idle_thread", *THREAD_WAYS)
    ),
    "drain": tuple(name for name, way in WAYS.items() if name in THALWEG_WAYS + RAW_WAYS or way.settings),
    "small": tuple(
        name for name in WAYS if name in ("copy", "raw_buffered", "gather_cdf5", "pnetcdf_iput", *THALWEG_WAYS)
    ),
    "compressed": tuple(
        name for name, way in WAYS.items() if way.codec != "none" or name in ("copy", "thalweg_thread_netcdf4")
    ),
}


def is_idle(name: str) -> bool:
    """Whether nothing is put."""
    return name == "none" or name.startswith("idle_")


def chosen(case: str, wanted: list[str] | None) -> list[Way]:
    """The ways of a case, cut down to the wanted ones."""
    return [WAYS[name] for name in CASES[case] if wanted is None or name in wanted]


def runs_of(way: Way, runs: int) -> int:
    return runs if way.important else min(runs, 3)
