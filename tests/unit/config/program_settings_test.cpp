// Settings of a collection that come from the program.
#include <gmock/gmock.h>

#include <algorithm>

#include "loading.hpp"

namespace thalweg::config {
namespace {

class ProgramSettings : public CleanEnvironment {
 protected:
  // The whole message; "none" if they are accepted.
  static std::string faults_of(Settings& settings, const std::string& yaml, const std::string& name = "history") {
    try {
      add_collection(settings, name, yaml);
    } catch (const Error& fault) {
      EXPECT_EQ(fault.code(), THALWEG_ERROR_CONFIG);
      return fault.what();
    }
    return "none";
  }
  static std::string faults_of(const std::string& yaml) {
    Settings settings = load("");
    return faults_of(settings, yaml);
  }
  // "value (origin)" of a key of the collection `history`; "" if there is none.
  static std::string effective(const Settings& settings, const std::string& key) {
    const auto found = std::ranges::find(settings.effective, "collections.history." + key, &Effective::key);
    return found == settings.effective.end() ? "" : found->value + " (" + found->origin + ")";
  }
};

TEST_F(ProgramSettings, arrive_where_the_configuration_says_nothing) {
  Settings settings = load("report: none");
  add_collection(settings, "history", "every: 6 h\nvariables: {temp: {compression: {keep-digits: 3}}}\nformat: zarr\n");
  const CollectionSettings history = settings.collection("history");
  EXPECT_EQ(history.every, Interval{.seconds = 21600});
  EXPECT_EQ(history.format, format_named("zarr"));
  EXPECT_EQ(history.variables.at("temp").compression.keep_digits, 3);
  EXPECT_EQ(history.file, "history.zarr");
  EXPECT_EQ(history.place, "open_collection_text('history')");
  EXPECT_EQ(effective(settings, "every"), "6 h (program open_collection_text('history'):1:8)");
  EXPECT_EQ(effective(settings, "format"), "zarr (program open_collection_text('history'):3:9)");
  EXPECT_EQ(effective(settings, "durability"), "close (default)");
}

TEST_F(ProgramSettings, give_way_to_those_of_the_configuration_key_by_key) {
  Settings settings = load(R"(collections:
  history:
    every: 1 d
    compression: {level: 4}
    variables: {temp: {enabled: false}}
)");
  add_collection(settings, "history",
                 "{every: 6 h, compression: {codec: zstd, level: 9}, append: fail, "
                 "variables: {temp: {enabled: true, chunks: {y: 8}}, salt: {enabled: false}}}");
  const CollectionSettings history = settings.collection("history");
  EXPECT_EQ(history.every, Interval{.seconds = 86400});
  EXPECT_EQ(history.compression.level, 4);
  EXPECT_EQ(history.compression.codec, codec_named("zstd"));
  EXPECT_TRUE(history.append_is_said);
  EXPECT_FALSE(history.variables.at("temp").enabled);
  EXPECT_EQ(history.variables.at("temp").chunks, (ChunkSettings{{"y", 8}}));
  EXPECT_FALSE(history.variables.at("salt").enabled);
  EXPECT_EQ(history.place, "ocean.yaml:2:3");
  EXPECT_EQ(effective(settings, "every"), "1 d (file ocean.yaml:3:12)");
  EXPECT_EQ(effective(settings, "compression.level"), "4 (file ocean.yaml:4:26)");
  EXPECT_EQ(effective(settings, "compression.codec"), "zstd (program open_collection_text('history'):1:35)");
}

TEST_F(ProgramSettings, have_a_file_by_default_with_the_ending_of_their_format) {
  Settings settings = load("collections: {history: {every: 1 d}}");
  EXPECT_EQ(settings.collection("history").file, "history.nc");
  add_collection(settings, "history", "format: zarr");
  EXPECT_EQ(settings.collection("history").file, "history.zarr");
}

TEST_F(ProgramSettings, need_no_entry_in_the_configuration_and_close_no_list) {
  Settings settings = load("collections: {other: }");
  add_collection(settings, "history", "");
  EXPECT_EQ(settings.collection("history").file, "history.nc");
  EXPECT_THROW(settings.collection("hist"), Error);
  Settings free = load("");
  add_collection(free, "history", "every: 2 steps");
  EXPECT_EQ(free.collection("any").file, "any.nc");
}

TEST_F(ProgramSettings, are_listed_in_the_order_of_names_whatever_the_order_of_calls) {
  Settings settings = load("");
  Settings other = load("");
  for (const char* name : {"b", "a"}) add_collection(settings, name, "every: 2 steps");
  for (const char* name : {"a", "b"}) add_collection(other, name, "every: 2 steps");
  const auto keys = [](const Settings& of) {
    std::vector<std::string> keys;
    for (const Effective& effective : of.effective) keys.push_back(effective.key + effective.value + effective.origin);
    return keys;
  };
  EXPECT_EQ(keys(settings), keys(other));
  EXPECT_EQ(keys(settings).size(), keys(load("collections: {a: , b: }")).size());
}

TEST_F(ProgramSettings, that_are_wrong_are_all_told_at_once_with_their_places) {
  EXPECT_EQ(faults_of("evrey: 6 h\nformat: netcdf5\ncompression: {codec: zstd, level: 1 h}\n"),
            "open_collection_text('history'):1:1: error: unknown key 'evrey'; did you mean 'every'?\n"
            "    1 | evrey: 6 h\n"
            "      | ^\n" +
                faults_of("\nformat: netcdf5\n\n") + "\n" + faults_of("\n\ncompression: {codec: zstd, level: 1 h}\n"));
  EXPECT_THAT(faults_of("\nformat: netcdf5\n\n"),
              testing::StartsWith("open_collection_text('history'):2:9: error: format: 'netcdf5'"));
}

TEST_F(ProgramSettings, that_give_way_are_no_less_wrong) {
  Settings settings = load("collections: {history: {every: 1 d}}");
  EXPECT_THAT(faults_of(settings, "every: 6 parsecs"), testing::HasSubstr("parsecs"));
}

TEST_F(ProgramSettings, that_are_wrong_leave_the_settings_as_they_were) {
  Settings settings = load("collections: {history: {format: cdf5}}");
  const std::size_t keys = settings.effective.size();
  EXPECT_THAT(faults_of(settings, "{every: 6 h, compression: zstd}"),
              testing::StartsWith("open_collection_text('history'):1:27: error: codec: "));
  EXPECT_EQ(settings.collection("history").every, Interval{.steps = 1});
  EXPECT_EQ(settings.effective.size(), keys);
  EXPECT_EQ(faults_of(settings, "every: 6 h"), "none");
  EXPECT_EQ(settings.collection("history").every, Interval{.seconds = 21600});
}

TEST_F(ProgramSettings, are_checked_with_what_the_configuration_says) {
  Settings settings = load("writers: {ranks: 1}\ncollections: {other: {file: here.nc}}");
  EXPECT_THAT(faults_of(settings, "file: here.nc"),
              testing::HasSubstr("is the file of the collection 'other' already"));
  EXPECT_THAT(faults_of(settings, "{engine: library, format: cdf5}"), testing::HasSubstr("writers: thread"));
}

TEST_F(ProgramSettings, are_keys_of_a_collection_and_a_text_of_yaml) {
  EXPECT_THAT(faults_of("staging: 1 GiB"),
              testing::HasSubstr("unknown key 'staging' here; it belongs at the top level"));
  EXPECT_THAT(faults_of("cdf5"), testing::HasSubstr("such as 'every: 6 h' are wanted here, this is a single value"));
  EXPECT_THAT(faults_of("{every: ["), testing::StartsWith("open_collection_text('history'):1:"));
}

TEST_F(ProgramSettings, that_netcdf_calls_say_are_told_apart_in_the_first_error_of_the_configuration) {
  EXPECT_EQ(fault("collections: {his: {cycle: 2}}"),
            "ocean.yaml:1:15: error: file: with 'cycle: 2' every file would be called 'his.nc'; give it the number %n, "
            "as in restart.%n.nc; if nf90_create makes its files, leave 'cycle' out, which its calls say");
  EXPECT_THAT(fault("collections: {his: {cycle: 2, new-file: 1 d}}"),
              testing::HasSubstr("leave 'new-file', 'cycle' out"));
  EXPECT_THAT(fault("collections: {his: {cycle: 2, file: his.nc}}"), testing::Not(testing::HasSubstr("nf90_create")));
}

}  // namespace
}  // namespace thalweg::config
