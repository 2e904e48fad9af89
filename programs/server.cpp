// thalweg-server: a rank that only writes, beside the model's program in one launch.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "command.hpp"
#include "thalweg.h"

namespace {

int serve(const std::string& config) {
  const int code = thalweg_serve(MPI_COMM_WORLD, config.c_str());
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (code != THALWEG_OK) std::fprintf(stderr, "thalweg-server, rank %d: %s\n", rank, thalweg_error_text());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  Command command(
      "thalweg-server",
      "Serves the model that is started in the same launch (mpiexec -n 8 MODEL : -n 2 thalweg-server "
      "CONFIG.yaml) and calls thalweg_start with MPI_COMM_WORLD and the same configuration, until that calls "
      "thalweg_finish. Where the servers run says whether they share memory with clients: on the nodes of the "
      "model they do, on nodes of their own everything comes by message.",
      "The exit code is 0 if everything was written.");
  command.version(std::string("thalweg-server ") + thalweg_version());
  std::string config;
  command.option("CONFIG.yaml", config, "the configuration; without it everything is as by default");
  if (const auto code = command.read(argc, argv)) return *code;
  MPI_Init(&argc, &argv);
  const int code = serve(config);
  // What the model met it says itself; it may still be at it.
  MPI_Finalize();
  return code == THALWEG_OK ? 0 : 1;
}
