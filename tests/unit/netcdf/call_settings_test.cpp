// What netCDF's calls say, as settings, and what a configuration says against it.
#include "netcdf/call_settings.hpp"

#include <gmock/gmock.h>

#include "../config/loading.hpp"

namespace thalweg::netcdf {
namespace {

using config::Codec;
using config::CollectionSettings;
using config::Settings;
using testing::HasSubstr;

class CallSettingsTest : public config::CleanEnvironment {
 protected:
  CallSettingsTest() {
    const int x = declared_.define_dimension("x", 4);
    const int t = declared_.define_dimension("t", THALWEG_UNLIMITED);
    declared_.set_deflate(declared_.define_variable("temp", Type::float32, {t, x}), {4, true});
    declared_.set_deflate(declared_.define_variable("mask", Type::int8, {x}), {0, true});
    declared_.define_variable("zeta", Type::float32, {t, x});
  }

  // Of the first file, as the session does it.
  CollectionSettings add(const std::string& configuration) {
    settings_ = load(configuration);
    const CallSettings said = settings_of(name_, declared_, settings_);
    left_out_ = said.left_out;
    config::add_collection(settings_, "his", said.yaml, "his");
    return settings_.collection("his");
  }

  std::string refused(const std::string& configuration) {
    try {
      add(configuration);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  // "deflate 4 true"; what is not said is a dash.
  static std::string compression(const CollectionSettings& of, const std::string& variable) {
    const auto found = of.variables.find(variable);
    if (found == of.variables.end()) return "";
    const config::CompressionSettings& own = found->second.compression;
    const std::string codec(!own.codec ? "-" : *own.codec ? (**own.codec).name : "none");
    return fmt::format("{} {} {}", codec, own.level ? std::to_string(*own.level) : "-",
                       own.shuffle ? fmt::format("{}", *own.shuffle) : "-");
  }

  FileName name_{"out/his_0001.nc", "netcdf4", 3};
  Declared declared_;
  Settings settings_;
  std::string left_out_;
};

TEST_F(CallSettingsTest, are_those_of_the_calls_where_nothing_is_configured) {
  const CollectionSettings his = add("");
  EXPECT_EQ(his.file, "out/his_0001.nc");
  EXPECT_TRUE(his.is_on_demand());
  EXPECT_EQ(compression(his, "temp"), "deflate 4 true");
  EXPECT_EQ(compression(his, "mask"), "- - true");
  EXPECT_EQ(compression(his, "zeta"), "");
  EXPECT_EQ(left_out_, "");
}

TEST_F(CallSettingsTest, give_way_to_a_configured_compression) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"compression: zstd", "", ""},
      {"compression: none", "", ""},
      {"variables: {temp: {compression: none}}", "none - -", "- - true"},
      {"variables: {temp: {compression: {level: 9}}}", "deflate 9 true", "- - true"},
      {"compression: {level: 7}", "deflate - true", "- - true"},
      {"compression: {shuffle: false}", "deflate 4 -", ""},
      {"variables: {temp: {compression: {shuffle: auto, level: auto}}}", "deflate - -", "- - true"},
      {"compression: {keep-digits: 3}", "deflate 4 true", "- - true"},
  };
  for (const auto& [keys, temp, mask] : cases)
    for (const std::string where : {"collections: {his: {" + keys + "}}", "defaults: {" + keys + "}"}) {
      const CollectionSettings his = add(where);
      EXPECT_EQ(compression(his, "temp"), temp) << where;
      EXPECT_EQ(compression(his, "mask"), mask) << where;
      EXPECT_EQ(left_out_, "") << where;
    }
}

TEST_F(CallSettingsTest, that_a_configured_format_has_not_are_left_out_and_said) {
  for (const std::string format : {"cdf5", "fortran", "zarr"}) {
    const CollectionSettings his = add("collections: {his: {format: " + format + "}}");
    EXPECT_EQ(compression(his, "temp"), "") << format;
    EXPECT_EQ(left_out_, "format: " + format +
                             " (ocean.yaml:1:29) has no such compression as nf90_def_var_deflate asks for, which is "
                             "left out for 'temp', 'mask'");
  }
  add("defaults: {format: zarr}");
  EXPECT_THAT(left_out_, HasSubstr("format: zarr (ocean.yaml:1:20)"));
}

TEST_F(CallSettingsTest, that_the_format_of_the_calls_has_not_are_refused_by_the_name_of_the_call) {
  name_ = {"his_0001.nc", "cdf2", 2};
  EXPECT_EQ(
      refused(""),
      "file 'his_0001.nc', variable 'temp': nf90_def_var_deflate (deflate_level of nf90_def_var), but cdf2, which "
      "the mode of nf90_create gives, has no compression; add nf90_netcdf4 to the mode, or leave the call out");
  EXPECT_EQ(compression(add("collections: {his: {format: netcdf4}}"), "temp"), "deflate 4 true");
}

TEST_F(CallSettingsTest, that_only_calls_can_say_are_refused_in_a_collection) {
  const std::vector<std::array<std::string, 2>> cases = {
      {"file: x.nc", "files have the names that nf90_create is given"},
      {"every: 6 h", "records are those that nf90_sync, or a put of the next one, closes"},
      {"initial-record: true", "records are those that nf90_sync, or a put of the next one, closes"},
      {"append: continue", "times are the program's own, so that no file of an earlier run is gone on with"},
      {"record-dimension: none, every: on-demand", "files have an unlimited dimension, or none, as nf90_def_dim says"},
  };
  for (const auto& [keys, why] : cases) {
    const std::string told = refused("collections: {his: {" + keys + "}}");
    const std::string key = keys.substr(0, keys.find(':'));
    EXPECT_THAT(told, HasSubstr("error: " + key + ": collection 'his' is written by netCDF's calls, where " + why +
                                "; leave it out"));
    EXPECT_THAT(told, testing::StartsWith("ocean.yaml:1:"));
  }
}

TEST_F(CallSettingsTest, that_say_the_same_as_the_calls_are_taken) {
  for (const std::string keys : {"new-file: never", "cycle: none", "every: on-demand", "initial-record: false"})
    EXPECT_TRUE(add("collections: {his: {" + keys + "}}").is_on_demand()) << keys;
}

TEST_F(CallSettingsTest, that_only_calls_can_say_are_not_taken_from_the_defaults) {
  const CollectionSettings his =
      add("time-step: 1 h\ndefaults: {every: 6 h, initial-record: true, record-dimension: none, durability: record, "
          "append: fail}\n"
          "collections: {daily: {file: d%Y%m%d%H.nc}}");
  EXPECT_TRUE(his.is_on_demand());
  EXPECT_FALSE(his.initial_record || his.one_record);
  EXPECT_EQ(his.record_dimension, "time");
  EXPECT_EQ(his.durability, config::Durability::record);
  EXPECT_EQ(his.append, config::Append::fail);
  EXPECT_EQ(add("defaults: {append: continue}").append, config::Append::new_file);
  EXPECT_EQ(add("collections: {his: {record-dimension: when}}").record_dimension, "when") << "a name is no matter";
}

TEST_F(CallSettingsTest, of_a_file_without_an_unlimited_dimension_are_of_one_record) {
  declared_ = {};
  declared_.define_variable("h", Type::float32, {declared_.define_dimension("x", 4)});
  for (const std::string keys : {"record-dimension: time", "record-dimension: none, every: on-demand"}) {
    EXPECT_THAT(keys + refused("collections: {his: {" + keys + "}}"),
                testing::AnyOf(testing::EndsWith("none"), HasSubstr("every: collection 'his'")));
  }
  EXPECT_TRUE(add("defaults: {record-dimension: time}").one_record);
}

TEST_F(CallSettingsTest, are_named_by_their_calls_in_messages) {
  EXPECT_THAT(refused("collections: {b: {file: out/his_0001.nc}}"),
              testing::StartsWith("nf90_create of 'out/his_0001.nc' of collection 'his': error: file: "));
  add("");
  const auto line = std::ranges::find(settings_.effective, "collections.his.variables.temp.compression.level",
                                      &config::Effective::key);
  ASSERT_NE(line, settings_.effective.end());
  EXPECT_EQ(line->origin, "program, deflate of variable 'temp' (nf90_def_var_deflate) of collection 'his'");
}

TEST_F(CallSettingsTest, of_the_next_collection_of_a_name_are_configured_like_the_first) {
  add("collections: {his: {format: cdf5, durability: record}}");
  const CallSettings said = settings_of({"his_0002.nc", "netcdf4", 3}, declared_, settings_);
  EXPECT_THAT(said.left_out, HasSubstr("'temp'"));
  config::add_collection(settings_, "his-2", said.yaml, "his");
  EXPECT_EQ(settings_.collection("his-2").file, "his_0002.nc");
  EXPECT_EQ(settings_.collection("his-2").durability, config::Durability::record);
  EXPECT_EQ(settings_.collection("his-2").format->name, "cdf5");
}

}  // namespace
}  // namespace thalweg::netcdf
