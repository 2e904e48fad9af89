# Spack's recipe. It was loaded with Spack's names replaced by others that record what it asks for
# (tests/tools/spack_recipe_test.py), and never installed by Spack.
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Thalweg(CMakePackage):
    """Parallel, asynchronous output of Earth-system models to CF-netCDF and Zarr: the library for C, C++ and
    Fortran, and its programs."""

    # Where the project is published, once it is; till then the sources that the recipe lies in:
    # spack repo add packaging/spack/spack_repo/thalweg; spack dev-build thalweg@main
    git = "file://" + __file__.rpartition("/packaging/spack/")[0]

    license("Apache-2.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("netcdf4", default=True, description="Write netCDF-4, through a parallel netCDF-C")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi@3.1:")
    depends_on("yaml-cpp")
    depends_on("fmt")
    depends_on("spdlog")
    depends_on("pegtl@3.2:")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("parallel-netcdf+shared")
    depends_on("hdf5+mpi+hl")
    # Headers alone without netcdf4.
    depends_on("netcdf-c")
    depends_on("netcdf-c@4.9.0:+mpi", when="+netcdf4")
    depends_on("zstd")
    depends_on("libdeflate")
    depends_on("lz4")
    depends_on("isa-l")
    depends_on("utf8proc")
    depends_on("udunits@2:")

    def cmake_args(self):
        unwanted = ("TESTS", "EXAMPLES", "BENCH", "PYTHON")
        options = [self.define(f"THALWEG_BUILD_{part}", False) for part in unwanted]
        return [*options, self.define_from_variant("THALWEG_WITH_NETCDF4", "netcdf4")]
