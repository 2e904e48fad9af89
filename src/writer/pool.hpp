// The threads of a node that encode chunks. They sleep when there is nothing to do.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "transform/encode.hpp"

namespace thalweg::writer {

class Pool {
 public:
  using Task = std::function<void(transform::EncodingTools&)>;
  // Called by a thread of the pool.
  using OnFailure = std::function<void(const Error&)>;

  // processors: numbers of those that the threads may use; empty: all that the process may. on_failure hears of what a
  // task throws.
  Pool(int threads, std::vector<int> processors, OnFailure on_failure)
      : wanted_(threads), processors_(std::move(processors)), on_failure_(std::move(on_failure)) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Tasks begin in the order in which they come. The first one starts the threads.
  void submit(Task task);

  // Drops what has not begun, and waits for what has.
  void stop();

 private:
  void add_thread();
  void run();

  int wanted_;
  std::vector<int> processors_;
  OnFailure on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace thalweg::writer
