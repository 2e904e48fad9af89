// Sums that several threads add to, and handlers of signals.
#pragma once

#include <stdint.h>

#if defined(__x86_64__) && __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
// An addition that is locked takes some 20 cycles, and an event has four of them. Where there is one thread, only its
// own handlers come between, and not within an instruction.
static inline void add_to(uint64_t* counter, uint64_t value) {
  if (__libc_single_threaded) {
    __asm__("addq %1, %0" : "+m"(*counter) : "er"(value) : "cc");
  } else {
    __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
  }
}
#else
static inline void add_to(uint64_t* counter, uint64_t value) {
  __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}
#endif
