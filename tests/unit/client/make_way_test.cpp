#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "client/file_maker.hpp"
#include "store/sample_file.hpp"

namespace thalweg::client {
namespace {

class MakeWay : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string read(const std::string& name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }
  void make(config::Append append) const {
    config::CollectionSettings settings;
    settings.name = "history";
    settings.append = append;
    make_way(settings, folder / "a.nc", folder / "a.nc.partial");
  }
  std::string error_of(config::Append append) const {
    try {
      make(append);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
      return error.what();
    }
    return "no error";
  }

  store::sample::Folder folder;
};

TEST_F(MakeWay, does_nothing_where_nothing_is_in_the_way) {
  make(config::Append::new_file);
  make(config::Append::fail);
  EXPECT_EQ(folder.files(), 0U);
}

TEST_F(MakeWay, leaves_a_finished_file_until_the_new_one_takes_its_name) {
  write("a.nc", "finished");
  make(config::Append::new_file);
  EXPECT_EQ(read("a.nc"), "finished");
}

TEST_F(MakeWay, keeps_an_unfinished_file_aside_with_its_journal) {
  write("a.nc.partial", "data");
  write("a.nc.partial.journal", "metadata");
  make(config::Append::new_file);
  EXPECT_FALSE(exists("a.nc.partial"));
  EXPECT_FALSE(exists("a.nc.partial.journal"));
  EXPECT_EQ(read("a.old.nc.partial"), "data");
  EXPECT_EQ(read("a.old.nc.partial.journal"), "metadata");
}

TEST_F(MakeWay, keeps_all_unfinished_files_of_earlier_runs) {
  for (const char* run : {"first", "second", "third"}) {
    write("a.nc.partial", run);
    make(config::Append::new_file);
  }
  EXPECT_EQ(read("a.old.nc.partial"), "first");
  EXPECT_EQ(read("a.old2.nc.partial"), "second");
  EXPECT_EQ(read("a.old3.nc.partial"), "third");
}

TEST_F(MakeWay, refuses_to_go_on_over_any_file_if_asked) {
  for (const std::string name : {"a.nc", "a.nc.partial"}) {
    write(name, "there");
    const std::string text = error_of(config::Append::fail);
    for (const std::string& part :
         {std::string("'history'"), "'" + (folder / name) + "' exists", std::string("'append: new'")})
      EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
    EXPECT_EQ(read(name), "there");
    std::filesystem::remove(folder / name);
  }
}

}  // namespace
}  // namespace thalweg::client
