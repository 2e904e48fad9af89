// Sleeping and waking across processes on a 32-bit word in shared memory. (source: futex(2); the shared, not the
// private operations.) A sleeper costs nothing and wakes in 20 to 50 microseconds.
#pragma once

#include <atomic>
#include <cstdint>

namespace thalweg::staging {

using Word = std::atomic<std::uint32_t>;
static_assert(sizeof(Word) == 4 && Word::is_always_lock_free);

// Sleeps until woken, but not if *word no longer is expected, and not longer than timeout_s. May wake without cause.
void futex_wait(Word& word, std::uint32_t expected, double timeout_s);
void futex_wake_all(Word& word);

}  // namespace thalweg::staging
