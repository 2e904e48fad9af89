// Words on which the processes of a node sleep until another one has something for them. Lies in shared memory;
// lock-free.
#pragma once

#include <atomic>
#include <cstdint>

#include "staging/futex.hpp"

namespace thalweg::staging {

class alignas(64) WakeUps {
 public:
  // ---- bell: whoever has something for the writer rings it; the writer sleeps on it.
  void ring();
  std::uint32_t bell() const { return bell_.load(std::memory_order_acquire); }
  // For a writer that is stepped and sleeps on bell_word() itself.
  void listen_to_bell(bool listens);
  Word& bell_word() { return bell_; }
  void sleep_until_rung(std::uint32_t seen, double timeout_s);  // returns at once if it was rung since `seen`

  // ---- progress: changes when the writer has encoded chunks, committed records or published files, and when something
  // has failed; clients sleep on it.
  Word& progress_word() { return progress_; }
  void note_progress();

  // ---- how many wait for a free block; who can make some free sleeps on it while there is none.
  Word& block_waits() { return block_waits_; }
  void begin_block_wait();
  void end_block_wait();

  // Servers sleep on the bell, all others on the progress.
  void wake_all();

 private:
  Word bell_{0};
  std::atomic<std::uint32_t> asleep_{0};  // how many sleep on the bell
  Word progress_{0};
  Word block_waits_{0};
};

}  // namespace thalweg::staging
