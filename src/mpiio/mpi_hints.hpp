// Hints as MPI takes them.
#pragma once

#include <mpi.h>

#include <string>

#include "config/settings.hpp"

namespace thalweg::mpiio {

// An MPI_Info object with these hints; MPI_INFO_NULL without any.
class MpiInfo {
 public:
  explicit MpiInfo(const config::Hints& hints);
  explicit MpiInfo(MPI_Info owned) : info_(owned) {}
  ~MpiInfo();
  MpiInfo(const MpiInfo&) = delete;
  MpiInfo& operator=(const MpiInfo&) = delete;

  operator MPI_Info() const { return info_; }
  config::Hints hints() const;

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// Opens the file a moment with these hints, and asks which of them MPI-IO keeps. Collective over comm.
config::Hints hints_in_force(MPI_Comm comm, const std::string& path, MPI_Info asked);

// A hint that no library knows. One that tells it back repeats what it is given, as Open MPI does, whatever its MPI-IO
// makes of it: then what is in force is not known.
inline constexpr const char* unknown_hint = "thalweg_unknown";

// Takes out of `told` what it only repeats of `asked`; true: it repeats. PnetCDF's own hints it does know.
bool take_out_repeated(config::Hints& told, const config::Hints& asked);

}  // namespace thalweg::mpiio
