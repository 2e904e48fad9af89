// The engine's way to the storage: every call goes through here, so that others see what the engine is at, and so that
// writes are held back where their rate is limited.
#pragma once

#include <atomic>
#include <cstdint>

#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "writer/rate_limit.hpp"

namespace thalweg::writer {

class StorageAccess {
 public:
  StorageAccess(staging::Control& control, profile::WriterCounters& counters, std::int64_t bytes_per_s)
      : control_(control), counters_(counters), limit_(bytes_per_s) {}

  // Tells what the engine does from now on.
  void begin(staging::WriterActivity activity);

  const RateLimit& limit() const { return limit_; }
  // Before so many bytes are written: returns when the limit allows it, or the engine is to end.
  void pace(std::int64_t bytes);
  // From any thread: nothing is held back any longer, or again.
  void hurry(bool hurries) { hurries_.store(hurries, std::memory_order_relaxed); }

 private:
  staging::Control& control_;
  profile::WriterCounters& counters_;
  RateLimit limit_;
  std::atomic<bool> hurries_{false};
};

}  // namespace thalweg::writer
