// The thread that makes blocks free while the engine is in a call to the storage. It sleeps until somebody waits for a
// block, looks whether the call takes long, and then has complete blocks saved, one after the other, until the engine
// is back.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "staging/failure_board.hpp"
#include "staging/wake_ups.hpp"
#include "storage/storage_access.hpp"

namespace thalweg::writer {

class Spiller {
 public:
  // save_one: saves a complete block; false if there is none, or no room. It is called with the engine's state held.
  Spiller(staging::WakeUps& wake_ups, staging::FailureBoard& failures, storage::StorageAccess& access,
          std::function<bool()> save_one)
      : wake_ups_(wake_ups), failures_(failures), access_(access), save_one_(std::move(save_one)) {}
  ~Spiller();
  Spiller(const Spiller&) = delete;
  Spiller& operator=(const Spiller&) = delete;

  void start();
  bool stop(double patience_s);  // as Engine::stop

 private:
  void run();
  bool is_over() const { return stop_.load(std::memory_order_acquire) || failures_.has_writer_failed(); }
  void save_during(double call_since_s);
  bool save_one_during(double call_since_s);

  staging::WakeUps& wake_ups_;
  staging::FailureBoard& failures_;
  storage::StorageAccess& access_;
  std::function<bool()> save_one_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> ended_{true};
  std::thread thread_;
};

}  // namespace thalweg::writer
