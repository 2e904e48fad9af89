#include "read/storage_calls.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/thread.hpp"
#include "read/running_wait.hpp"

namespace thalweg::read {
namespace {

// The call may itself wait for the deadline, for a thread that has HDF5, and knows better what for.
constexpr double longer_s = 0.5;

}  // namespace

// A call that is under way belongs to a thread that was left.
StorageCalls::~StorageCalls() {
  if (!thread_.joinable()) return;
  {
    const std::unique_lock lock(shared_->mutex);
    shared_->ends = true;
    shared_->asked.notify_one();
  }
  thread_.join();
}

void StorageCalls::run(const std::string& what, std::function<void()> call) {
  std::unique_lock lock(shared_->mutex);
  if (!thread_.joinable()) thread_ = start_thread("that reads", [all = shared_] { all->work(); });
  shared_->call = std::move(call);
  shared_->error = nullptr;
  shared_->asked.notify_one();
  if (wait_running(shared_->done, lock, deadline_s_ + longer_s, [&] { return !shared_->call; })) {
    if (shared_->error) std::rethrow_exception(std::exchange(shared_->error, nullptr));
    return;
  }
  shared_->ends = true;
  lock.unlock();
  thread_.detach();
  shared_ = std::make_shared<Shared>();
  throw Error::of_storage(
      fmt::format("{}: the storage has not given what is read for {:g} s (deadline: {:g} s), and is not waited for any "
                  "longer; look at the file system, or raise 'deadline' if it is only slow",
                  what, deadline_s_, deadline_s_));
}

// A call ends before it is known to be done: what it has kept alive may be the last of its kind.
void StorageCalls::Shared::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    asked.wait(lock, [&] { return ends || call; });
    if (!call) return;
    const std::function<void()>* const under_way = &call;
    std::exception_ptr met;
    lock.unlock();
    try {
      (*under_way)();
    } catch (...) {
      met = std::current_exception();
    }
    lock.lock();
    error = met;
    call = nullptr;
    done.notify_one();
    if (ends) return;
  }
}

}  // namespace thalweg::read
