// Several steps that are all made, whatever one of them meets.
#pragma once

#include <optional>

#include "base/error.hpp"

namespace thalweg {

class FirstError {
 public:
  template <typename Step>
  void of(const Step& step) {
    try {
      step();
    } catch (...) {
      const Error error = error_in_flight();
      if (!error_) error_ = error;
    }
  }
  bool is_none() const { return !error_; }
  void rethrow() const {
    if (error_) throw *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace thalweg
