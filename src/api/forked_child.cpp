#include "api/forked_child.hpp"

#include <pthread.h>

#include <atomic>

#include "api/handles.hpp"

namespace thalweg::api {
namespace {

std::atomic<bool> is_child{false};

// In the child, whose only thread has forked.
void leave_sessions_to_parent() {
  is_child = true;
  handles<thalweg_session>().for_each([](thalweg_session& handle) {
    auto open = thalweg_session::Life::open;
    handle.life.compare_exchange_strong(open, thalweg_session::Life::of_parent);
  });
}

}  // namespace

void watch_forks() {
  handles<thalweg_session>();  // which is made here, and not in a child
  static const int registered = pthread_atfork(nullptr, nullptr, leave_sessions_to_parent);
  static_cast<void>(registered);
}

bool is_forked_child() noexcept {
  return is_child;
}

}  // namespace thalweg::api
