// Starts the threads of the library.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace thalweg {

// Of this thread, as start_thread was told; null: it is none of the library's.
inline thread_local const char* thread_purpose = nullptr;

// As ps, top and debuggers show it, which have room for 15 letters: "thw writes".
inline void name_thread(std::string_view purpose) {
  constexpr std::string_view that = "that ";
  if (purpose.starts_with(that)) purpose.remove_prefix(that.size());
  pthread_setname_np(pthread_self(), ("thw " + std::string(purpose)).substr(0, 15).c_str());
}

// Signals are the model's business: none is delivered to the thread. purpose: "that writes", and lives as
// long as the program. Errors: MEMORY.
template <typename Body>
std::thread start_thread(const char* purpose, Body body) {
  try {
    return std::thread([purpose, body = std::move(body)]() mutable {
      thread_purpose = purpose;
      name_thread(purpose);
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
      body();
    });
  } catch (const std::system_error& error) {
    fail(THALWEG_ERROR_MEMORY, "no thread {} can be started: {}; raise the limit of processes (ulimit -u)", purpose,
         error.what());
  }
}

// The same for a thread that sets ended at its end; without a thread it has ended.
template <typename Body>
std::thread start_thread(const char* purpose, std::atomic<bool>& ended, Body body) {
  ended = false;
  try {
    return start_thread(purpose, [&ended, body = std::move(body)]() mutable {
      body();
      ended.store(true, std::memory_order_release);
    });
  } catch (...) {
    ended = true;
    throw;
  }
}

}  // namespace thalweg
