#include "storage/storage_access.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "base/seconds.hpp"

namespace thalweg::storage {

StorageAccess::Call::Call(StorageAccess& access, staging::WriterActivity activity)
    : access_(access), watch_([&access, activity] { access.tell(activity); }), lets_go_(access.turn_.owns_lock()) {
  access_.tell(activity);
  if (!lets_go_) return;
  access_.in_call_since_s_.store(now_s(), std::memory_order_seq_cst);
  access_.turn_.unlock();
}

StorageAccess::Call::~Call() {
  if (!lets_go_) return;
  access_.in_call_since_s_.store(0.0, std::memory_order_seq_cst);  // first: who holds the state is to hurry
  access_.turn_.lock();
}

void StorageAccess::tell(staging::WriterActivity activity) {
  processes_.set_activity(activity, now_s());
}

void StorageAccess::pace(std::int64_t bytes) {
  constexpr double longest_nap_s = 0.05;  // how late an end of the session may be noticed
  const double start_s = now_s();
  const double end_s = start_s + limit_.claim_s(bytes, start_s);
  if (end_s <= start_s) return;
  tell(staging::WriterActivity::pause);
  const Timer timer(counters_.paced_s);
  for (double now = start_s; now < end_s; now = now_s()) {
    if (hurries_.load(std::memory_order_relaxed) || failures_.has_writer_failed()) break;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(longest_nap_s, end_s - now)));
  }
  tell(staging::WriterActivity::write);
}

}  // namespace thalweg::storage
