// thalweg-probe: what Thalweg stands on in this environment, as JSON, and a small file written by all ranks.
#include <hdf5.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/private_library.hpp"
#include "command.hpp"
#include "thalweg.h"

using nlohmann::ordered_json;

namespace {

constexpr int64_t cells = 16;
constexpr int records = 2;

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return text.data();
}

const char* thread_level(int level) {
  if (level == MPI_THREAD_MULTIPLE) return "MPI_THREAD_MULTIPLE";
  if (level == MPI_THREAD_SERIALIZED) return "MPI_THREAD_SERIALIZED";
  return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE";
}

std::string version_by(const thalweg::PrivateLibrary& library, const char* symbol) {
  const char* (*version)() = nullptr;
  library.load(version, symbol);
  return version();
}

// All are opened at run time, as Thalweg does.
ordered_json hdf5() {
  try {
    const thalweg::PrivateLibrary library("parallel HDF5", THALWEG_HDF5_LIBRARY, thalweg::Lookup::in_program_first,
                                          "use a CDF format or zarr");
    decltype(&H5get_libversion) get_version = nullptr;
    decltype(&H5is_library_threadsafe) ask_threads = nullptr;
    library.load(get_version, "H5get_libversion");
    library.load(ask_threads, "H5is_library_threadsafe");
    unsigned major = 0, minor = 0, release = 0;
    hbool_t is_threadsafe = false;
    get_version(&major, &minor, &release);
    ask_threads(&is_threadsafe);
    const std::string version = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
    return {{"version", version}, {"threadsafe", static_cast<bool>(is_threadsafe)}};
  } catch (const thalweg::Error& error) {
    return {{"error", error.what()}};
  }
}

ordered_json netcdf() {
  const std::string built_with = THALWEG_NETCDF_LIBRARY;
  if (built_with.empty()) return {{"error", "this build has no netCDF-4 (THALWEG_WITH_NETCDF4=OFF)"}};
  try {
    const thalweg::PrivateLibrary library("parallel netCDF-C", built_with, thalweg::Lookup::in_itself_first,
                                          "use a CDF format");
    return {{"version", version_by(library, "nc_inq_libvers")},
            {"parallel", library.has("nc_create_par")},
            {"library", built_with}};
  } catch (const thalweg::Error& error) {
    return {{"error", error.what()}};
  }
}

ordered_json pnetcdf() {
  try {
    const thalweg::PrivateLibrary library("PnetCDF", THALWEG_PNETCDF_LIBRARY, thalweg::Lookup::in_program_first,
                                          "set engine: direct");
    return {{"version", version_by(library, "ncmpi_inq_libvers")}, {"library", THALWEG_PNETCDF_LIBRARY}};
  } catch (const thalweg::Error& error) {
    return {{"error", error.what()}};
  }
}

int check(int code) {
  if (code == THALWEG_OK) return 0;
  std::fprintf(stderr, "thalweg-probe: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

void write(const std::string& file, int rank, int ranks) {
  const std::string yaml = "{report: none, deadline: 20 s, collections: {probe: {file: '" + file + "'}}}";
  thalweg_session* session = nullptr;
  thalweg_decomposition* cut = nullptr;
  thalweg_collection* probe = nullptr;
  const int64_t start = cells * rank / ranks, count = cells * (rank + 1) / ranks - start;
  check(thalweg_start_text(MPI_COMM_WORLD, yaml.c_str(), "thalweg-probe", &session));
  check(thalweg_decompose(session, "x", &cells, 1, &start, &count, nullptr, nullptr, 0, &cut));
  check(thalweg_open_collection(session, "probe", &probe));
  check(thalweg_define_variable(probe, "cell", "time,x", THALWEG_INT64, cut, nullptr));
  for (int record = 0; record < records; ++record) {
    std::vector<int64_t> values;
    for (int64_t cell = start; cell < start + count; ++cell) values.push_back(record * cells + cell);
    check(thalweg_put(probe, "cell", values.data(), THALWEG_INT64, 1, &count, nullptr));
    check(thalweg_advance(session, record + 1.0));
  }
  check(thalweg_finish(&session));
}

}  // namespace

int main(int argc, char** argv) {
  Command command("thalweg-probe",
                  "Prints, as JSON, the MPI library with its thread level and the format libraries that Thalweg uses.",
                  "");
  std::string file;
  command.option("FILE.nc", file,
                 "all ranks write it by Thalweg: the variable 'cell' has 2 records of 16 cells, numbered from 0 on");
  if (const auto code = command.read(argc, argv)) return *code;
  int provided = 0, rank = 0, ranks = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!file.empty()) write(file, rank, ranks);
  if (rank == 0) {
    const ordered_json said = {{"thalweg", thalweg_version()},
                               {"mpi", mpi_library()},
                               {"thread_level", thread_level(provided)},
                               {"ranks", ranks},
                               {"hdf5", hdf5()},
                               {"netcdf", netcdf()},
                               {"pnetcdf", pnetcdf()}};
    std::printf("%s\n", said.dump(1, ' ', false, ordered_json::error_handler_t::replace).c_str());
  }
  MPI_Finalize();
  return 0;
}
