#include "loading.hpp"

namespace thalweg::config {
namespace {

class ConfigCycle : public CleanEnvironment {};

TEST_F(ConfigCycle, files_in_turn_have_a_number_and_nothing_else) {
  const auto of_cycle = [&](const std::string& keys) {
    return fault("time-step: 1 h\ncollections: {r: {cycle: 2, " + keys + "}}");
  };
  EXPECT_EQ(of_cycle("file: r.%n.nc"), "none");
  EXPECT_EQ(of_cycle("file: r.%n.nc, every: on-demand"), "none");
  EXPECT_EQ(of_cycle("file: r.%n.nc, every: end, record-dimension: none"), "none");
  for (const auto& [keys, what] : std::vector<std::pair<std::string, std::string>>{
           {"file: r.nc", "every file would be called 'r.nc'; give it the number %n"},
           {"file: r_%Y.%n.nc", "'r_%Y.%n.nc' has parts of the date"},
           {"file: r.%n.nc, new-file: 1 d", "new-file: "},
           {"file: r.%n.nc, pattern: per-rank", "pattern: with 'cycle' a file is replaced as a whole"},
           {"file: r.%n.nc, append: fail", "append: with 'cycle' each record replaces the file whose turn it is"},
           {"file: r.%n.nc, engine: library", "engine: files of a 'cycle' are made by Thalweg's own writer"}})
    EXPECT_NE(of_cycle(keys).find(what), std::string::npos) << of_cycle(keys);
  EXPECT_NE(fault("collections: {r: {file: r.%n.nc}}").find("no files are written in turn; set cycle: 2"),
            std::string::npos);
}

TEST_F(ConfigCycle, names_of_its_files_are_no_other_collection_s) {
  EXPECT_NE(fault("collections: {r: {file: r.%n.nc, cycle: 2}, s: {file: r.2.nc}}"), "none");
  EXPECT_EQ(fault("collections: {r: {file: r.%n.nc, cycle: 2}, s: {file: r.3.nc}}"), "none");
}

}  // namespace
}  // namespace thalweg::config
