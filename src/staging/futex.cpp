#include "staging/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cmath>
#include <ctime>

namespace thalweg::staging {

void futex_wait(Word& word, std::uint32_t expected, double timeout_s) {
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(timeout_s);
  timeout.tv_nsec = static_cast<long>((timeout_s - std::floor(timeout_s)) * 1e9);
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0);
}

void futex_wake_all(Word& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace thalweg::staging
