// How often something is repeated in programs that a sanitizer makes slow: what it looks for shows sooner or not at
// all.
#pragma once

namespace thalweg::sanitized {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int slowness = 10;
#else
constexpr int slowness = 1;
#endif

template <typename Number>
constexpr Number fewer(Number times) {
  return times / slowness;
}

}  // namespace thalweg::sanitized
