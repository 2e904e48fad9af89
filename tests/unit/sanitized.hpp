// How often something is repeated in programs that a sanitizer makes slow: what it looks for shows sooner or not at
// all. Known when the program runs: the tests may be compiled for one without a sanitizer.
#pragma once

namespace thalweg::sanitized {

extern const int slowness;

template <typename Number>
Number fewer(Number times) {
  return times / slowness;
}

}  // namespace thalweg::sanitized
