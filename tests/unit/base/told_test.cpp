#include "base/told.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "base/box.hpp"
#include "base/told_calls.hpp"
#include "source_dir.hpp"

namespace thalweg::told {
namespace {

// The language is the process's.
class Told : public testing::Test {
 protected:
  void TearDown() override { set_language(Language::c); }
  Box part{{2, 0, 5}, {1, 4, 3}};
};

TEST_F(Told, boxes_are_as_c_counts_them) {
  EXPECT_EQ(box(part), "[2:3, 0:4, 5:8]");
  EXPECT_EQ(box({{}, {}}), "[]");
  EXPECT_EQ(sections(), "from 0, to behind their last index, slowest dimension first");
}

TEST_F(Told, boxes_are_as_sections_of_fortran) {
  set_language(Language::fortran);
  EXPECT_EQ(box(part), "[6:8, 1:4, 3:3]");
  EXPECT_EQ(names({"z", "y", "x"}), "x,y,z");
  EXPECT_EQ(sections(), "from 1, to their last index, fastest dimension first");
}

TEST_F(Told, calls_have_the_names_of_the_language) {
  const std::string text = "'thalweg_advance' or thalweg_nc_sync; my_thalweg_put, thalweg_puts, thalweg_put";
  EXPECT_EQ(calls(text), text);
  set_language(Language::fortran);
  EXPECT_EQ(calls(text), "'thw_advance' or thalweg_nc_sync; my_thalweg_put, thalweg_puts, thw_put");
}

std::set<std::string> words_of(const std::string& file, const std::string& form) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::regex word(form);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

TEST_F(Told, calls_are_those_that_fortran_has_by_the_same_name) {
  set_language(Language::fortran);
  const std::set<std::string> in_fortran = words_of(source_dir() + "/fortran/thalweg.f90", R"(\bthw_(\w+))");
  int common = 0;
  for (const auto& header : std::filesystem::directory_iterator(source_dir() + "/include"))
    for (const std::string& name : words_of(header.path(), R"(\bthalweg_(\w+)\()")) {
      const bool is_common = in_fortran.contains(name);
      EXPECT_EQ(calls("thalweg_" + name), (is_common ? "thw_" : "thalweg_") + name);
      common += is_common;
    }
  EXPECT_GE(common, 60);
}

}  // namespace
}  // namespace thalweg::told
