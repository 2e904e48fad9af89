#include "config/hints.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/parse_value.hpp"
#include "loading.hpp"

namespace thalweg::config {
namespace {

std::string refusal(const std::string& name, const std::string& text) {
  try {
    return "accepted as " + checked_hint(name, text);
  } catch (const BadValue& fault) {
    return fault.what();
  }
}

TEST(Hints, become_what_mpi_takes) {
  EXPECT_EQ(checked_hint("cb_nodes", "4"), "4");
  EXPECT_EQ(checked_hint("cb_buffer_size", "16 MiB"), "16777216");
  EXPECT_EQ(checked_hint("striping_unit", "1048576"), "1048576");
  EXPECT_EQ(checked_hint("romio_ds_write", "disable"), "disable");
  EXPECT_EQ(checked_hint("cb_config_list", "*:2"), "*:2");
}

TEST(Hints, of_unknown_name_are_taken_as_they_are) {
  EXPECT_EQ(checked_hint("panfs_layout", "any thing"), "any thing");
}

TEST(Hints, with_impossible_values_are_refused) {
  EXPECT_EQ(refusal("cb_nodes", "abc"), "cb_nodes: 'abc' is no whole number");
  EXPECT_EQ(refusal("cb_nodes", "0"), "cb_nodes: '0' must be at least 1");
  EXPECT_EQ(refusal("romio_cb_write", "yes"), "romio_cb_write: 'yes' is none of enable, disable, automatic");
  EXPECT_EQ(refusal("romio_no_indep_rw", "enable"), "romio_no_indep_rw: 'enable' is none of true, false");
  EXPECT_EQ(refusal("cb_buffer_size", "much"), "cb_buffer_size: 'much' is no number of bytes, such as '512 MiB'");
  EXPECT_EQ(refusal("cb_config_list", ""), "cb_config_list: a value has 1 to 255 letters");
  EXPECT_EQ(refusal(std::string(36, 'a'), "1"),
            "'" + std::string(36, 'a') + "' is no name of a hint: it has 1 to 35 letters");
}

TEST(Hints, that_are_known_have_names_that_mpi_takes) {
  for (const std::string& name : known_hints()) EXPECT_LE(name.size(), 35U);
}

class ConfigLibrary : public CleanEnvironment {
 protected:
  static CollectionSettings collection(const std::string& keys) {
    return load("collections: {h: {" + keys + "}}").collection("h");
  }
};

TEST_F(ConfigLibrary, keys_are_read) {
  const CollectionSettings h = collection(
      "engine: library, format: cdf5, library-calls: nonblocking, aggregators-per-node: 2, "
      "hints: {cb_nodes: 4, any: thing}, striping: {count: 8, size: 1 MiB}");
  EXPECT_EQ(h.engine, Engine::library);
  EXPECT_EQ(h.library_calls, LibraryCalls::nonblocking);
  EXPECT_EQ(h.aggregators_per_node, 2);
  EXPECT_EQ(h.hints, (Hints{{"cb_nodes", "4"}, {"any", "thing"}}));
  EXPECT_EQ(h.striping, (Striping{.count = 8, .bytes = 1 << 20}));
}

TEST_F(ConfigLibrary, keys_have_defaults) {
  const CollectionSettings h = collection("format: cdf5");
  EXPECT_EQ(h.engine, Engine::direct);
  EXPECT_EQ(h.library_calls, LibraryCalls::collective);
  EXPECT_FALSE(h.striping.is_set());
  EXPECT_TRUE(h.hints.empty());
}

TEST_F(ConfigLibrary, striping_may_be_said_in_part) {
  EXPECT_EQ(collection("striping: {size: 64 KiB}").striping, (Striping{.count = 0, .bytes = 65536}));
  EXPECT_EQ(collection("striping: {count: 3}").striping, (Striping{.count = 3, .bytes = 0}));
}

TEST_F(ConfigLibrary, maps_with_faults_are_refused) {
  const auto text = [](const std::string& keys) { return fault("collections: {h: {" + keys + "}}"); };
  EXPECT_NE(text("hints: {cb_nodes: 1, cb_nodes: 2}").find("duplicate key 'cb_nodes'"), std::string::npos);
  EXPECT_NE(text("hints: {cb_nodes: [1]}").find("one value is wanted here"), std::string::npos);
  EXPECT_NE(text("striping: {counts: 1}").find("unknown key 'counts'; there are 'count' and 'size'"),
            std::string::npos);
  EXPECT_NE(text("striping: {size: 100 kB}").find("no multiple of 64 KiB"), std::string::npos);
  EXPECT_NE(text("striping: 4").find("a map such as {count: 8, size: 4 MiB} is wanted here"), std::string::npos);
}

TEST_F(ConfigLibrary, nonblocking_calls_need_pnetcdf) {
  EXPECT_NE(faults("collections: {h: {engine: library, library-calls: nonblocking}}").find("set format: cdf5"),
            std::string::npos);
  EXPECT_EQ(faults("collections: {h: {engine: direct, library-calls: nonblocking}}"), "none");
  EXPECT_EQ(faults("collections: {h: {engine: library, format: cdf1, library-calls: nonblocking}}"), "none");
}

}  // namespace
}  // namespace thalweg::config
