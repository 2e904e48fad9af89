// Errors inside Thalweg are exceptions; the C functions turn them into a code and a text in one place (api/funnel.hpp).
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "thalweg_values.h"

namespace thalweg {

// What went wrong (code) and the whole message: what, value, allowed, where, what to do.
class Error : public std::runtime_error {
 public:
  Error(thalweg_status code, const std::string& text) : std::runtime_error(text), code_(code) {}
  // This rank has waited for the storage as long as it does; the other ranks are there and can hear of it.
  static Error of_storage(const std::string& text) {
    Error error(THALWEG_ERROR_DEADLINE, text);
    error.is_of_ranks_ = false;
    return error;
  }

  thalweg_status code() const { return code_; }
  // It has waited for them in vain, so that they are not waited for again.
  bool is_of_missing_ranks() const { return code_ == THALWEG_ERROR_DEADLINE && is_of_ranks_; }

 private:
  thalweg_status code_;
  bool is_of_ranks_ = true;
};

// Within a handler: what is handled, as an error. Any exception but ours is a lack of memory or a fault of Thalweg, and
// its text says nothing of where it was: "in the writer".
Error error_in_flight(const std::string& where = "");

template <typename... Args>
[[noreturn]] void fail(thalweg_status code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace thalweg
