#include "planning/pattern.hpp"

#include <gtest/gtest.h>

namespace thalweg::planning {
namespace {

using config::Pattern;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

Pattern automatic(int nodes, std::int64_t record_bytes, std::vector<std::int64_t> layout = {}) {
  config::CollectionSettings settings;
  settings.layout = std::move(layout);
  return choose_pattern(settings, nodes, nodes, record_bytes, 2048 * mebibyte);
}

TEST(AutoPattern, is_single_on_one_node_whatever_the_size) {
  EXPECT_EQ(automatic(1, 0), Pattern::single);
  EXPECT_EQ(automatic(1, 1000000 * mebibyte), Pattern::single);
}

TEST(AutoPattern, is_shared_on_several_nodes_from_four_mebibytes_for_each) {
  EXPECT_EQ(automatic(2, 8 * mebibyte - 1), Pattern::single);
  EXPECT_EQ(automatic(2, 8 * mebibyte), Pattern::shared);
  EXPECT_EQ(automatic(100, 400 * mebibyte - 1), Pattern::single);
  EXPECT_EQ(automatic(100, 400 * mebibyte), Pattern::shared);
}

TEST(AutoPattern, is_shared_where_one_node_could_not_hold_two_records) {
  EXPECT_EQ(choose_pattern({}, 2, 2, 3 * mebibyte, 6 * mebibyte), Pattern::single);
  EXPECT_EQ(choose_pattern({}, 2, 2, 3 * mebibyte + 1, 6 * mebibyte), Pattern::shared);
  EXPECT_EQ(choose_pattern({}, 1, 1, 100 * mebibyte, mebibyte), Pattern::single);
}

TEST(AutoPattern, is_shared_where_a_layout_asks_for_domains) {
  EXPECT_EQ(automatic(1, 1, {2, 2}), Pattern::shared);
  EXPECT_EQ(automatic(4, 1, {1, 1}), Pattern::shared);
}

TEST(AutoPattern, is_shared_where_a_node_has_several_writers) {
  EXPECT_EQ(choose_pattern({}, 1, 2, 1, mebibyte), Pattern::shared);
  EXPECT_EQ(choose_pattern({}, 2, 3, 1, mebibyte), Pattern::shared);
}

TEST(Pattern, that_is_said_is_taken) {
  for (const Pattern pattern : {Pattern::single, Pattern::shared, Pattern::per_domain, Pattern::per_rank}) {
    config::CollectionSettings settings;
    settings.pattern = pattern;
    EXPECT_EQ(choose_pattern(settings, 4, 8, 1, mebibyte), pattern);
    EXPECT_EQ(choose_pattern(settings, 1, 1, 1000 * mebibyte, mebibyte), pattern);
  }
}

TEST(Pattern, counts_the_bytes_of_a_record_or_without_records_all_of_them) {
  catalog::Definition definition;
  definition.dimensions = {{"y", 3}, {"x", 5}};
  const auto add = [&](Type type, bool has_record, std::vector<int> dimensions) {
    catalog::Variable variable;
    variable.type = type;
    variable.has_record = has_record;
    variable.dimensions = std::move(dimensions);
    definition.variables.push_back(variable);
  };
  add(Type::float64, false, {0, 1});
  add(Type::int16, false, {});
  EXPECT_EQ(bytes_of_record(definition), 122);
  add(Type::float32, true, {1});
  add(Type::float64, true, {});
  EXPECT_EQ(bytes_of_record(definition), 28);
}

}  // namespace
}  // namespace thalweg::planning
