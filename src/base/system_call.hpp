#pragma once

#include <cerrno>

namespace thalweg {

// The result of a system call that a signal of the model may interrupt: it is made again until none does.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace thalweg
