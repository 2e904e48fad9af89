// The reference page is generated from the grammar and committed. With THALWEG_TEST_UPDATE=1 in the environment this
// test writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "config/grammar.hpp"
#include "source_dir.hpp"

namespace thalweg::config {
namespace {

TEST(Reference, the_page_in_docs_is_what_the_grammar_says) {
  const std::string path = source_dir() + "/docs/configuration.md";
  if (std::getenv("THALWEG_TEST_UPDATE") != nullptr) std::ofstream(path) << reference_markdown();
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(page, reference_markdown()) << "run unit_tests with THALWEG_TEST_UPDATE=1 to write " << path;
}

}  // namespace
}  // namespace thalweg::config
