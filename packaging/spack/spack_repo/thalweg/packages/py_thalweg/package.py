# Spack's recipe for the Python package on an installed library; the state of the one beside it holds for this one.
from spack.package import *
from spack_repo.builtin.build_systems.python import PythonPackage


class PyThalweg(PythonPackage):
    """Python interface of Thalweg, and the command thalweg."""

    git = "file://" + __file__.rpartition("/packaging/spack/")[0]

    license("Apache-2.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    depends_on("cxx", type="build")
    depends_on("c", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-scikit-build-core@1.0:", type="build")
    depends_on("py-nanobind@3.1:", type="build")
    for same in ("main", "0.1.0"):
        depends_on(f"thalweg@{same}", when=f"@{same}", type=("build", "link", "run"))
    depends_on("mpi@3.1:")
    depends_on("py-mpi4py@4.0:", type=("build", "run"))
    depends_on("py-netcdf4@1.7:", type=("build", "run"))
    depends_on("py-numpy@1.26:", type=("build", "run"))
    depends_on("py-rich@13.0:", type=("build", "run"))
    depends_on("py-typer@0.15:", type=("build", "run"))
    depends_on("py-zarr@3.0:", type=("build", "run"))

    def config_settings(self, spec, prefix):
        return {"cmake.define.THALWEG_PYTHON_ONLY": "ON"}
