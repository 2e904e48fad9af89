#include "base/private_library.hpp"

#include <gtest/gtest.h>

#include "error_of.hpp"

namespace thalweg {
namespace {

TEST(PrivateLibrary, that_is_missing_is_an_error_that_says_what_to_do) {
  const std::string said = error_of(THALWEG_ERROR_FORMAT, [] {
    PrivateLibrary("PnetCDF", "/nowhere/libnothing-of-the-kind.so", Lookup::in_program_first, "set engine: direct");
  });
  EXPECT_TRUE(said.starts_with("PnetCDF cannot be loaded: ")) << said;
  EXPECT_TRUE(said.ends_with("; set engine: direct")) << said;
}

TEST(PrivateLibrary, is_found_by_its_name_where_it_is_not_in_its_old_place) {
  const PrivateLibrary library("the library of mathematics", "/nowhere/libm.so.6", Lookup::in_itself_first, "");
  double (*root)(double) = nullptr;
  library.load(root, "sqrt");
  EXPECT_EQ(root(9.0), 3.0);
  EXPECT_TRUE(library.has("sqrt"));
}

TEST(PrivateLibrary, that_lacks_a_function_is_an_error_that_names_both) {
  const PrivateLibrary library("the library of mathematics", "/nowhere/libm.so.6", Lookup::in_itself_first,
                               "take a newer one");
  void (*function)() = nullptr;
  EXPECT_FALSE(library.has("no_such_function"));
  const std::string said = error_of(THALWEG_ERROR_FORMAT, [&] { library.load(function, "no_such_function"); });
  EXPECT_EQ(
      said,
      "/nowhere/libm.so.6 has no no_such_function: it is older than what Thalweg was built with; take a newer one");
}

}  // namespace
}  // namespace thalweg
