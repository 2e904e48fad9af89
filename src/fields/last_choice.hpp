// Whether collections have chosen of all that is defined. Any put may be the first behind a definition, of any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "fields/error_of_choosing.hpp"

namespace thalweg::fields {

class LastChoice {
 public:
  // Of so many definitions, and it has not failed. Whoever sees that sees all that was done for it.
  bool is_of(std::int64_t changes) const { return changes_.load(std::memory_order_acquire) == changes && !failed_; }
  std::unique_lock<std::mutex> wait() { return std::unique_lock(choosing_); }
  // Where nobody else chooses. What fails fails until something else is defined: no collection is written beside others
  // that could not choose.
  template <typename Choose>
  void make(std::int64_t changes, const Choose& choose) {
    if (changes_ != changes) {
      failed_.reset();
      try {
        choose();
      } catch (...) {
        failed_ = error_of_choosing();
      }
      changes_.store(changes, std::memory_order_release);
    }
    if (failed_) throw *failed_;
  }
  void fail(const Error& error) { failed_ = error; }
  // It is made again, as it may have failed for want of what is not defined.
  void forget() { changes_ = -1; }

 private:
  std::mutex choosing_;
  std::atomic<std::int64_t> changes_{-1};
  std::optional<Error> failed_;
};

}  // namespace thalweg::fields
