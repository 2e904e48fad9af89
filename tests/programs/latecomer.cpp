// A model in which one rank comes late to a collective step, in many sessions one after the other:
//
//   latecomer RANK LATE_S FIRST STRIDE LAST
//
// In session n the rank sleeps for LATE_S seconds before the nth collective MPI call that it makes in a session; n goes
// from FIRST to LAST, in steps of STRIDE, until a session has no more than n. The configuration is thalweg.yaml.
// rank<N>.jsonl has what the calls of all sessions returned, with labels such as "7 decompose", and under "7 steps" how
// many such calls the session made.
//
// The calls are counted where the library makes them: this program has them under the names of MPI and passes them on.
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <string>

#include "outcomes.hpp"

namespace {

long steps = 0;
long late_at = 0;  // 0: this rank comes in time
double late_s = 0.0;

void count_step() {
  if (++steps == late_at) usleep(static_cast<useconds_t>(late_s * 1e6));
}

}  // namespace

#define COUNTED(NAME, PARAMETERS, ARGUMENTS) \
  int MPI_##NAME PARAMETERS {                \
    count_step();                            \
    return PMPI_##NAME ARGUMENTS;            \
  }

extern "C" {
// clang-format off
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Ibarrier, (MPI_Comm c, MPI_Request* r), (c, r))
COUNTED(Bcast, (void* b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
COUNTED(Ibcast, (void* b, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request* r), (b, n, t, root, c, r))
COUNTED(Allreduce, (const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, b, n, t, o, c))
COUNTED(Iallreduce, (const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* r), (s, b, n, t, o, c, r))
COUNTED(Scan, (const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, b, n, t, o, c))
COUNTED(Iscan, (const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* r), (s, b, n, t, o, c, r))
COUNTED(Allgather, (const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c), (s, n, t, b, m, u, c))
COUNTED(Iallgather, (const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* r), (s, n, t, b, m, u, c, r))
COUNTED(Gather, (const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int root, MPI_Comm c), (s, n, t, b, m, u, root, c))
COUNTED(Igather, (const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int root, MPI_Comm c, MPI_Request* r), (s, n, t, b, m, u, root, c, r))
COUNTED(Gatherv, (const void* s, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, int root, MPI_Comm c), (s, n, t, b, m, d, u, root, c))
COUNTED(Igatherv, (const void* s, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, int root, MPI_Comm c, MPI_Request* r), (s, n, t, b, m, d, u, root, c, r))
COUNTED(Comm_dup, (MPI_Comm c, MPI_Comm* made), (c, made))
COUNTED(Comm_idup, (MPI_Comm c, MPI_Comm* made, MPI_Request* r), (c, made, r))
// clang-format on
}

namespace {

constexpr std::int64_t rows = 8, columns = 6;

class Model {
 public:
  Model(MPI_Comm comm, std::string name, outcomes::Log& log) : comm_(comm), name_(std::move(name)), log_(log) {}

  void run() {
    if (call("start", [&] { return thalweg_start(comm_, "thalweg.yaml", &session_); }) != 0) return;
    int is_client = 0;
    thalweg_is_client(session_, &is_client);
    if (is_client != 0) write();
    call("finish", [&] { return thalweg_finish(&session_); });
  }

 private:
  template <typename Call>
  int call(const std::string& label, const Call& body) {
    return log_(name_ + " " + label, body);
  }

  void write() {
    MPI_Comm comm = MPI_COMM_NULL;
    thalweg_model_comm(session_, &comm);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const std::array<std::int64_t, 2> shape = {rows, columns};
    const std::array<std::int64_t, 2> start = {rows * rank / ranks, 0};
    const std::array<std::int64_t, 2> count = {rows * (rank + 1) / ranks - start[0], columns};
    thalweg_decomposition* cells = nullptr;
    const auto decompose = [&] {
      return thalweg_decompose(session_, "y,x", shape.data(), 1, start.data(), count.data(), nullptr, nullptr, 0,
                               &cells);
    };
    if (call("decompose", decompose) != 0) return;
    thalweg_collection* history = nullptr;
    thalweg_open_collection(session_, "history", &history);
    thalweg_define_variable(history, "temp", "time,y,x", THALWEG_FLOAT64, cells, nullptr);
    if (call("ready", [&] { return thalweg_ready(session_); }) != 0) return;
    const std::array<double, rows * columns> field{};
    if (call("put", [&] {
          return thalweg_put(history, "temp", field.data(), THALWEG_FLOAT64, 2, count.data(), nullptr);
        }) != 0)
      return;
    call("advance", [&] { return thalweg_advance(session_, 600.0); });
  }

  MPI_Comm comm_;
  std::string name_;
  outcomes::Log& log_;
  thalweg_session* session_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 6) return 2;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int late_rank = std::atoi(argv[1]);
  late_s = std::atof(argv[2]);
  outcomes::Log log(rank);
  long made = 0;
  for (long at = std::atol(argv[3]); at <= std::atol(argv[5]) && made >= 0; at += std::atol(argv[4])) {
    MPI_Comm comm = MPI_COMM_NULL;  // of a session that fails it cannot be used again
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    steps = 0;
    late_at = rank == late_rank ? at : 0;
    Model(comm, std::to_string(at), log).run();
    log(std::to_string(at) + " steps", [&] { return static_cast<int>(steps); });
    late_at = 0;
    made = steps < at ? -1 : steps;
    PMPI_Bcast(&made, 1, MPI_LONG, late_rank, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
