#include "transport/progress_thread.hpp"

#include <time.h>

#include <algorithm>

#include "base/clock.hpp"
#include "base/thread.hpp"
#include "transport/collective.hpp"

namespace thalweg::transport {
namespace {

// A long message moves in many looks where the library copies it in pieces; one that waits for its receiver may wait as
// long as that computes.
constexpr double shortest_interval_s = 0.00005;
constexpr double longest_interval_s = 0.005;
constexpr double interval_share = 0.02;  // of the time since something was told to be under way
constexpr double longest_sleep_s = 60.0;

double own_cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

bool threads_may_call_mpi() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE;
}

// The communicator has one member, so that a look does not search messages of others, whose number grows with the job.
ProgressThread::ProgressThread() {
  MPI_Comm_dup(MPI_COMM_SELF, &comm_);
  thread_ = start_thread("that drives MPI", [this] { run(); });
}

// A thread that looks anyway hears of something new at its next look, so that a put makes no system call for it.
void ProgressThread::look(bool is_under_way) {
  if (is_under_way) tellings_.fetch_add(1, std::memory_order_relaxed);
  if (is_under_way_.exchange(is_under_way) == is_under_way || !is_under_way) return;
  changes_.fetch_add(1, std::memory_order_seq_cst);
  staging::futex_wake_all(changes_);
}

void ProgressThread::stop() {
  if (!thread_.joinable()) return;
  stopping_.store(true, std::memory_order_seq_cst);
  changes_.fetch_add(1, std::memory_order_seq_cst);
  staging::futex_wake_all(changes_);
  thread_.join();
  MPI_Comm_free(&comm_);
}

void ProgressThread::run() {
  std::uint32_t heard = 0;
  double told_s = 0.0;
  for (;;) {
    const std::uint32_t seen = changes_.load(std::memory_order_seq_cst);
    if (stopping_.load(std::memory_order_seq_cst)) break;
    if (!is_under_way_.load(std::memory_order_seq_cst)) {
      staging::futex_wait(changes_, seen, longest_sleep_s);
      continue;
    }
    make_progress(comm_);
    ++looks_;
    const double now = now_s();
    if (const std::uint32_t told = tellings_.load(std::memory_order_relaxed); told != heard) {
      heard = told;
      told_s = now;
    }
    staging::futex_wait(changes_, seen,
                        std::clamp((now - told_s) * interval_share, shortest_interval_s, longest_interval_s));
  }
  cpu_s_ = own_cpu_s();
}

}  // namespace thalweg::transport
