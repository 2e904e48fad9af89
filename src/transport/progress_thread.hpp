// Drives the MPI library while the model computes: most libraries move what is under way only while a rank is in one of
// their calls. It touches no request and no message; it only gives the library time. MPI must have been initialised
// with MPI_THREAD_MULTIPLE.
#pragma once

#include <mpi.h>

#include <atomic>
#include <thread>

#include "staging/futex.hpp"

namespace thalweg::transport {

// Whether another thread may call MPI beside the model's.
bool threads_may_call_mpi();

class ProgressThread {
 public:
  ProgressThread();
  ~ProgressThread() { stop(); }
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  // Something may be under way from now on, or nothing is: then it sleeps until it is told otherwise. It looks often at
  // first and less and less often then.
  void look(bool is_under_way);
  // It no longer calls MPI when this returns. Afterwards look() does nothing.
  void stop();

  double cpu_s() const { return cpu_s_; }  // that it took, once it is stopped
  std::int64_t looks() const { return looks_; }

 private:
  void run();

  MPI_Comm comm_ = MPI_COMM_NULL;  // of this rank alone
  staging::Word changes_{0};       // bumped when the thread should not sleep on
  std::atomic<bool> is_under_way_{false};
  std::atomic<std::uint32_t> tellings_{0};  // that something is under way
  std::atomic<bool> stopping_{false};
  double cpu_s_ = 0.0;
  std::int64_t looks_ = 0;
  std::thread thread_;
};

}  // namespace thalweg::transport
