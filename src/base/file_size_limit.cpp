#include "base/file_size_limit.hpp"

#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <limits>

namespace thalweg {
namespace {

std::atomic<bool> is_limited{false};

sigset_t size_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

std::optional<std::int64_t> file_size_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  constexpr auto most = static_cast<rlim_t>(std::numeric_limits<std::int64_t>::max());
  return limit.rlim_cur > most ? std::nullopt : std::optional(static_cast<std::int64_t>(limit.rlim_cur));
}

void WithoutSizeSignal::look_at_limit() {
  is_limited.store(file_size_limit().has_value(), std::memory_order_relaxed);
}

WithoutSizeSignal::WithoutSizeSignal() {
  if (!is_limited.load(std::memory_order_relaxed)) return;
  const sigset_t set = size_signal();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  holds_ = sigismember(&before_, SIGXFSZ) == 0;
}

WithoutSizeSignal::~WithoutSizeSignal() {
  if (!holds_) return;
  const int error = errno;
  const sigset_t set = size_signal();
  const timespec at_once{};
  while (sigtimedwait(&set, nullptr, &at_once) == SIGXFSZ) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace thalweg
