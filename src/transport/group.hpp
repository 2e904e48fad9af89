// Some of the session's ranks, with a communicator of their own.
#pragma once

#include <mpi.h>

#include <utility>

namespace thalweg::transport {

class Group {
 public:
  // Collective over `of`; ranks that are no member get a group without communicator.
  Group(MPI_Comm of, bool is_member);
  Group(Group&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  Group& operator=(Group&&) = delete;
  ~Group();

  MPI_Comm comm() const { return comm_; }
  int size() const;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace thalweg::transport
