// The engine's way to the storage: every call goes through here, so that others see what the engine is at, so that
// writes are held back where their rate is limited, and so that the engine's state is anyone's while it is in a call.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "profile/counters.hpp"
#include "staging/failure_board.hpp"
#include "staging/process_states.hpp"
#include "storage/rate_limit.hpp"
#include "storage/storage_calls.hpp"

namespace thalweg::storage {

class StorageAccess {
 public:
  StorageAccess(staging::ProcessStates& processes, const staging::FailureBoard& failures,
                profile::WriterCounters& counters, std::int64_t bytes_per_s)
      : processes_(processes), failures_(failures), counters_(counters), limit_(bytes_per_s) {}

  // While this lives the engine is in one or more calls to the storage, and lets go of its state.
  class Call {
   public:
    Call(StorageAccess& access, staging::WriterActivity activity);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    StorageAccess& access_;
    StorageCallWatch watch_;
    bool lets_go_;
  };
  [[nodiscard]] Call call(staging::WriterActivity activity) { return {*this, activity}; }

  // The engine's state: its collections with their blocks, records and counters. Held by the engine while it works (by
  // turn()), or by another thread.
  std::mutex& state() { return state_; }
  std::unique_lock<std::mutex>& turn() { return turn_; }
  // When the call began that the engine is in; 0: it is in none.
  double in_call_since_s() const { return in_call_since_s_.load(std::memory_order_seq_cst); }

  const RateLimit& limit() const { return limit_; }
  // In a call, before so many bytes are written: returns when the limit allows it, or the engine is to end.
  void pace(std::int64_t bytes);
  // From any thread: nothing is held back any longer, or again.
  void hurry(bool hurries) { hurries_.store(hurries, std::memory_order_relaxed); }

 private:
  void tell(staging::WriterActivity activity);

  staging::ProcessStates& processes_;
  const staging::FailureBoard& failures_;
  profile::WriterCounters& counters_;
  RateLimit limit_;
  std::atomic<bool> hurries_{false};
  std::mutex state_;
  std::unique_lock<std::mutex> turn_{state_, std::defer_lock};
  std::atomic<double> in_call_since_s_{0.0};
};

}  // namespace thalweg::storage
