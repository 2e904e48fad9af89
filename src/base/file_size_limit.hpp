// The limit of the shell for the size of a file (ulimit -f). Who asks for more is sent SIGXFSZ, which ends a process
// that does not expect it, so that nobody would read why.
#pragma once

#include <signal.h>

#include <cstdint>
#include <optional>

namespace thalweg {

// In bytes; nothing: there is none.
std::optional<std::int64_t> file_size_limit();

// While this lives, a call of this thread that would make a file too large fails with EFBIG and does no more: the
// signal is held back, and forgotten. Without a limit it costs next to nothing, so that every call of the model can be
// within one.
class WithoutSizeSignal {
 public:
  // Looks whether there is a limit now, for all that come later.
  static void look_at_limit();

  WithoutSizeSignal();
  ~WithoutSizeSignal();
  WithoutSizeSignal(const WithoutSizeSignal&) = delete;
  WithoutSizeSignal& operator=(const WithoutSizeSignal&) = delete;

 private:
  bool holds_ = false;  // and the signal was not held back before
  sigset_t before_{};
};

}  // namespace thalweg
