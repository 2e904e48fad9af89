#include "staging/wake_ups.hpp"

namespace thalweg::staging {

// The writer says that it sleeps before it looks at the bell for the last time, and the ringer looks for sleepers after
// it rang: with sequentially consistent order one of the two sees the other.
void WakeUps::ring() {
  bell_.fetch_add(1, std::memory_order_seq_cst);
  if (asleep_.load(std::memory_order_seq_cst) != 0) futex_wake_all(bell_);
}

void WakeUps::sleep_until_rung(std::uint32_t seen, double timeout_s) {
  listen_to_bell(true);
  if (bell_.load(std::memory_order_seq_cst) == seen) futex_wait(bell_, seen, timeout_s);
  listen_to_bell(false);
}

void WakeUps::listen_to_bell(bool listens) {
  if (listens)
    asleep_.fetch_add(1, std::memory_order_seq_cst);
  else
    asleep_.fetch_sub(1, std::memory_order_seq_cst);
}

void WakeUps::note_progress() {
  progress_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake_all(progress_);
}

void WakeUps::begin_block_wait() {
  if (block_waits_.fetch_add(1, std::memory_order_seq_cst) == 0) futex_wake_all(block_waits_);
}

void WakeUps::end_block_wait() {
  block_waits_.fetch_sub(1, std::memory_order_seq_cst);
}

void WakeUps::wake_all() {
  note_progress();
  ring();
}

}  // namespace thalweg::staging
