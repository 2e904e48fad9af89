#include "roles/left_communicators.hpp"

#include <set>
#include <utility>

namespace thalweg::roles {
namespace {

std::set<MPI_Comm>& left() {
  static std::set<MPI_Comm> communicators;
  return communicators;
}

}  // namespace

void leave(MPI_Comm comm) {
  left().insert(comm);
}

void free_unless_left(MPI_Comm& comm) {
  MPI_Comm own = std::exchange(comm, MPI_COMM_NULL);
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && own != MPI_COMM_NULL && !left().contains(own)) MPI_Comm_free(&own);
}

}  // namespace thalweg::roles
