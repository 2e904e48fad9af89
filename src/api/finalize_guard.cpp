#include "api/finalize_guard.hpp"

#include <utility>

namespace thalweg::api {

// MPI_Finalize deletes the attributes of MPI_COMM_SELF before it does anything else (MPI 3.1, section 8.7.1).
FinalizeGuard::FinalizeGuard(std::function<void()> on_finalize) : on_finalize_(std::move(on_finalize)) {
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &FinalizeGuard::deleted, &key_, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key_, this);
}

FinalizeGuard::~FinalizeGuard() {
  on_finalize_ = nullptr;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  MPI_Comm_delete_attr(MPI_COMM_SELF, key_);
  MPI_Comm_free_keyval(&key_);
}

int FinalizeGuard::deleted(MPI_Comm /*comm*/, int /*key*/, void* guard, void* /*extra*/) {
  const auto& on_finalize = static_cast<FinalizeGuard*>(guard)->on_finalize_;
  if (on_finalize) on_finalize();
  return MPI_SUCCESS;
}

}  // namespace thalweg::api
