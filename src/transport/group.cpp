#include "transport/group.hpp"

#include "roles/left_communicators.hpp"

namespace thalweg::transport {

Group::Group(MPI_Comm of, bool is_member) {
  int rank = 0;
  MPI_Comm_rank(of, &rank);
  MPI_Comm_split(of, is_member ? 0 : MPI_UNDEFINED, rank, &comm_);
}

Group::~Group() {
  roles::free_unless_left(comm_);
}

int Group::size() const {
  int size = 0;
  if (comm_ != MPI_COMM_NULL) MPI_Comm_size(comm_, &size);
  return size;
}

}  // namespace thalweg::transport
