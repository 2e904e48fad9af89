// Keys that say when and how fast blocks go from the staging memory to the storage.
#include <gtest/gtest.h>

#include "config/loading.hpp"

namespace thalweg::config {
namespace {

class ConfigFlow : public CleanEnvironment {};

TEST_F(ConfigFlow, is_eager_unless_said_otherwise) {
  const Settings settings = load("");
  EXPECT_EQ(settings.drain, Drain::eager);
}

TEST_F(ConfigFlow, is_held_back_until_a_flush) {
  EXPECT_EQ(load("drain: on-flush\n").drain, Drain::on_flush);
}

TEST_F(ConfigFlow, keeps_nothing_for_later_under_sync) {
  EXPECT_EQ(fault("writers: sync\ndrain: on-flush\n"),
            "ocean.yaml:2:8: error: drain: 'on-flush' keeps blocks in memory, but with 'writers: sync' the ranks write "
            "them before `advance` returns; set writers: thread, or drain: eager");
  EXPECT_EQ(fault("writers: {ranks: 1}\ndrain: on-flush\n"), "none");
}

}  // namespace
}  // namespace thalweg::config
