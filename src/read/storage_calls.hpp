// Calls to the storage by a thread, for which a rank waits no longer than the deadline.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace thalweg::read {

// One for all inputs of a session, and one call at a time. The thread starts with the first call, and has nothing to do
// with MPI. If the storage stands still, the thread is left to it, and another one makes the calls from then on.
class StorageCalls {
 public:
  // processors: of the node, for threads that help to decode.
  explicit StorageCalls(double deadline_s, std::vector<int> processors = {})
      : deadline_s_(deadline_s), processors_(std::move(processors)) {}
  ~StorageCalls();
  StorageCalls(const StorageCalls&) = delete;
  StorageCalls& operator=(const StorageCalls&) = delete;

  // The call keeps alive what it uses, because a thread that was left comes back to it when the storage does. what: for
  // messages; threads: at most so many decode what it reads. Errors: MEMORY.
  void begin(std::string what, std::function<void()> call, int threads = 1);
  // Waits for the call that was begun. Errors: what the call throws; DEADLINE.
  void finish();

  void run(std::string what, std::function<void()> call) {
    begin(std::move(what), std::move(call));
    finish();
  }
  // What the call finds, which has no reference to anything that may go.
  template <typename Look>
  std::invoke_result_t<Look> found(std::string what, Look look) {
    const auto found = std::make_shared<std::optional<std::invoke_result_t<Look>>>();
    run(std::move(what), [found, look = std::move(look)] { found->emplace(look()); });
    return std::move(**found);
  }

 private:
  // With the thread.
  struct Shared {
    std::mutex mutex;
    std::condition_variable asked, done;
    std::function<void()> call;
    std::atomic<bool> is_under_way = false;  // asked for, and not yet done
    std::exception_ptr error;
    std::atomic<bool> ends = false;

    void work();
  };

  double deadline_s_;
  std::vector<int> processors_;
  std::string what_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::thread thread_;
};

}  // namespace thalweg::read
