#include "transport/group.hpp"

#include "roles/meeting.hpp"

namespace thalweg::transport {

Group::Group(const roles::Circle& of, bool is_member)
    : circle_(of.of(roles::split(of, is_member ? 0 : MPI_UNDEFINED, of.rank()))) {}

Group::~Group() {
  circle_.free();
}

int Group::size() const {
  return circle_.comm() == MPI_COMM_NULL ? 0 : circle_.size();
}

}  // namespace thalweg::transport
