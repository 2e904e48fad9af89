#include "work.hpp"

#include <algorithm>
#include <thread>

#include "clock.hpp"

namespace bench {

void compute(std::int64_t multiply_adds) {
  double value = 0.5;
  for (std::int64_t i = 0; i < multiply_adds; ++i) value = value * 0.999999 + 0.1e-5;
  volatile double sink = value;  // keeps the loop from being dropped
  static_cast<void>(sink);
}

std::int64_t calibrate(MPI_Comm comm, double seconds) {
  constexpr std::int64_t trial = 50'000'000;
  double best_s = 1e9;
  for (int attempt = 0; attempt < 5; ++attempt) {
    double elapsed_s = -thread_cpu_s();
    compute(trial);
    elapsed_s += thread_cpu_s();
    MPI_Allreduce(MPI_IN_PLACE, &elapsed_s, 1, MPI_DOUBLE, MPI_MAX, comm);
    best_s = std::min(best_s, elapsed_s);
  }
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const double cores = static_cast<double>(std::thread::hardware_concurrency());
  return static_cast<std::int64_t>(trial * (seconds / best_s) * std::min(1.0, cores / ranks));
}

}  // namespace bench
