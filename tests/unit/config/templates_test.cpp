// Keys that collections share by name: `templates`, and `extends`.
#include <fmt/format.h>

#include <algorithm>

#include "loading.hpp"

namespace thalweg::config {
namespace {

class Templates : public CleanEnvironment {
 protected:
  static std::string origin_of(const Settings& settings, const std::string& key) {
    const auto found = std::ranges::find(settings.effective, key, &Effective::key);
    return found == settings.effective.end() ? "absent" : found->origin;
  }
};

constexpr const char* two_templates = R"(
time-step: 1 h
templates:
  cmip: {attributes: {Conventions: CF-1.12, institution: Here}, compression: zstd, missing: propagate}
  daily:
    extends: cmip
    every: 1 d
    operation: mean
    compression: {level: 7}
    fields: [ocean/sst]
)";

TEST_F(Templates, are_what_a_collection_has_that_extends_them) {
  const Settings settings = load(std::string(two_templates) + R"(
collections:
  surface: {extends: daily, attributes: {institution: There}, fields: ["ocean/ssh"], missing: skip}
  other: {every: 6 h}
)");
  const CollectionSettings surface = settings.collection("surface");
  EXPECT_EQ(surface.every, Interval{.seconds = 86400.0});
  EXPECT_EQ(surface.attributes.at("Conventions"), "CF-1.12");
  EXPECT_EQ(surface.attributes.at("institution"), "There");
  EXPECT_EQ(surface.compression.level, 7);
  EXPECT_EQ(surface.compression.codec.value()->name, "zstd");
  EXPECT_EQ(surface.fields.missing, MissingSamples::skip);
  ASSERT_EQ(surface.fields.chosen.size(), 2U);
  EXPECT_EQ(surface.fields.chosen[0].from, "ocean/sst");
  EXPECT_EQ(surface.fields.chosen[1].from, "ocean/ssh");
  const CollectionSettings other = settings.collection("other");
  EXPECT_TRUE(other.attributes.empty());
  EXPECT_TRUE(other.fields.chosen.empty());
}

TEST_F(Templates, prevail_in_their_order_and_over_the_defaults) {
  const Settings settings = load(R"(
defaults: {format: zarr, durability: none, priority: high}
templates:
  a: {format: cdf5, every: 2 steps}
  b: {every: 3 steps}
collections:
  ab: {extends: [a, b]}
  ba: {extends: [b, a]}
  own: {extends: [a, b], every: 5 steps}
)");
  EXPECT_EQ(settings.collection("ab").every, Interval{.steps = 3});
  EXPECT_EQ(settings.collection("ba").every, Interval{.steps = 2});
  EXPECT_EQ(settings.collection("own").every, Interval{.steps = 5});
  EXPECT_EQ(settings.collection("own").format->name, "cdf5");
  EXPECT_EQ(settings.collection("own").priority, Priority::high);
  EXPECT_EQ(settings.collection("own").durability, Durability::none);
}

TEST_F(Templates, are_taken_once_also_where_several_extend_them) {
  const Settings settings = load(R"(
templates:
  base: {fields: [a]}
  one: {extends: base, fields: [b]}
  two: {extends: base, fields: [c]}
collections: {h: {extends: [one, two], fields: [d]}}
)");
  std::string chosen;
  for (const ChosenField& field : settings.collection("h").fields.chosen) chosen += field.from;
  EXPECT_EQ(chosen, "abcd");
}

TEST_F(Templates, are_for_collections_and_have_names) {
  EXPECT_NE(fault("templates: {t: {format: cdf5}}\ndefaults: {extends: t}").find("a template is for collections"),
            std::string::npos);
  EXPECT_NE(fault("templates: {none: {format: cdf5}}").find("is the word for no template"), std::string::npos);
}

TEST_F(Templates, in_a_circle_are_told_of_each_that_is_in_it) {
  const std::string all = faults("templates: {a: {extends: b}, b: {extends: c}, c: {extends: b}}");
  EXPECT_EQ(all.find("'a' would"), std::string::npos);
  EXPECT_NE(all.find("'b' would extend itself, by 'b', 'c'"), std::string::npos);
  EXPECT_NE(all.find("'c' would extend itself, by 'c', 'b'"), std::string::npos);
}

TEST_F(Templates, are_echoed_with_the_place_where_they_stand) {
  const Settings settings = load("templates:\n  t: {format: cdf5}\ncollections: {h: {extends: t}}");
  EXPECT_EQ(origin_of(settings, "collections.h.format"), "file ocean.yaml:2:15");
  EXPECT_EQ(origin_of(settings, "collections.h.extends"), "file ocean.yaml:3:28");
  EXPECT_EQ(origin_of(settings, "templates.t.format"), "absent");
}

TEST_F(Templates, take_the_variables_of_the_file) {
  const Settings settings = load(
      "variables: {E: run1}\ntemplates: {t: {file: '${E}.%Y.nc', new-file: 1 year}}\n"
      "time-step: 1 d\ncollections: {h: {extends: t}}");
  EXPECT_EQ(settings.collection("h").file, "run1.%Y.nc");
}

TEST_F(Templates, give_way_as_a_whole_to_a_word_of_the_collection) {
  const Settings settings = load(
      "templates: {t: {format: netcdf4, compression: {codec: deflate, level: 9}}}\n"
      "collections: {h: {extends: t, compression: none}}");
  EXPECT_FALSE(settings.collection("h").compression.level.has_value());
}

TEST_F(Templates, that_are_not_there_or_extend_themselves_are_errors) {
  EXPECT_EQ(fault("templates: {cmip: {every: 2 steps}}\ncollections: {h: {extends: cmpi}}"),
            "ocean.yaml:2:28: error: extends: no template is called 'cmpi'; did you mean 'cmip'?");
  EXPECT_NE(fault("collections: {h: {extends: cmip}}").find("no template is called 'cmip'"), std::string::npos);
  EXPECT_NE(faults("templates: {a: {extends: b}, b: {extends: [a]}}").find("'a' would extend itself, by 'a', 'b'"),
            std::string::npos);
  EXPECT_NE(fault("templates: {a: {extends: a}}\ncollections: {h: {extends: a}}").find("'a' would extend itself"),
            std::string::npos);
  EXPECT_NE(fault("templates: {a: {}}\ncollections: {h: {extends: {a: 1}}}").find("extends: "), std::string::npos);
  EXPECT_NE(fault("templates: {a: {}}\ncollections: {h: {extends: [[a]]}}").find("extends: "), std::string::npos);
}

TEST_F(Templates, are_checked_whether_or_not_anything_extends_them) {
  EXPECT_EQ(fault("templates:\n  t: {evry: 6 h}"), "ocean.yaml:2:7: error: unknown key 'evry'; did you mean 'every'?");
  EXPECT_NE(fault("templates: {t: {format: cfd5}}").find("format: "), std::string::npos);
  EXPECT_NE(fault("templates: {t: 3}").find("this is a single value"), std::string::npos);
  EXPECT_NE(fault("templates: [t]").find("this is a list"), std::string::npos);
  EXPECT_NE(fault("templates: {t: {every: 2 steps}, t: {every: 3 steps}}").find("duplicate key 't'"),
            std::string::npos);
  EXPECT_EQ(fault("templates: {t: }\ncollections: {h: {extends: t}}"), "none");
}

TEST_F(Templates, with_a_fault_that_several_extend_tell_it_once) {
  const std::string all = faults("templates: {t: {format: cfd5}}\ncollections: {g: {extends: t}, h: {extends: t}}");
  EXPECT_EQ(all.find("error: "), all.rfind("error: "));
}

TEST_F(Templates, do_not_fill_the_memory) {
  std::string text = "templates:\n  t: {fields: [";
  for (int i = 0; i < 3000; ++i) text += fmt::format("f{}, ", i);
  text += "z]}\ncollections:\n";
  for (int i = 0; i < 3000; ++i) text += fmt::format("  c{}: {{extends: t, fields: [own]}}\n", i);
  EXPECT_NE(fault(text).find("the templates stand for more than 1000000 values"), std::string::npos);
}

TEST_F(Templates, are_not_for_what_the_program_says) {
  Settings settings = load("templates: {t: {format: cdf5}}");
  try {
    add_collection(settings, "h", "{extends: t}");
    FAIL() << "the program's text has no templates";
  } catch (const Error& fault) {
    EXPECT_NE(std::string(fault.what()).find("templates are those of the configuration"), std::string::npos);
  }
}

}  // namespace
}  // namespace thalweg::config
