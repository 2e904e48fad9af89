// A thread that holds a lock of the tracer, or has announced what others wait for, is neither cancelled nor interrupted
// by a handler, which might leave by siglongjmp: others would wait without end.
#pragma once

#include <signal.h>

// What is seldom done has its large frame by itself: calls that are traced often must not make room for it.
#define NEVER_INLINE __attribute__((noinline))

struct Quiet {
  sigset_t signals;
  int cancelling;
};

void thw_quiet_begin(struct Quiet* before);
void thw_quiet_end(const struct Quiet* before);
