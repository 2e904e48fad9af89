// What collections share: `defaults`, and YAML's merge keys.
#include <gmock/gmock.h>

#include "config/attribute_texts.hpp"
#include "loading.hpp"

namespace thalweg::config {
namespace {

using testing::HasSubstr;

class ConfigDefaults : public CleanEnvironment {
 protected:
  static std::string value(const Settings& settings, const std::string& key_of_collection) {
    for (const Effective& line : settings.effective)
      if (line.key == "collections." + key_of_collection) return line.value;
    return "none";
  }
  static std::string origin(const Settings& settings, const std::string& key) {
    for (const Effective& line : settings.effective)
      if (line.key == key) return line.origin;
    return "none";
  }
};

const std::string text =
    "collections:\n  history: {every: 6 h, variables: {sst: {compression: zstd}}}\n  restart: {format: cdf5}\n"
    "defaults:\n  format: zarr\n  every: 1 d\n  variables: {sst: {enabled: false}, u: {compression: {level: 7}}}\n";

TEST_F(ConfigDefaults, are_what_a_collection_has_that_does_not_say_them) {
  const Settings settings = load(text);
  const CollectionSettings& history = settings.collections.at("history");
  const CollectionSettings& restart = settings.collections.at("restart");
  EXPECT_EQ(history.format->name, "zarr");
  EXPECT_EQ(restart.format->name, "cdf5");
  EXPECT_EQ(value(settings, "history.every"), "6 h");
  EXPECT_EQ(value(settings, "restart.every"), "1 d");
  EXPECT_FALSE(history.variables.at("sst").enabled);
  EXPECT_EQ((*history.variables.at("sst").compression.codec)->name, "zstd");
  EXPECT_EQ(history.variables.at("u").compression.level, 7);
  EXPECT_EQ(restart.file, "restart.nc");
}

TEST_F(ConfigDefaults, of_fields_and_of_intervals_are_for_the_collections_that_have_such) {
  const std::string of_fields = "defaults: {operation: mean, every: 2 h, valid: 0.5, anchor: start, optional: true}\n";
  const Settings settings = load(of_fields +
                                 "collections:\n  gathered: {fields: [v]}\n  own: {}\n"
                                 "  instants: {fields: [v], operation: instant}\n");
  EXPECT_TRUE(settings.collections.at("gathered").has_statistics());
  EXPECT_FALSE(settings.collections.at("own").has_statistics());
  EXPECT_THAT(fault(of_fields + "collections:\n  own: {valid: 0.5}\n"), HasSubstr("this one has no 'fields'"));
  EXPECT_THAT(fault(of_fields + "collections:\n  own: {fields: [v], operation: instant, valid: 0.6}\n"),
              HasSubstr("there are instants alone"));
}

TEST_F(ConfigDefaults, are_echoed_with_the_place_where_they_stand) {
  const Settings settings = load(text);
  EXPECT_EQ(origin(settings, "collections.history.format"), "file ocean.yaml:5:11");
  EXPECT_EQ(origin(settings, "collections.restart.format"), "file ocean.yaml:3:21");
  EXPECT_EQ(origin(settings, "collections.history.pattern"), "default");
}

TEST_F(ConfigDefaults, give_attributes_to_which_a_collection_adds_its_own) {
  const Settings settings = load(
      "defaults: {attributes: {institution: Here, title: All}, variables: {sst: {attributes: {source: model}}}}\n"
      "collections:\n  a: {attributes: {title: \"A, and more\"}, variables: {sst: {attributes: {comment: c}}}}\n"
      "  b: {attributes: none}\n  c: {}\n");
  const auto attributes = [&](const char* name) { return settings.collections.at(name).attributes; };
  EXPECT_EQ(attributes("a"), (AttributeTexts{{"institution", "Here"}, {"title", "A, and more"}}));
  EXPECT_EQ(attributes("b"), AttributeTexts());
  EXPECT_EQ(attributes("c"), (AttributeTexts{{"institution", "Here"}, {"title", "All"}}));
  EXPECT_EQ(settings.collections.at("a").variables.at("sst").attributes,
            (AttributeTexts{{"comment", "c"}, {"source", "model"}}));
  EXPECT_EQ(value(settings, "a.attributes"), "{institution: Here, title: A, and more}");
}

TEST_F(ConfigDefaults, refuse_attributes_that_are_no_texts) {
  const auto refused = [&](const std::string& attributes) {
    return fault("defaults: {attributes: " + attributes + "}");
  };
  EXPECT_THAT(refused("{valid_range: 1}"), HasSubstr("'valid_range' is a number or several, and these are texts"));
  EXPECT_THAT(refused("{flags: [1, 2]}"), HasSubstr("'flags' needs a text"));
  EXPECT_THAT(refused("{a/b: c}"), HasSubstr("'a/b' is no name of an attribute"));
  EXPECT_THAT(refused("{a: b, a: c}"), HasSubstr("duplicate key 'a'"));
  EXPECT_THAT(refused("[a]"), HasSubstr("a map of names to texts"));
}

TEST_F(ConfigDefaults, hold_for_collections_that_only_the_program_names) {
  Settings settings = load("defaults: {format: cdf5, every: 3 h}");
  EXPECT_TRUE(settings.has_defaults_alone());
  EXPECT_EQ(settings.collection("any").format->name, "cdf5");
  EXPECT_EQ(settings.collection("any").file, "any.nc");
  add_collection(settings, "own", "every: 6 h\ndurability: record\n");
  EXPECT_EQ(value(settings, "own.every"), "3 h");  // the configuration prevails
  EXPECT_EQ(settings.collections.at("own").durability, Durability::record);
  EXPECT_TRUE(settings.has_defaults_alone());
  EXPECT_FALSE(load(text).has_defaults_alone());
  EXPECT_FALSE(load("staging: 1 GiB").has_defaults_alone());
}

TEST_F(ConfigDefaults, that_do_not_fit_a_collection_are_refused_where_they_stand) {
  const std::string faulty = faults("defaults:\n  format: cdf5\n  compression: zstd\ncollections: {h: }\n");
  EXPECT_THAT(faulty, HasSubstr("ocean.yaml:3"));
  Settings settings = load("defaults: {chunks: {x: 3}}");
  EXPECT_THROW(add_collection(settings, "own", "format: fortran"), Error);
}

TEST_F(ConfigDefaults, are_checked_by_themselves_where_the_program_names_the_collections) {
  EXPECT_THAT(fault("defaults: {format: cdf5, compression: zstd}"),
              HasSubstr("ocean.yaml:1:39: error: codec: CDF files have no compression"));
  EXPECT_EQ(fault("time-step: 1 h\ndefaults: {new-file: 1 d, record-dimension: x}"), "none") << "of no known file";
  EXPECT_EQ(fault("defaults: {format: cdf5, compression: zstd}\ncollections: {a: {compression: none}}"), "none");
}

TEST_F(ConfigDefaults, that_collections_of_netcdf_calls_do_not_take_are_checked_with_a_collection_that_does) {
  for (const char* keys :
       {"every: on-demand, new-file: 1 d", "new-file: 1 d, cycle: 2", "append: continue, cycle: 2"}) {
    const std::string text = fmt::format("defaults: {{{}}}", keys);
    EXPECT_EQ(fault(text), "none") << keys;
    Settings settings = load(text);
    EXPECT_NO_THROW(add_collection(settings, "his", "file: his_1.nc\nevery: on-demand\nformat: netcdf4\n", "his"));
    EXPECT_THROW(add_collection(settings, "own", "file: own.%n.nc"), Error) << keys;
  }
}

TEST_F(ConfigDefaults, that_some_collections_cannot_have_name_them_and_the_cure) {
  const std::string all = "defaults: {compression: {codec: zstd, keep-digits: 3}}\n";
  EXPECT_EQ(fault(all + "collections: {a: , b: {format: cdf5, compression: {keep-digits: all}}}"),
            "ocean.yaml:1:33: error: codec: CDF files have no compression; set format: netcdf4 or zarr; or say "
            "'compression: none' for the collection 'b', which has it from the defaults");
  const std::string both = faults(all + "collections: {a: , b: {format: cdf5}, c: {format: cdf5}}");
  EXPECT_THAT(both, HasSubstr("say 'compression: none' for the collections 'b', 'c'"));
  EXPECT_THAT(both, HasSubstr("say 'compression: {keep-digits: all}' for the collections 'b', 'c'"));
  EXPECT_THAT(fault("defaults: {variables: {t: {chunks: {x: 1}}}}\ncollections: {a: , b: {format: cdf1}}"),
              HasSubstr("for the collection 'b', which has it"));
}

TEST_F(ConfigDefaults, are_echoed_where_any_is_said) {
  const Settings settings = load("defaults: {record-dimension: none, variables: {t: {enabled: false}}}");
  EXPECT_EQ(origin(settings, "defaults.record-dimension"), "file ocean.yaml:1:30");
  EXPECT_EQ(origin(settings, "defaults.variables.t.enabled"), "file ocean.yaml:1:61");
  EXPECT_EQ(origin(settings, "defaults.every"), "default");
  EXPECT_EQ(origin(settings, "defaults.file"), "none") << "there is none";
  EXPECT_EQ(origin(load(""), "defaults.every"), "none");
  EXPECT_EQ(origin(load("defaults: {every: 2 steps}\ncollections: {a: }"), "defaults.every"), "none") << "a shows it";
}

TEST_F(ConfigDefaults, that_are_refused_are_one_fault_however_many_have_them) {
  for (const std::string keys : {"format: zar, pattern: per-rank", "format: cdf5, compression: zstd"}) {
    const std::string all = faults("defaults: {" + keys + "}\ncollections: {a: , b: }\n");
    EXPECT_THAT(all, HasSubstr("ocean.yaml:1:"));
    EXPECT_EQ(all.find(": error: ", all.find(": error: ") + 1), std::string::npos) << all;
  }
}

TEST_F(ConfigDefaults, have_no_name_of_a_file_and_know_their_keys) {
  EXPECT_EQ(fault("defaults: {file: a.nc}"),
            "ocean.yaml:1:12: error: file: each collection has its own; leave it out of the defaults");
  EXPECT_THAT(fault("defaults: {evry: 1 d}"), HasSubstr("unknown key 'evry'; did you mean 'every'?"));
  EXPECT_THAT(fault("defaults: {format: cdf7}"), HasSubstr("ocean.yaml:1:20"));
}

TEST_F(ConfigDefaults, of_yaml_are_merged) {
  const Settings settings = load(
      "collections:\n  a: &a {format: cdf5, every: 6 h}\n  b: {<<: *a, every: 1 d}\n"
      "  c: {<<: [*a, {every: 2 d, durability: record}]}\n");
  EXPECT_EQ(settings.collections.at("b").format->name, "cdf5");
  EXPECT_EQ(value(settings, "b.every"), "1 d");
  EXPECT_EQ(value(settings, "c.every"), "6 h");
  EXPECT_EQ(settings.collections.at("c").durability, Durability::record);
  EXPECT_EQ(settings.collections.at("c").file, "c.nc");
}

TEST_F(ConfigDefaults, of_yaml_are_maps) {
  EXPECT_EQ(fault("collections: {a: {<<: 3}}"),
            "ocean.yaml:1:23: error: '<<' takes a map, or a list of maps, such as *NAME of what '&NAME' marks");
  EXPECT_THAT(fault("collections: {a: {<<: [{every: 1 d}, x]}}"), HasSubstr("'<<' takes a map"));
}

TEST_F(ConfigDefaults, a_tab_is_named) {
  EXPECT_THAT(fault("collections:\n\thistory:\n\t\tevery: 1 d\n"),
              HasSubstr("the line begins with a tab; YAML is indented by spaces alone"));
}

}  // namespace
}  // namespace thalweg::config
