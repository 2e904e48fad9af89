#include "fields/error_of_choosing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace thalweg::fields {
namespace {

template <typename Act>
Error chosen_error_of(const Act& act) {
  try {
    act();
  } catch (...) {
    return error_of_choosing();
  }
  return {THALWEG_ERROR_INTERNAL, "none"};
}

TEST(ErrorOfChoosing, is_a_lack_of_memory_where_containers_say_so) {
  EXPECT_EQ(chosen_error_of([] { std::vector<double>().reserve(static_cast<std::size_t>(-1)); }).code(),
            THALWEG_ERROR_MEMORY);
  EXPECT_EQ(chosen_error_of([] { throw std::bad_alloc(); }).code(), THALWEG_ERROR_MEMORY);
}

TEST(ErrorOfChoosing, is_otherwise_what_it_is) {
  EXPECT_EQ(chosen_error_of([] { fail(THALWEG_ERROR_CONFIG, "no such field"); }).code(), THALWEG_ERROR_CONFIG);
  const Error fault = chosen_error_of([] { static_cast<void>(std::vector<double>().at(0)); });
  EXPECT_EQ(fault.code(), THALWEG_ERROR_INTERNAL);
  EXPECT_THAT(fault.what(), testing::HasSubstr("in the choice of fields"));
}

}  // namespace
}  // namespace thalweg::fields
