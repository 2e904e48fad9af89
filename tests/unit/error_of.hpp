// The error that an action throws.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"

namespace thalweg {

// Its text, which comes with this code; "no error" if it throws none.
template <typename Action>
std::string error_of(thalweg_status code, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

}  // namespace thalweg
