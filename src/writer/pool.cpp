#include "writer/pool.hpp"

#include <utility>

#include "base/processors.hpp"
#include "base/thread.hpp"

namespace thalweg::writer {

Pool::~Pool() {
  stop();
}

void Pool::submit(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (static_cast<int>(threads_.size()) < wanted_) add_thread();
  }
  changed_.notify_one();
}

// Where the system gives no more threads, those that are there do the work.
void Pool::add_thread() {
  try {
    threads_.push_back(start_thread("that encodes chunks", [this] { run(); }));
  } catch (const Error&) {
    if (threads_.empty()) throw;
    wanted_ = static_cast<int>(threads_.size());
  }
}

void Pool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : std::exchange(threads_, {})) thread.join();
}

void Pool::run() {
  use_processors(processors_);
  transform::EncodingTools tools;
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
    if (stopping_) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    try {
      task(tools);
    } catch (...) {
      on_failure_(error_in_flight("in a thread that encodes chunks"));
    }
  }
}

}  // namespace thalweg::writer
