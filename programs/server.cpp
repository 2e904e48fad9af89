// thalweg-server: a rank that only writes, beside the model's program in one launch.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "thalweg.h"

namespace {

constexpr const char* usage = R"(usage: mpiexec -n 8 MODEL : -n 2 thalweg-server [CONFIG.yaml]

Serves the model that is started in the same launch and calls thalweg_start with MPI_COMM_WORLD and the same
configuration, until that calls thalweg_finish. Where the servers run says whether they share memory with clients: on
the nodes of the model they do, on nodes of their own everything comes by message.

  -h, --help     show this text
  --version      show the version of Thalweg

The exit code is 0 if everything was written.
)";

int serve(const std::string& config) {
  const int code = thalweg_serve(MPI_COMM_WORLD, config.c_str());
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (code != THALWEG_OK) std::fprintf(stderr, "thalweg-server, rank %d: %s\n", rank, thalweg_error_text());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == "-h" || word == "--help") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (word == "--version") {
    std::printf("thalweg-server %s\n", thalweg_version());
    return 0;
  }
  if (argc > 2 || word.starts_with("-")) {
    std::fprintf(stderr,
                 "thalweg-server: one configuration file at most is expected; thalweg-server --help says how\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  const int code = serve(word);
  // What the model met it says itself; it may still be at it.
  MPI_Finalize();
  return code == THALWEG_OK ? 0 : 1;
}
