#pragma once

#include <signal.h>

namespace thalweg::writer {

// Signals are the model's business: none is delivered to a thread that has called this.
inline void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace thalweg::writer
