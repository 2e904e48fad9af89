#include "roles/left_communicators.hpp"

#include <list>
#include <set>
#include <utility>

namespace thalweg::roles {
namespace {

std::set<MPI_Comm>& left() {
  static std::set<MPI_Comm> communicators;
  return communicators;
}

}  // namespace

// Never destroyed, because MPI may outlive what a program destroys at its end.
void leave_memory(std::shared_ptr<void> memory) {
  static auto& left_memory = *new std::list<std::shared_ptr<void>>();
  left_memory.push_back(std::move(memory));
}

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
