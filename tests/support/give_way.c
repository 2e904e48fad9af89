/* For LD_PRELOAD: who waits gives way. Ranks that wait for a message call sched_yield without end, so that of several
 * jobs on few processors those that wait take as much time as those that compute. After some calls that follow each
 * other this one sleeps, for longer and longer, until its thread has done something else. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t has_worked_ns = 1000000; /* between two calls */
static const unsigned yields = 200;
static const unsigned short_naps = 2000;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int sched_yield(void) {
  static __thread unsigned calls;
  static __thread int64_t last_ns;
  if (now_ns() - last_ns > has_worked_ns) calls = 0;
  ++calls;
  if (calls > yields) {
    const struct timespec nap = {0, calls < yields + short_naps ? 50000 : 500000};
    nanosleep(&nap, NULL);
  } else {
    syscall(SYS_sched_yield);
  }
  last_ns = now_ns();
  return 0;
}
