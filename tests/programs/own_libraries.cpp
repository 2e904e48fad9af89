// A program that calls PnetCDF itself, beside sessions:
//
//   own_libraries STEP...
//
// A step is `pnetcdf`, by which all ranks write own<N>.nc with PnetCDF, or the name of a configuration, by which a
// session writes two records of its collection `history`, or `mpiio`, which finds out whose MPI-IO this process has.
// Each rank prints how often the program, or anything that takes its functions for PnetCDF's, has called ncmpi_create.
//
// The program has that function under its own name, as one does that is linked with another PnetCDF, or with a wrapper.
#include <dlfcn.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "thalweg.h"

namespace {

int creations = 0;
int own_files = 0;
int rank = 0;
int ranks = 1;

void require(bool is_well, const char* what) {
  if (is_well) return;
  std::fprintf(stderr, "own_libraries: %s: %s\n", what, thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void write_by_pnetcdf() {
  const std::string name = "own" + std::to_string(own_files++) + ".nc";
  int id = -1, dimension = -1, variable = -1;
  require(ncmpi_create(MPI_COMM_WORLD, name.c_str(), NC_CLOBBER, MPI_INFO_NULL, &id) == NC_NOERR, "ncmpi_create");
  require(ncmpi_def_dim(id, "rank", ranks, &dimension) == NC_NOERR, "ncmpi_def_dim");
  require(ncmpi_def_var(id, "v", NC_INT, 1, &dimension, &variable) == NC_NOERR, "ncmpi_def_var");
  require(ncmpi_enddef(id) == NC_NOERR, "ncmpi_enddef");
  const MPI_Offset start = rank, count = 1;
  const int value = 10 * own_files + rank;
  require(ncmpi_put_vara_int_all(id, variable, &start, &count, &value) == NC_NOERR, "ncmpi_put_vara_int_all");
  require(ncmpi_close(id) == NC_NOERR, "ncmpi_close");
}

void write_in_session(const char* configuration) {
  thalweg_session* session = nullptr;
  thalweg_decomposition* cut = nullptr;
  thalweg_collection* history = nullptr;
  const int64_t shape = ranks, start = rank, count = 1;
  require(thalweg_start(MPI_COMM_WORLD, configuration, &session) == THALWEG_OK, "start");
  require(thalweg_decompose(session, "x", &shape, 1, &start, &count, nullptr, nullptr, 0, &cut) == THALWEG_OK,
          "decompose");
  require(thalweg_open_collection(session, "history", &history) == THALWEG_OK, "open");
  require(thalweg_define_variable(history, "v", "time,x", THALWEG_INT32, cut, nullptr) == THALWEG_OK, "define");
  for (int record = 0; record < 2; ++record) {
    const int value = 10 * record + rank;
    require(thalweg_put(history, "v", &value, THALWEG_INT32, 1, &count, nullptr) == THALWEG_OK, "put");
    require(thalweg_advance(session, record + 1.0) == THALWEG_OK, "advance");
  }
  require(thalweg_finish(&session) == THALWEG_OK, "finish");
}

// ROMIO takes what comes before a colon for the name of a file system, and knows none of this name.
const char* mpiio() {
  const std::string path = "nothing:probe" + std::to_string(rank);
  MPI_File file = MPI_FILE_NULL;
  const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
  if (MPI_File_open(MPI_COMM_SELF, path.c_str(), mode, MPI_INFO_NULL, &file) != MPI_SUCCESS) return "ROMIO";
  MPI_File_close(&file);
  return "OMPIO";
}

}  // namespace

extern "C" int ncmpi_create(MPI_Comm comm, const char* path, int mode, MPI_Info info, int* id) {
  ++creations;
  using Create = int (*)(MPI_Comm, const char*, int, MPI_Info, int*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "ncmpi_create"));
  return create(comm, path, mode, info, id);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::string said;
  for (int i = 1; i < argc; ++i) {
    const std::string_view step = argv[i];
    if (step == "pnetcdf")
      write_by_pnetcdf();
    else if (step == "mpiio")
      said += std::string(" ") + mpiio();
    else
      write_in_session(argv[i]);
  }
  std::printf("rank %d: %d%s\n", rank, creations, said.c_str());
  MPI_Finalize();
  return 0;
}
