// This rank of all that run the tests, and their number.
#pragma once

#include <mpi.h>

namespace thalweg::transport {

inline int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int ranks() {
  int number = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}

}  // namespace thalweg::transport
