// collections N FORMAT: writes N collections of eight small variables, five records each, and prints what memory of its
// own each rank has after them (RssAnon in KiB: staging, being shared, is not in it).
#include <thalweg.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

void check(int code) {
  if (code == THALWEG_OK) return;
  std::fprintf(stderr, "collections: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

long own_memory_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("RssAnon:", 0) == 0) return std::atol(line.c_str() + 8);
  return -1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int collections = argc > 1 ? std::atoi(argv[1]) : 1;
  const std::string format = argc > 2 ? argv[2] : "cdf5";
  constexpr int variables = 8;
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string yaml = "report: none\ncollections:\n";
  for (int c = 0; c < collections; ++c) yaml += "  c" + std::to_string(c) + ": {format: " + format + "}\n";

  thalweg_session* io = nullptr;
  check(thalweg_start_text(MPI_COMM_WORLD, yaml.c_str(), "collections", &io));
  const std::int64_t shape[2] = {16 * size, 64};
  const std::int64_t start[2] = {16 * rank, 0};
  const std::int64_t count[2] = {16, 64};
  thalweg_decomposition* rows = nullptr;
  check(thalweg_decompose(io, "y,x", shape, 1, start, count, nullptr, nullptr, 0, &rows));
  std::vector<thalweg_collection*> all;
  for (int c = 0; c < collections; ++c) {
    check(thalweg_open_collection(io, ("c" + std::to_string(c)).c_str(), &all.emplace_back()));
    for (int v = 0; v < variables; ++v)
      check(thalweg_define_variable(all.back(), ("v" + std::to_string(v)).c_str(), "time,y,x", THALWEG_FLOAT64, rows,
                                    nullptr));
  }
  check(thalweg_ready(io));
  const std::vector<double> field(16 * 64, 1.0 + rank);
  for (int record = 1; record <= 5; ++record) {
    for (thalweg_collection* collection : all)
      for (int v = 0; v < variables; ++v)
        check(thalweg_put(collection, ("v" + std::to_string(v)).c_str(), field.data(), THALWEG_FLOAT64, 2, count,
                          nullptr));
    check(thalweg_advance(io, record));
  }
  check(thalweg_wait(io));
  std::printf("rank %d: %ld\n", rank, own_memory_kib());
  check(thalweg_finish(&io));
  MPI_Finalize();
}
