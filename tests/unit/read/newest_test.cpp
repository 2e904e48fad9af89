#include "read/newest.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "formats/sample_folder.hpp"

namespace thalweg::read {
namespace {

struct Names {
  void make(const std::string& name) const { std::ofstream(folder / name) << "CDF"; }
  std::vector<std::string> like(const std::string& pattern) const {
    std::vector<std::string> found;
    for (const std::string& path : paths_like(folder / pattern))
      found.push_back(std::filesystem::relative(path, folder / ""));
    return found;
  }
  formats::sample::Folder folder;
};

TEST(Newest, knows_the_names_that_a_pattern_stands_for) {
  const Names names;
  for (const char* name : {"r_20000101.nc", "r_20000102.nc.partial", "r_20000103.nc.0000", "r_20000103.nc.0001",
                           "r_20000104.nc.checksums", "r_20000105.nc.partial.journal", "r_2000010x.nc",
                           "a_r_20000106.nc", "r_20000107_nc", "r_.nc", "r_123456789.nc"})
    names.make(name);
  EXPECT_EQ(names.like("r_%Y%m%d.nc"),
            (std::vector<std::string>{"r_123456789.nc", "r_20000101.nc", "r_20000102.nc", "r_20000103.nc"}));
  EXPECT_EQ(names.like("r_20000101.nc"), (std::vector<std::string>{"r_20000101.nc"}));
  EXPECT_EQ(names.like("r_20000103.nc"), (std::vector<std::string>{"r_20000103.nc"}));
  EXPECT_TRUE(names.like("none/r_%Y.nc").empty());
}

TEST(Newest, looks_into_folders_whose_names_have_a_date) {
  const Names names;
  for (const char* folder : {"2000", "2001", "other"}) std::filesystem::create_directory(names.folder / folder);
  for (const char* name : {"2000/r.1.nc", "2001/r.2.nc", "2001/r.x.nc", "other/r.3.nc"}) names.make(name);
  EXPECT_EQ(names.like("%Y/r.%n.nc"), (std::vector<std::string>{"2000/r.1.nc", "2001/r.2.nc"}));
}

TEST(Newest, takes_a_sign_of_percent_and_what_regular_expressions_know_as_they_are) {
  const Names names;
  for (const char* name : {"100%(a)+.01.nc", "100%(aa).02.nc"}) names.make(name);
  EXPECT_EQ(names.like("100%%(a)+.%m.nc"), (std::vector<std::string>{"100%(a)+.01.nc"}));
}

TEST(Newest, says_why_files_are_not_taken) {
  const Names names;
  for (const char* name : {"r_01.nc", "r_02.nc.partial"}) names.make(name);
  const Newest newest = newest_of(names.folder / "r_%m.nc", {});
  EXPECT_EQ(newest.path, "");
  ASSERT_EQ(newest.passed_by.size(), 2U);
  EXPECT_NE(newest.passed_by[0].find("r_01.nc"), std::string::npos) << newest.passed_by[0];
  EXPECT_NE(newest.passed_by[1].find("r_02.nc.partial"), std::string::npos) << newest.passed_by[1];
}

}  // namespace
}  // namespace thalweg::read
