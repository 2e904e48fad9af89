// Keys that say when and how fast blocks go from the staging memory to the storage.
#include <gtest/gtest.h>

#include "config/loading.hpp"

namespace thalweg::config {
namespace {

class ConfigFlow : public CleanEnvironment {};

TEST_F(ConfigFlow, is_eager_and_unlimited_unless_said_otherwise) {
  const Settings settings = load("");
  EXPECT_EQ(settings.drain, Drain::eager);
  EXPECT_EQ(settings.rate_limit, 0);
  EXPECT_EQ(settings.when_full, WhenFull::wait);
  EXPECT_EQ(settings.spill.folder, "");
  EXPECT_EQ(settings.spill.limit, std::int64_t{10} << 30);
}

TEST_F(ConfigFlow, is_held_back_until_a_flush_and_at_a_rate) {
  const Settings settings = load("drain: on-flush\nrate-limit: 200 MB/s\n");
  EXPECT_EQ(settings.drain, Drain::on_flush);
  EXPECT_EQ(settings.rate_limit, 200'000'000);
  EXPECT_EQ(load("rate-limit: none").rate_limit, 0);
  EXPECT_EQ(load("rate-limit: 1 KiB/s").rate_limit, 1024);
}

TEST_F(ConfigFlow, refuses_what_is_no_rate) {
  EXPECT_EQ(fault("rate-limit: 200 MB"), "ocean.yaml:1:13: error: rate-limit: '200 MB' is no rate such as '200 MB/s'");
  EXPECT_EQ(fault("rate-limit: 3 B/s"), "ocean.yaml:1:13: error: rate-limit: '3 B' must be at least 1 KiB");
}

TEST_F(ConfigFlow, spills_into_a_folder_that_a_word_can_say) {
  const Settings word = load("when-full: spill\nspill: /scratch\n");
  EXPECT_EQ(word.when_full, WhenFull::spill);
  EXPECT_EQ(word.spill.folder, "/scratch");
  const Settings keys = load("when-full: spill\nspill: {folder: auto, limit: 64 kB}\n");
  EXPECT_EQ(keys.spill.folder, "");
  EXPECT_EQ(keys.spill.limit, 64'000);
}

TEST_F(ConfigFlow, keeps_nothing_for_later_under_sync) {
  EXPECT_EQ(fault("writers: sync\ndrain: on-flush\n"),
            "ocean.yaml:2:8: error: drain: 'on-flush' keeps blocks in memory, but with 'writers: sync' the ranks write "
            "them before `advance` returns; set writers: thread, or drain: eager");
  EXPECT_EQ(fault("writers: sync\nwhen-full: spill\n"),
            "ocean.yaml:2:12: error: when-full: 'spill' moves blocks out of the memory, but with 'writers: sync' the "
            "ranks write them before `advance` returns; set writers: thread, or when-full: wait");
  EXPECT_EQ(fault("writers: {ranks: 1}\nwhen-full: spill\ndrain: on-flush\n"), "none");
}

}  // namespace
}  // namespace thalweg::config
