// Communicators with a collective operation that was begun and that not all ranks came to: the library goes on with it
// as long as MPI lives, also in MPI_Finalize, so they are never freed.
#pragma once

#include <mpi.h>

#include <memory>

namespace thalweg::roles {

void leave(MPI_Comm comm);
// What the library may look at as long as MPI lives.
void leave_memory(std::shared_ptr<void> memory);
// Null afterwards. Nothing happens once MPI has ended.
void free_unless_left(MPI_Comm& comm);

}  // namespace thalweg::roles
