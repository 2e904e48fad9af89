#include "writer/spiller.hpp"

#include <chrono>
#include <limits>
#include <mutex>

#include "base/clock.hpp"
#include "base/thread.hpp"

namespace thalweg::writer {
namespace {

// A shorter wait costs the model less than a block that is written twice and read.
constexpr double patience_with_storage_s = 0.01;
constexpr double longest_nap_s = 0.25;

void nap(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace

Spiller::~Spiller() {
  stop(std::numeric_limits<double>::infinity());
}

void Spiller::start() {
  stop_ = false;
  thread_ = start_thread("that spills blocks", ended_, [this] { run(); });
}

bool Spiller::stop(double patience_s) {
  if (!thread_.joinable()) return ended_.load(std::memory_order_acquire);
  stop_.store(true, std::memory_order_release);
  const double start_s = now_s();
  while (!ended_.load(std::memory_order_acquire)) {
    if (now_s() - start_s > patience_s) {
      thread_.detach();
      return false;
    }
    wake_ups_.ring();
    staging::futex_wake_all(wake_ups_.block_waits());
    nap(0.0001);
  }
  thread_.join();
  return true;
}

void Spiller::run() {
  while (!is_over()) {
    if (wake_ups_.block_waits().load(std::memory_order_seq_cst) == 0) {
      staging::futex_wait(wake_ups_.block_waits(), 0, longest_nap_s);
      continue;
    }
    const double since_s = access_.in_call_since_s();
    if (since_s > 0.0 && now_s() - since_s > patience_with_storage_s)
      save_during(since_s);
    else
      nap(patience_with_storage_s);
  }
}

// As long as the call lasts, blocks are saved as soon as they are complete, so that the next put finds a free one.
void Spiller::save_during(double call_since_s) {
  while (!is_over() && access_.in_call_since_s() == call_since_s) {
    const std::uint32_t seen = wake_ups_.bell();
    if (!save_one_during(call_since_s)) wake_ups_.sleep_until_rung(seen, longest_nap_s);
  }
}

bool Spiller::save_one_during(double call_since_s) {
  const std::lock_guard held(access_.state());
  if (access_.in_call_since_s() != call_since_s) return false;  // the engine is back
  try {
    return save_one_();
  } catch (...) {
    failures_.report_writer(error_in_flight("in the writer"));
  }
  return false;
}

}  // namespace thalweg::writer
