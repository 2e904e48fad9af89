#include "quiet.h"

#include <pthread.h>
#include <stddef.h>

void thw_quiet_begin(struct Quiet* before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before->signals);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before->cancelling);
}

// Signals last: a handler that is let in here may not come back.
void thw_quiet_end(const struct Quiet* before) {
  pthread_setcancelstate(before->cancelling, NULL);
  pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
}
