#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loading.hpp"

namespace thalweg::config {
namespace {

class ConfigDuplicates : public CleanEnvironment {};

TEST_F(ConfigDuplicates, within_values_are_refused_in_every_map) {
  EXPECT_EQ(fault("collections:\n  h:\n    fields:\n      - from: a\n        name: b\n        from: c\n"),
            "ocean.yaml:6:9: error: duplicate key 'from'; the first one is in line 4");
  for (const char* value : {"region: {x: {index: 1}, x: {index: 2}}", "vertical: {coordinate: p, to: [1], to: [2]}",
                            "chunks: {x: 1, x: 2}", "fields: [{from: a, region: {x: {index: {from: 1, from: 2}}}}]",
                            "attributes: {a: b, a: c}", "hints: {cb_nodes: 1, cb_nodes: 2}"})
    EXPECT_THAT(fault(fmt::format("collections: {{h: {{{}}}}}", value)), testing::HasSubstr("duplicate key '"))
        << value;
}

TEST_F(ConfigDuplicates, are_all_said) {
  const std::string said = faults("collections: {h: {chunks: {x: 1, x: 2, x: 3}, attributes: {a: b, a: c}}}");
  for (const char* place : {"1:34", "1:40", "1:66"}) EXPECT_THAT(said, testing::HasSubstr(place)) << said;
}

}  // namespace
}  // namespace thalweg::config
