// The one place where an exception becomes a code and a text.
#pragma once

#include <string>

#include "api/keep_time_lines.hpp"
#include "base/error.hpp"
#include "base/file_size_limit.hpp"
#include "base/quiet_arithmetic.hpp"
#include "base/told_calls.hpp"
#include "profile/mpi_counts.hpp"
#include "thalweg.h"

namespace thalweg::api {

// Text of the last error of this thread.
std::string& error_text();

template <typename Body>
int funnel(const Body& body) noexcept {
  const WithoutSizeSignal without_signal;
  const WithoutTraps without_traps;
  try {
    error_text().clear();
    body();
    return THALWEG_OK;
  } catch (...) {
    const Error error = error_in_flight();
    error_text() = told::calls(error.what());
    keep_time_lines();
    return error.code();
  }
}

// What it gives to MPI is counted as of this phase.
template <typename Body>
int funnel(profile::MpiPhase phase, const Body& body) noexcept {
  const profile::InMpiPhase in(phase);
  return funnel(body);
}

template <typename Pointer>
Pointer& required(Pointer* pointer, const char* name) {
  if (pointer == nullptr) fail(THALWEG_ERROR_ARGUMENT, "argument '{}' is a null pointer", name);
  return *pointer;
}

inline std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

inline std::string required_text(const char* text, const char* name) {
  if (text == nullptr || *text == '\0') fail(THALWEG_ERROR_ARGUMENT, "argument '{}' is empty", name);
  return text;
}

}  // namespace thalweg::api
