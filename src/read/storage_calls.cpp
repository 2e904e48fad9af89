#include "read/storage_calls.hpp"

#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/thread.hpp"
#include "formats/decoding_threads.hpp"
#include "read/running_wait.hpp"

namespace thalweg::read {
namespace {

// The call may itself wait for the deadline, for a thread that has HDF5, and knows better what for.
constexpr double longer_s = 0.5;

// To sleep and to be woken takes longer than to read what is small.
template <typename IsSo>
bool soon(const IsSo& is_so) {
  constexpr double look_s = 50e-6;
  for (const double begin_s = now_s(); now_s() - begin_s < look_s;) {
    if (is_so()) return true;
    std::this_thread::yield();
  }
  return is_so();
}

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

void StorageCalls::begin(std::string what, std::function<void()> call, int threads) {
  what_ = std::move(what);
  const std::unique_lock lock(shared_->mutex);
  if (!thread_.joinable()) thread_ = start_thread("that reads", [all = shared_] { all->work(); });
  shared_->call = [call = std::move(call), threads, processors = processors_] {
    const formats::DecodingThreads decoding(threads, processors);
    call();
  };
  shared_->error = nullptr;
  shared_->is_under_way = true;
  shared_->asked.notify_one();
}

void StorageCalls::finish() {
  const auto is_done = [&] { return !shared_->is_under_way; };
  bool is_in_time = soon(is_done);
  std::unique_lock lock(shared_->mutex);
  is_in_time = is_in_time || wait_running(shared_->done, lock, deadline_s_ + longer_s, is_done);
  if (is_in_time) {
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
                  what_, deadline_s_, deadline_s_));
}

void StorageCalls::Shared::work() {
  const auto is_asked = [&] { return ends || is_under_way; };
  std::unique_lock lock(mutex, std::defer_lock);
  for (;;) {
    soon(is_asked);
    lock.lock();
    asked.wait(lock, is_asked);
    if (!is_under_way) return;
    std::function<void()> now = std::exchange(call, nullptr);
    std::exception_ptr met;
    lock.unlock();
    try {
      now();
    } catch (...) {
      met = std::current_exception();
    }
    now = nullptr;  // what it has kept alive may be the last of its kind
    lock.lock();
    error = met;
    is_under_way = false;
    done.notify_one();
    if (ends) return;
    lock.unlock();
  }
}

}  // namespace thalweg::read
