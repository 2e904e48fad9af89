// Commands to the writer and its results, between two threads.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "block/commands.hpp"
#include "block/results.hpp"

namespace thalweg::block {

class CommandBook {
 public:
  void send(Command command) {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  std::vector<Command> take_commands() {
    const std::lock_guard lock(mutex_);
    return std::exchange(commands_, {});
  }
  void report(Result result) {
    const std::lock_guard lock(mutex_);
    results_.push_back(std::move(result));
  }
  bool has_results() {
    const std::lock_guard lock(mutex_);
    return !results_.empty();
  }
  std::vector<Result> take_results() {
    const std::lock_guard lock(mutex_);
    return std::exchange(results_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Command> commands_;
  std::vector<Result> results_;
};

}  // namespace thalweg::block
