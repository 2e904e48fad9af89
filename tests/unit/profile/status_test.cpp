#include "profile/status.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "thalweg.h"

namespace thalweg::profile {
namespace {

using nlohmann::json;

StatusOrigin origin() {
  return {.run = "a1",
          .configuration = "ocean \"7\".yaml",
          .host = "node\xff",
          .pid = 4711,
          .rank = 3,
          .ranks = 8,
          .writers = 2,
          .node = 1,
          .is_server = true,
          .started = 1000.5,
          .interval_s = 2.0,
          .longest_s = 20.0};
}

json parsed(const WriterStatus& status, double written = 1003.25) {
  return json::parse(status_text(body_of(origin(), status), written));
}

TEST(Status, says_what_it_is_and_who_says_it) {
  const json said = parsed({});
  EXPECT_EQ(said.at("thalweg_status"), 1);
  EXPECT_EQ(said.at("version"), thalweg_version());
  EXPECT_EQ(said.at("written"), 1003.25);
  EXPECT_EQ(said.at("run"), "a1");
  EXPECT_EQ(said.at("configuration"), "ocean \"7\".yaml");
  EXPECT_EQ(said.at("host"), "node\xEF\xBF\xBD") << "what is no UTF-8 is replaced";
  EXPECT_EQ(said.at("pid"), 4711);
  EXPECT_EQ(said.at("rank"), 3);
  EXPECT_EQ(said.at("ranks"), 8);
  EXPECT_EQ(said.at("writers"), 2);
  EXPECT_EQ(said.at("node"), 1);
  EXPECT_EQ(said.at("role"), "server");
  EXPECT_EQ(said.at("started"), 1000.5);
  EXPECT_EQ(said.at("interval_s"), 2.0);
  EXPECT_EQ(said.at("longest_s"), 20.0);
}

TEST(Status, has_null_for_what_is_not_known) {
  const json said = parsed({.collections = {{.name = "history"}}});
  EXPECT_EQ(said.at("state"), "running");
  EXPECT_EQ(said.at("finished"), false);
  for (const char* key : {"error", "wait"}) EXPECT_TRUE(said.at(key).is_null()) << key;
  for (const char* key : {"end_s", "first", "last", "slowest", "fastest"})
    EXPECT_TRUE(said.at("model").at(key).is_null()) << key;
  EXPECT_TRUE(said.at("collections").at(0).at("committed").is_null());
  EXPECT_TRUE(said.at("collections").at(0).at("file").is_null());
}

TEST(Status, has_model_waits_and_collections) {
  WriterStatus status{.state = SessionState::failed,
                      .error = "no space\nleft",
                      .bytes_per_s = 5e6,
                      .model = {.steps = 4,
                                .start_s = 0.0,
                                .end_s = 36000.0,
                                .first = ModelMoment{1001.0, 3600.0},
                                .last = ModelMoment{1002.0, 14400.0},
                                .slowest = RankStep{2, 4},
                                .fastest = RankStep{0, 5}},
                      .wait = RankWait{2, "a free block", 1002.5},
                      .collections = {{.name = "h",
                                       .number = 1,
                                       .put = 5,
                                       .written = 3,
                                       .committed = 2,
                                       .files = 1,
                                       .file = "h.nc",
                                       .raw_bytes = 300,
                                       .file_bytes = 200,
                                       .blocks = {8, 6}}}};
  const json said = parsed(status);
  EXPECT_EQ(said.at("state"), "failed");
  EXPECT_EQ(said.at("error"), "no space\nleft");
  EXPECT_EQ(said.at("bytes_per_s"), 5e6);
  EXPECT_EQ(said.at("model"), json::parse(R"({"steps": 4, "start_s": 0.0, "end_s": 36000.0,
      "first": {"at": 1001.0, "time_s": 3600.0}, "last": {"at": 1002.0, "time_s": 14400.0},
      "slowest": {"rank": 2, "steps": 4}, "fastest": {"rank": 0, "steps": 5}})"));
  EXPECT_EQ(said.at("wait"), json::parse(R"({"rank": 2, "for": "a free block", "since": 1002.5})"));
  EXPECT_EQ(said.at("collections"), json::parse(R"([{"name": "h", "number": 1, "put": 5, "written": 3, "committed": 2,
      "files": 1, "file": "h.nc", "raw_bytes": 300, "file_bytes": 200, "blocks": {"total": 8, "free": 6}}])"));
}

TEST(Status, is_finished_only_when_it_says_so) {
  EXPECT_EQ(parsed({.state = SessionState::finished}).at("finished"), true);
  EXPECT_EQ(parsed({.state = SessionState::ended}).at("finished"), false);
  EXPECT_EQ(parsed({.state = SessionState::ended}).at("state"), "ended");
}

TEST(Status, begins_with_what_it_is_known_by_and_ends_with_a_line) {
  const std::string text = status_text(body_of(origin(), {}), 1.0);
  EXPECT_TRUE(text.starts_with(status_beginning));
  EXPECT_EQ(text.find('\n'), text.size() - 1);
}

TEST(ByteRate, is_that_of_the_last_interval) {
  ByteRate rate;
  EXPECT_EQ(rate.since_last(500, 10.0), 0.0) << "nobody knows since when";
  EXPECT_EQ(rate.since_last(700, 12.0), 100.0);
  EXPECT_EQ(rate.since_last(700, 13.0), 0.0);
  EXPECT_EQ(rate.since_last(900, 13.0), 0.0) << "in no time";
}

}  // namespace
}  // namespace thalweg::profile
