#include "base/seconds.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "profile/counters.hpp"
#include "profile/server_times.hpp"

namespace thalweg {
namespace {

std::vector<Span> told;

class SecondsOfTimeLine : public testing::Test {
 protected:
  SecondsOfTimeLine() {
    told.clear();
    span_follower = [](const Span& span) { told.push_back(span); };
  }
  ~SecondsOfTimeLine() override { span_follower = nullptr; }
};

TEST_F(SecondsOfTimeLine, each_span_is_told_and_summed_up) {
  profile::ClientCounters counters;
  counters.copy_s.add(2.0, 2.5);
  counters.copy_s.add(3.0, 3.25);
  EXPECT_EQ(counters.copy_s, 0.75);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_STREQ(told[1].name, "copy");
  EXPECT_EQ(told[1].start_s, 3.0);
  EXPECT_EQ(told[1].end_s, 3.25);
}

TEST_F(SecondsOfTimeLine, timers_and_phases_tell_theirs) {
  profile::WriterCounters writer;
  {
    const Timer timer(writer.sync_s);
  }
  profile::ServerTimes times;
  profile::Phases phases;
  phases.begin(times.other_s);
  {
    const profile::Phases::Phase phase(phases, times.define_s);
  }
  phases.end();
  std::vector<std::string> names;
  double told_s = 0.0;
  for (const Span& span : told) {
    names.emplace_back(span.name);
    EXPECT_LE(span.start_s, span.end_s);
    told_s += span.end_s - span.start_s;
  }
  EXPECT_THAT(names, testing::ElementsAre("sync", "other", "define", "other"));
  EXPECT_DOUBLE_EQ(told_s, writer.sync_s + times.total_s());
}

TEST_F(SecondsOfTimeLine, what_is_known_when_it_ends_begins_so_long_before) {
  Seconds wait("wait");
  wait.add_until_now(0.5);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_DOUBLE_EQ(told[0].end_s - told[0].start_s, 0.5);
  EXPECT_LE(told[0].end_s, now_s());
}

TEST_F(SecondsOfTimeLine, sums_of_sums_are_not_told_again) {
  profile::WriterCounters all, one;
  one.write_s.add(1.0, 2.0);
  all += one;
  all += one;
  EXPECT_EQ(all.write_s, 2.0);
  EXPECT_EQ(told.size(), 1U);
}

TEST(Seconds, nobody_has_to_follow) {
  Seconds seconds("copy");
  seconds.add(1.0, 2.0);
  EXPECT_EQ(seconds, 1.0);
}

}  // namespace
}  // namespace thalweg
