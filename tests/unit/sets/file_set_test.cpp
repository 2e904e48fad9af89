#include "sets/file_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/sample_file.hpp"

namespace thalweg::sets {

namespace sample = formats::sample;

namespace {

using config::format_named;
using sample::expect_error;
using sample::numbers;

// Two decomposed dimensions, only the first with a coordinate variable.
catalog::Definition grid(std::int64_t ny = 10, std::int64_t nx = 20) {
  catalog::Definition whole;
  whole.format = format_named("cdf5");
  whole.record_dimension = "time";
  whole.dimensions = {{"y", ny}, {"x", nx}, {"z", 3}};
  whole.attributes = {sample::text("title", "grid")};
  const auto variable = [&](const char* name, bool has_record, std::vector<int> dimensions) {
    catalog::Variable result;
    result.name = name;
    result.has_record = has_record;
    result.dimensions = std::move(dimensions);
    whole.variables.push_back(result);
  };
  variable("y", false, {0});
  variable("temp", true, {2, 0, 1});
  variable("z", false, {2});
  whole.variables[0].attributes = {sample::text("units", "m")};
  return whole;
}

using Sections = std::vector<Section>;

template <typename T>
void expect_numbers(const std::vector<catalog::Attribute>& attributes, const std::string& name, Type type,
                    const std::vector<T>& values) {
  const catalog::Attribute* attribute = find(attributes, name);
  ASSERT_NE(attribute, nullptr) << name;
  EXPECT_EQ(attribute->type, type) << name;
  EXPECT_EQ(attribute->values, numbers(name, type, values).values) << name;
}

TEST(FileSet, part_says_what_it_holds_of_the_whole) {
  const auto part = definition_of_part(grid(), Sections{{4, 6}, {0, 7}, {0, 3}}, {4, "a-run"});
  EXPECT_EQ(part.dimensions[0].size, 6);
  EXPECT_EQ(part.dimensions[1].size, 7);
  expect_numbers<std::int32_t>(part.attributes, "NumFilesInSet", Type::int32, {4});
  expect_numbers<std::int32_t>(part.variables[0].attributes, "domain_decomposition", Type::int32, {1, 10, 5, 10});
  expect_numbers<std::int32_t>(part.attributes, "domain_decomposition_x", Type::int32, {1, 20, 1, 7});
  EXPECT_EQ(find(part.attributes, "domain_decomposition_y"), nullptr);
  EXPECT_EQ(find(part.variables[2].attributes, "domain_decomposition"), nullptr);
}

TEST(FileSet, sizes_beyond_32_bits_have_attributes_of_64) {
  constexpr std::int64_t large = std::int64_t{5} << 31;
  const auto part = definition_of_part(grid(10, large), Sections{{0, 5}, {large - 3, 3}, {0, 3}}, {2});
  expect_numbers<std::int64_t>(part.attributes, "domain_decomposition_x", Type::int64, {1, large, large - 2, large});
  expect_numbers<std::int32_t>(part.variables[0].attributes, "domain_decomposition", Type::int32, {1, 10, 1, 5});
  const auto described = describe_part(part, "a.nc.0001");
  EXPECT_EQ(described.whole.dimensions[1].size, large);
  EXPECT_EQ(described.sections[1], (Section{large - 3, 3}));
}

TEST(FileSet, description_gives_the_whole_back) {
  const Sections sections = {{4, 6}, {0, 7}, {0, 3}};
  const auto described = describe_part(definition_of_part(grid(), sections, {4}), "a.nc.0000");
  EXPECT_EQ(described.identity.files, 4);
  EXPECT_EQ(described.sections, sections);
  check_alike(grid(), "whole", described.whole, "part");
}

TEST(FileSet, counts_from_the_first_index_of_the_whole) {
  auto part = definition_of_part(grid(), Sections{{4, 6}, {0, 20}, {0, 3}}, {2});
  part.variables[0].attributes[1] = numbers<std::int32_t>("domain_decomposition", Type::int32, {-5, 4, -1, 4});
  const auto described = describe_part(part, "a.nc.0000");
  EXPECT_EQ(described.sections[0], (Section{4, 6}));
  EXPECT_EQ(described.whole.dimensions[0].size, 10);
}

TEST(FileSet, chunks_of_a_part_fit_into_it) {
  auto whole = grid();
  whole.variables[1].chunk = {3, 10, 20};
  const auto part = definition_of_part(whole, Sections{{4, 6}, {0, 7}, {0, 3}}, {4});
  EXPECT_EQ(part.variables[1].chunk, (Index{3, 6, 7}));
}

TEST(FileSet, description_that_contradicts_the_file_is_an_error) {
  const auto part = definition_of_part(grid(), Sections{{4, 6}, {0, 20}, {0, 3}}, {2});
  using Numbers = std::vector<std::int32_t>;
  for (const Numbers& wrong : {Numbers{1, 10, 5}, {1, 10, 4, 10}, {1, 9, 5, 10}, {6, 10, 5, 10}, {1, 10, 10, 5}, {1}}) {
    auto spoiled = part;
    spoiled.variables[0].attributes[1] = numbers("domain_decomposition", Type::int32, wrong);
    expect_error(THALWEG_ERROR_FORMAT, "'a.nc.0001' for dimension 'y'", [&] { describe_part(spoiled, "a.nc.0001"); });
  }
  auto spoiled = part;
  spoiled.variables[0].attributes[1] = sample::text("domain_decomposition", "1 10 5 10");
  expect_error(THALWEG_ERROR_FORMAT, "not of type int32", [&] { describe_part(spoiled, "a.nc.0001"); });
  expect_error(THALWEG_ERROR_FORMAT, "not a file of a set", [&] { describe_part(grid(), "a.nc.0001"); });
}

TEST(FileSet, parts_of_two_runs_are_told_apart) {
  const std::vector<Section> sections = whole_sections(grid());
  const auto run_of = [&](const std::string& run_id) {
    const auto described = describe_part(definition_of_part(grid(), sections, {2, run_id}), "a.nc.0000");
    check_alike(grid(), "whole", described.whole, "part");
    return described.identity;
  };
  EXPECT_EQ(run_of("one").run_id, "one");
  check_one_run(run_of("one"), "a", run_of("one"), "b");
  check_one_run(run_of(""), "a", run_of(""), "b");  // of others, who do not say it
  expect_error(THALWEG_ERROR_FORMAT, "two runs", [&] { check_one_run(run_of("one"), "a", run_of("two"), "b"); });
  expect_error(THALWEG_ERROR_FORMAT, "'one' and none", [&] { check_one_run(run_of("one"), "a", run_of(""), "b"); });
}

TEST(FileSet, a_part_says_the_run_of_its_own_set_alone) {
  auto whole = grid();
  whole.attributes.push_back(sample::text(run_attribute, "read from another set"));
  const auto part = definition_of_part(whole, whole_sections(whole), {1, "own"});
  EXPECT_EQ(std::ranges::count(part.attributes, run_attribute, &catalog::Attribute::name), 1);
  EXPECT_EQ(describe_part(part, "a.nc.0000").identity.run_id, "own");
}

TEST(FileSet, parts_that_differ_are_told_apart_by_name) {
  const auto expect_difference = [](const std::string& part, auto&& change) {
    auto other = grid();
    change(other);
    expect_error(THALWEG_ERROR_FORMAT, "'a' and 'b' differ in " + part, [&] { check_alike(grid(), "a", other, "b"); });
  };
  expect_difference("the format", [](auto& d) { d.format = format_named("cdf2"); });
  expect_difference("the record dimension", [](auto& d) { d.record_dimension = "t"; });
  expect_difference("dimension 'x' (size of the whole: 20 and 21)", [](auto& d) { d.dimensions[1].size = 21; });
  expect_difference("the number of dimensions", [](auto& d) { d.dimensions.push_back({"w", 2}); });
  expect_difference("the number of variables", [](auto& d) { d.variables.pop_back(); });
  expect_difference("variable 'temp'", [](auto& d) { d.variables[1].type = Type::float32; });
  expect_difference("attribute 'units' of variable 'y'", [](auto& d) { d.variables[0].attributes[0].text = "km"; });
  expect_difference("attribute 'title' of the file", [](auto& d) { d.attributes.clear(); });
}

TEST(FileSet, variable_has_one_source_for_each_box_and_copies_beside) {
  const std::vector<SetPart> parts = {
      {"0", {{0, 4}, {0, 7}, {0, 3}}}, {"1", {{0, 4}, {7, 13}, {0, 3}}}, {"2", {{4, 6}, {0, 7}, {0, 3}}}};
  const auto whole = grid();
  EXPECT_EQ(sources_of(whole.variables[1], parts).size(), 3U);
  const auto of_y = sources_of(whole.variables[0], parts);
  ASSERT_EQ(of_y.size(), 2U);
  EXPECT_EQ(of_y[0].box, (Box{{0}, {4}}));
  EXPECT_EQ(of_y[0].part, 0);
  EXPECT_EQ(of_y[0].copies, std::vector<int>{1});
  EXPECT_EQ(of_y[1].part, 2);
  const auto of_z = sources_of(whole.variables[2], parts);
  ASSERT_EQ(of_z.size(), 1U);
  EXPECT_EQ(of_z[0].copies, (std::vector<int>{1, 2}));
}

TEST(FileSet, boxes_that_overlap_in_part_are_an_error) {
  const std::vector<SetPart> parts = {{"first", {{0, 4}, {0, 20}, {0, 3}}},
                                      {"second", {{6, 4}, {0, 20}, {0, 3}}},
                                      {"third", {{3, 3}, {0, 20}, {0, 3}}}};
  expect_error(THALWEG_ERROR_FORMAT, "'first' and 'third' both hold [3:4]",
               [&] { sources_of(grid().variables[0], parts); });
}

TEST(FileSet, parts_of_the_same_sections_are_an_error) {
  const std::vector<SetPart> parts = {{"first", {{0, 4}}}, {"second", {{4, 2}}}, {"third", {{0, 4}}}};
  expect_error(THALWEG_ERROR_FORMAT, "'first' and 'third'", [&] { check_distinct(parts); });
  check_distinct(std::span(parts).first(2));
}

TEST(FileSet, names_of_parts_have_at_least_four_digits) {
  EXPECT_EQ(storage::part_name("a.nc", 7), "a.nc.0007");
  EXPECT_EQ(storage::part_name("a.nc", 123456), "a.nc.123456");
  for (const std::int64_t number : {0, 9999, 10000}) {
    const auto name = storage::parse_part_name(storage::part_name("b/a.1.nc", number));
    ASSERT_TRUE(name);
    EXPECT_EQ(name->set, "b/a.1.nc");
    EXPECT_EQ(name->number, number);
  }
  for (const char* name :
       {"a.nc", "a.nc.001", "a.nc.00x1", ".0001", "a", "a.nc.0001.partial", "a.99999999999999999999"})
    EXPECT_FALSE(storage::parse_part_name(name)) << name;
}

TEST(FileSet, fill_is_what_the_variable_says_or_the_default) {
  catalog::Variable variable{.name = "a", .type = Type::float32, .dimensions = {}, .attributes = {}, .chunk = {}};
  EXPECT_EQ(fill_of(variable), default_fill(Type::float32));
  variable.attributes = {numbers<float>("_FillValue", Type::float32, {-1.0F})};
  EXPECT_EQ(fill_of(variable), element_of(-1.0F));
  variable.attributes = {numbers<double>("_FillValue", Type::float64, {-1.0})};
  EXPECT_EQ(fill_of(variable), default_fill(Type::float32));
}

}  // namespace
}  // namespace thalweg::sets
