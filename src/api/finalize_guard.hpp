// Hears of it when the program ends MPI while a session is open: its servers would wait for orders for ever.
#pragma once

#include <mpi.h>

#include <functional>

namespace thalweg::api {

class FinalizeGuard {
 public:
  // on_finalize is called at the beginning of MPI_Finalize, when MPI can still be used, if this still exists then.
  explicit FinalizeGuard(std::function<void()> on_finalize);
  ~FinalizeGuard();
  FinalizeGuard(const FinalizeGuard&) = delete;
  FinalizeGuard& operator=(const FinalizeGuard&) = delete;

 private:
  static int deleted(MPI_Comm comm, int key, void* guard, void* extra);

  std::function<void()> on_finalize_;
  int key_ = MPI_KEYVAL_INVALID;
};

}  // namespace thalweg::api
