// The memory that ranks have.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace conform {

inline std::int64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::stoll(line.substr(6));
  return -1;
}

inline void print_memory(MPI_Comm comm, std::int64_t step) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const std::int64_t mine = resident_kib();
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks));
  MPI_Gather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, 0, comm);
  if (rank != 0) return;
  std::printf("memory %lld:", static_cast<long long>(step));
  for (const std::int64_t kib : all) std::printf(" %lld", static_cast<long long>(kib));
  std::printf("\n");
}

}  // namespace conform
