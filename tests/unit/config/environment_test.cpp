#include <gmock/gmock.h>

#include <filesystem>

#include "loading.hpp"

namespace thalweg::config {
namespace {

using testing::ElementsAre;

class ConfigEnvironment : public CleanEnvironment {};

TEST_F(ConfigEnvironment, prevails_over_the_file) {
  setenv("THALWEG_STAGING", "64 MiB", 1);
  setenv("THALWEG_WHEN_FULL", "fail", 1);
  const Settings settings = load("staging: 1 GiB\nwhen-full: wait\n");
  EXPECT_EQ(settings.staging, 64 << 20);
  EXPECT_EQ(settings.when_full, WhenFull::fail);
}

TEST_F(ConfigEnvironment, sets_every_top_level_key) {
  const std::map<std::string, std::string> variables = {{"WRITERS", "sync"},
                                                        {"STAGING", "1 MiB"},
                                                        {"WHEN_FULL", "fail"},
                                                        {"DEADLINE", "1 s"},
                                                        {"DIRECT_IO", "off"},
                                                        {"EMULATE_NODES", "2"},
                                                        {"CALENDAR", "noleap"},
                                                        {"REFERENCE_DATE", "1999-01-01"},
                                                        {"TIME_STEP", "1 h"},
                                                        {"REPORT", "none"},
                                                        {"PROFILE", "a: [b.json"},
                                                        {"OWNER", "lowest-rank"},
                                                        {"WRITER_THREADS", "3"},
                                                        {"DRAIN", "eager"},
                                                        {"RATE_LIMIT", "1 MB/s"},
                                                        {"COMMAND_LINE", "pfio"},
                                                        {"PROGRESS", "thread"},
                                                        {"SEND", "wait"},
                                                        {"ON_SERVER_LOSS", "continue"},
                                                        {"RUN_ID", "control"},
                                                        {"STAGING_FOLDER", "."},
                                                        {"READING", "serial"},
                                                        {"TIME_LINE", "line.json"},
                                                        {"STATUS", "status"},
                                                        {"VARIABLES", "{EXPID: control}"}};
  for (const auto& [key, value] : variables) setenv(("THALWEG_" + key).c_str(), value.c_str(), 1);
  const Settings settings = load("");
  std::size_t set = 0;
  for (const Effective& line : settings.effective) {
    const bool is_deep = line.key.find('.') != std::string::npos && line.key != "writers.place";
    if (!is_deep) EXPECT_TRUE(line.origin.starts_with("environment ")) << line.key;
    set += is_deep ? 0 : 1;
  }
  EXPECT_EQ(set, variables.size());
  EXPECT_EQ(settings.reference_date.year, 1999);
  EXPECT_EQ(settings.profile, std::filesystem::absolute("a: [b.json"));
}

TEST_F(ConfigEnvironment, gives_lists_as_yaml_does) {
  setenv("THALWEG_EMULATE_NODES", "[3,2]", 1);
  EXPECT_THAT(load("").emulate_nodes, ElementsAre(3, 2));
  setenv("THALWEG_EMULATE_NODES", "2", 1);
  EXPECT_THAT(load("").emulate_nodes, ElementsAre(2));
  setenv("THALWEG_EMULATE_NODES", "none", 1);
  EXPECT_THAT(load("emulate-nodes: 4").emulate_nodes, ElementsAre());
}

TEST_F(ConfigEnvironment, empty_variables_count_as_not_set) {
  setenv("THALWEG_STAGING", "", 1);
  setenv("THALWEG_NONSENSE", "", 1);
  EXPECT_EQ(load("").staging, std::int64_t{2} << 30);
}

TEST_F(ConfigEnvironment, log_and_test_variables_are_no_keys) {
  setenv("THALWEG_LOG", "debug", 1);
  setenv("THALWEG_TEST_STALL", "1", 1);
  EXPECT_EQ(faults(""), "none");
}

TEST_F(ConfigEnvironment, unknown_variables_are_errors_with_the_nearest_names) {
  setenv("THALWEG_WRITER", "sync", 1);
  EXPECT_EQ(faults(""),
            "environment THALWEG_WRITER: error: no key has this variable; did you mean 'THALWEG_WRITERS' or "
            "'THALWEG_OWNER'?\n"
            "      | THALWEG_WRITER=sync\n"
            "      |                ^");
}

TEST_F(ConfigEnvironment, variables_unlike_any_key_are_somebody_else_s) {
  setenv("THALWEG_ROOT", "/opt/thalweg", 1);
  setenv("THALWEG_HOME", "/opt/thalweg", 1);
  setenv("THALWEG_COLLECTIONS", "x", 1);
  EXPECT_EQ(faults(""), "none");
}

TEST_F(ConfigEnvironment, bad_values_are_shown_with_a_caret) {
  setenv("THALWEG_DEADLINE", "soon", 1);
  EXPECT_EQ(
      faults(""),
      "environment THALWEG_DEADLINE: error: deadline: 'soon' is no number with one of the units ms, s, min, h, d\n"
      "      | THALWEG_DEADLINE=soon\n"
      "      |                  ^");
}

TEST_F(ConfigEnvironment, broken_and_misplaced_lists_are_errors) {
  setenv("THALWEG_EMULATE_NODES", "[3,", 1);
  EXPECT_EQ(fault(""), "environment THALWEG_EMULATE_NODES: error: emulate-nodes: '[3,' is no list such as [3, 2]");
  setenv("THALWEG_EMULATE_NODES", "[3,0]", 1);
  EXPECT_EQ(fault(""), "environment THALWEG_EMULATE_NODES: error: emulate-nodes: '0' must be at least 1");
  unsetenv("THALWEG_EMULATE_NODES");
  setenv("THALWEG_STAGING", "[1]", 1);
  EXPECT_EQ(fault(""), "environment THALWEG_STAGING: error: staging: one value is wanted here, this is a list");
}

TEST_F(ConfigEnvironment, faults_follow_those_of_the_file) {
  setenv("THALWEG_DEADLINE", "soon", 1);
  const std::string all = faults("writers: none\n");
  EXPECT_LT(all.find("ocean.yaml:1:10: error: "), all.find("environment THALWEG_DEADLINE: error: ")) << all;
  EXPECT_NE(all.find("environment THALWEG_DEADLINE: error: "), std::string::npos) << all;
}

TEST_F(ConfigEnvironment, reference_date_must_exist_in_the_calendar_too) {
  setenv("THALWEG_CALENDAR", "noleap", 1);
  EXPECT_EQ(fault("reference-date: 2000-02-29"),
            "ocean.yaml:1:17: error: reference-date: 2000-02-29 00:00:00 does not exist in the calendar noleap");
}

}  // namespace
}  // namespace thalweg::config
