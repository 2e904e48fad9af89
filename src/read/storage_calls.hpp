// Calls to the storage by a thread, for which a rank waits no longer than the deadline.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace thalweg::read {

// One for all inputs of a session. The thread starts with the first call, and has nothing to do with MPI. If the storage
// stands still, the thread is left to it, and another one makes the calls from then on.
class StorageCalls {
 public:
  explicit StorageCalls(double deadline_s) : deadline_s_(deadline_s) {}
  ~StorageCalls();
  StorageCalls(const StorageCalls&) = delete;
  StorageCalls& operator=(const StorageCalls&) = delete;

  // The call keeps alive what it uses, because a thread that was left comes back to it when the storage does. what: for
  // messages. Errors: what the call throws; DEADLINE; MEMORY.
  void run(const std::string& what, std::function<void()> call);

 private:
  // With the thread.
  struct Shared {
    std::mutex mutex;
    std::condition_variable asked, done;
    std::function<void()> call;  // nothing: none is asked for, or under way
    std::exception_ptr error;
    bool ends = false;

    void work();
  };

  double deadline_s_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::thread thread_;
};

}  // namespace thalweg::read
