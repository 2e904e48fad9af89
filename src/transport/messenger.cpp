#include "transport/messenger.hpp"

#include "base/clock.hpp"
#include "transport/collective.hpp"

namespace thalweg::transport {

void see_off(Messenger& messenger, MPI_Comm comm, double patience_s) {
  for (const double start_s = now_s(); !messenger.is_idle() && now_s() - start_s < patience_s;) make_progress(comm);
}

}  // namespace thalweg::transport
