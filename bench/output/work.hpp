// Computing that depends on nothing but the processor: a fixed number of multiply-adds, each of which needs the one
// before. A timer instead would hide what output takes away from the model.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace bench {

void compute(std::int64_t multiply_adds);

// The number of multiply-adds that takes all ranks of an undisturbed node together `seconds` of wall time. It comes
// from processor time, the best of several tries, so that other programs running now do not count. Collective.
std::int64_t calibrate(MPI_Comm comm, double seconds);

}  // namespace bench
