// A call of MPI that other ranks take part in, which is counted for the profile (profile/mpi_counts.hpp).
#pragma once

#include <mpi.h>

#include <utility>

#include "profile/mpi_counts.hpp"

namespace thalweg::roles {

template <typename Call, typename... Arguments>
void call_counted(profile::MpiCall kind, Call call, Arguments&&... arguments) {
  profile::count_mpi_call(kind);
  call(std::forward<Arguments>(arguments)...);
}

template <typename Call, typename... Arguments>
void send_counted(Call call, Arguments&&... arguments) {
  call_counted(profile::MpiCall::message, call, std::forward<Arguments>(arguments)...);
}
template <typename Call, typename... Arguments>
void collective_counted(Call call, Arguments&&... arguments) {
  call_counted(profile::MpiCall::collective, call, std::forward<Arguments>(arguments)...);
}
inline void barrier_counted(MPI_Comm comm, MPI_Request* request) {
  call_counted(profile::MpiCall::barrier, MPI_Ibarrier, comm, request);
}

}  // namespace thalweg::roles
