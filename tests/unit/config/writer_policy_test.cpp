#include "config/writer_policy.hpp"

#include <gmock/gmock.h>

namespace thalweg::config {
namespace {

TEST(WriterPolicies, an_idle_writer_is_the_first_with_the_least_to_write) {
  const WriterPolicy idle = writer_policy("idle");
  const auto chosen = [&](std::vector<std::int64_t> bytes) { return idle->writer_of({7, bytes}); };
  EXPECT_EQ(chosen({5}), 0U);
  EXPECT_EQ(chosen({5, 3, 4}), 1U);
  EXPECT_EQ(chosen({5, 3, 3}), 1U);
  EXPECT_EQ(chosen({0, 0}), 0U);
}

TEST(WriterPolicies, records_stay_with_the_writer_of_their_collection_unless_a_policy_says_otherwise) {
  std::vector<std::string_view> names;
  for (const WriterPolicy policy : writer_policies()) {
    names.push_back(policy->name);
    EXPECT_EQ(policy->writer_of != nullptr, policy->name == "idle");
    EXPECT_EQ(policy->by_load, policy->name != "in-turn");
  }
  EXPECT_THAT(names, testing::ElementsAre("least-loaded", "in-turn", "idle"));
}

}  // namespace
}  // namespace thalweg::config
