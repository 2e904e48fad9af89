#include "fields/choice.hpp"
#include "fields/files_of_choice.hpp"
#include "fields/unknown_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace thalweg::fields {
namespace {

using config::ChosenField;
using config::Operation;
using testing::HasSubstr;

Field field(const std::string& name, const std::string& dims = "y,x", Type type = Type::float32) {
  Field made;
  made.name = name;
  made.dims = dims;
  made.type = type;
  return made;
}

Field fixed(Field of) {
  of.is_static = true;
  return of;
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = [] {
    std::vector<Field> made = {field("ocean/temp"),
                               field("ocean/salt"),
                               field("ice/temp"),
                               field("ocean/ssh"),
                               field("cells", "y,x", Type::int32),
                               fixed(field("x", "x")),
                               fixed(field("geo/lat", "y,x"))};
    made[3].attributes = {catalog::text_attribute("coordinates", "lat  lon")};
    return made;
  }();
  return all;
}

Choice chosen(const std::vector<ChosenField>& list, Operation operation = Operation::instant, bool optional = false) {
  config::CollectionSettings collection;
  collection.name = "daily";
  collection.place = "ocean.yaml:3:5";
  collection.fields = {.chosen = list, .is_optional = optional, .operation = operation};
  std::vector<Field> known = fields();
  const Choice choice = choose(collection, known);
  require_known(collection, choice, known);
  return files_of(collection, choice, known).collections.at("daily");
}

std::string text_of(const Choice& choice) {
  std::string text;
  for (const Chosen& of : choice.chosen)
    text += fmt::format("{}={}:{} ", of.variable, fields()[static_cast<std::size_t>(of.field)].name, name_of(of.type));
  return text;
}

std::string refused(const std::vector<ChosenField>& list, Operation operation = Operation::instant) {
  try {
    chosen(list, operation);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    return error.what();
  }
  return "none";
}

TEST(Choice, finds_fields_by_name_or_last_part) {
  EXPECT_EQ(text_of(chosen({{.from = "salt"}, {.from = "ice/temp"}})),
            "salt=ocean/salt:float32 temp=ice/temp:float32 x=x:float32 ");
}

TEST(Choice, finds_fields_by_patterns) {
  EXPECT_EQ(text_of(chosen({{.from = "ocean/s*"}})),
            "salt=ocean/salt:float32 ssh=ocean/ssh:float32 "
            "x=x:float32 lat=geo/lat:float32 ");
  EXPECT_EQ(text_of(chosen({{.from = "cell?"}})), "cells=cells:int32 x=x:float32 ");
}

TEST(Choice, names_variables_of_one_field_by_their_operations) {
  EXPECT_EQ(text_of(chosen({{.from = "ssh"},
                            {.from = "ssh", .operation = Operation::max},
                            {.from = "ssh", .operation = Operation::min, .name = "lowest"}},
                           Operation::mean)),
            "ssh=ocean/ssh:float32 ssh_max=ocean/ssh:float32 lowest=ocean/ssh:float32 x=x:float32 "
            "lat=geo/lat:float32 ");
}

TEST(Choice, gives_results_types_that_hold_them) {
  EXPECT_EQ(text_of(chosen({{.from = "cells"}}, Operation::mean)), "cells=cells:float64 x=x:float32 ");
  EXPECT_EQ(text_of(chosen({{.from = "cells"}}, Operation::max)), "cells=cells:int32 x=x:float32 ");
  EXPECT_EQ(text_of(chosen({{.from = "salt"}}, Operation::count)), "salt=ocean/salt:int32 x=x:float32 ");
  EXPECT_EQ(text_of(chosen({{.from = "salt", .type = Type::float64}}, Operation::mean)),
            "salt=ocean/salt:float64 x=x:float32 ");
}

TEST(Choice, says_what_it_cannot_choose) {
  EXPECT_THAT(refused({{.from = "sallt"}}), HasSubstr("ocean.yaml:3:5: collection 'daily': field 'sallt' is chosen"));
  EXPECT_THAT(refused({{.from = "ocean/sal"}}), HasSubstr("did you mean 'ocean/salt'"));
  EXPECT_THAT(refused({{.from = "temp"}}), HasSubstr("'temp' are several fields: ocean/temp, ice/temp"));
  EXPECT_THAT(refused({{.from = "q*"}}), HasSubstr("no field is like 'q*'; fields are ocean/temp"));
  EXPECT_THAT(refused({{.from = "ssh", .name = "a"}, {.from = "salt", .name = "a"}}),
              HasSubstr("two of its variables would be called 'a'"));
  EXPECT_THAT(refused({{.from = "x", .operation = Operation::mean}}), HasSubstr("static, and has no mean in time"));
  EXPECT_THAT(refused({{.from = "cells", .type = Type::int32}}, Operation::mean),
              HasSubstr("mean of field 'cells' cannot be of type int32; set type: float64"));
}

TEST(Choice, leaves_out_what_is_optional) {
  const Choice choice = chosen({{.from = "salt"}, {.from = "co2"}}, Operation::mean, true);
  EXPECT_EQ(text_of(choice), "salt=ocean/salt:float32 x=x:float32 ");
  EXPECT_EQ(choice.missing, (std::vector<std::string>{"co2"}));
}

TEST(Choice, knows_what_may_be_made_yet_of_the_fields_that_there_are) {
  config::CollectionSettings collection;
  collection.fields.chosen = {{.name = "made", .expression = config::parse_expression("salt * late + ssh")},
                              {.from = "ice/*"},
                              {.from = "later"}};
  std::vector<Field> known = fields();
  const Choice choice = choose(collection, known);
  EXPECT_EQ(choice.operands, (std::vector<int>{1, 3}));
  EXPECT_EQ(choice.unknown.size(), 2U);
  ASSERT_EQ(choice.chosen.size(), 1U);
  EXPECT_EQ(choice.chosen[0].entry, 1U);
  known.push_back(field("late"));
  known.push_back(field("later"));
  const Choice later = choose(collection, known);
  EXPECT_TRUE(later.unknown.empty());
  EXPECT_TRUE(later.operands.empty());
  ASSERT_EQ(later.chosen.size(), 3U);
  for (std::size_t entry = 0; entry < 3; ++entry) EXPECT_EQ(later.chosen[entry].entry, entry);
}

TEST(Choice, knows_which_fields_are_like_a_pattern) {
  EXPECT_TRUE(is_pattern({.from = "ice/?"}));
  EXPECT_FALSE(is_pattern({.from = "ice/a"}));
  EXPECT_TRUE(is_like({.from = "*"}, field("ice/a")));
  EXPECT_TRUE(is_like({.from = "ice/*"}, field("ice/a")));
  EXPECT_FALSE(is_like({.from = "ocean/*"}, field("ice/a")));
  EXPECT_TRUE(is_like({.from = "*"}, fixed(field("a"))));
  EXPECT_FALSE(is_like({.from = "*", .operation = Operation::mean}, fixed(field("a"))));
}

std::string names_of(const Choice& choice) {
  std::string text;
  for (const Chosen& of : choice.chosen) text += fmt::format("{}:{} ", of.variable, of.region);
  return text;
}

TEST(ChoiceOfRegions, has_coordinates_for_each) {
  const std::vector<config::PartOfDimension> row = {{"y", config::IndexList{3}}};
  const Choice choice = chosen({{.from = "ocean/ssh"},
                                {.from = "salt", .region = row},
                                {.from = "ocean/ssh", .name = "row", .region = row},
                                {.from = "cells", .region = std::vector<config::PartOfDimension>{}}});
  EXPECT_EQ(names_of(choice), "ssh:0 salt:1 row:1 cells:0 x:0 lat:0 lat_2:1 ") << "x has no y";
  ASSERT_EQ(choice.regions.size(), 2U);
  EXPECT_EQ(choice.regions[1].parts, row);
  EXPECT_EQ(choice.regions[1].names, (std::map<std::string, std::string>{{"lat", "lat_2"}}));
}

TEST(ChoiceOfRegions, has_the_usual_names_in_a_file_of_its_own) {
  config::CollectionSettings collection;
  collection.name = "rows";
  collection.file = "%v.nc";
  const std::vector<config::PartOfDimension> row = {{"y", config::IndexList{3}}};
  collection.fields.chosen = {{.from = "ocean/ssh"}, {.from = "ocean/ssh", .name = "row", .region = row}};
  std::vector<Field> known = fields();
  const FilesOfChoice files = files_of(collection, choose(collection, known), known);
  ASSERT_EQ(files.collections.size(), 2U);
  for (const auto& [name, choice] : files.collections) {
    EXPECT_EQ(names_of(choice), name.substr(name.rfind('/') + 1) + ":0 x:0 lat:0 ");
    EXPECT_EQ(choice.regions.size(), 1U);
    EXPECT_EQ(choice.regions[0].parts.empty(), name == "rows/ssh");
  }
}

// Of one entry, and the field that is made.
struct Made {
  Chosen chosen;
  Field field;
  std::size_t fields;
};

Made made_of(const std::string& expression, std::vector<Field> known = fields(),
             Operation operation = Operation::mean) {
  config::CollectionSettings collection;
  collection.fields = {.chosen = {{.name = "made", .expression = config::parse_expression(expression)}},
                       .operation = operation};
  const Chosen chosen = choose(collection, known).chosen.front();
  return {chosen, known[static_cast<std::size_t>(chosen.field)], known.size() - fields().size()};
}

TEST(Choice, has_no_field_in_place_of_the_time_of_its_records) {
  config::CollectionSettings collection;
  collection.fields.operation = Operation::mean;
  for (const char* name : {"time", "time_bnds"}) {
    collection.fields.chosen = {ChosenField{.from = "salt", .name = name}};
    std::vector<Field> known = fields();
    EXPECT_THROW(choose(collection, known), Error) << name;
    collection.fields.operation = Operation::instant;
    EXPECT_NO_THROW(choose(collection, known));
    collection.fields.operation = Operation::mean;
  }
}

TEST(Choice, tells_all_fields_that_there_are_not) {
  config::CollectionSettings collection;
  collection.fields.chosen = {ChosenField{.from = "slat"}, ChosenField{.from = "salt"}, ChosenField{.from = "q*"}};
  std::vector<Field> known = fields();
  try {
    require_known(collection, choose(collection, known), known);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("field 'slat' is chosen, but the program does not define it; known are"));
    EXPECT_THAT(error.what(), HasSubstr("no field is like 'q*'"));
  }
}

TEST(Choice, makes_no_sums_of_packed_values) {
  config::CollectionSettings collection;
  std::vector<Field> known = fields();
  known[1].attributes = {catalog::text_attribute("scale_factor", "0.1")};
  collection.fields.chosen = {ChosenField{.from = known[1].name}};
  for (const Operation operation : {Operation::sum, Operation::rms, Operation::std}) {
    collection.fields.operation = operation;
    EXPECT_THROW(choose(collection, known), Error);
  }
  for (const Operation operation : {Operation::mean, Operation::min, Operation::max}) {
    collection.fields.operation = operation;
    EXPECT_NO_THROW(choose(collection, known));
  }
}

TEST(Choice, makes_no_extremes_of_values_that_are_packed_in_reverse) {
  config::CollectionSettings collection;
  std::vector<Field> known = fields();
  const double scale = -0.5;
  known[1].attributes = {catalog::attribute_of("scale_factor", Type::float64, std::as_bytes(std::span(&scale, 1)))};
  collection.fields.chosen = {ChosenField{.from = known[1].name}};
  for (const Operation operation : {Operation::min, Operation::max}) {
    collection.fields.operation = operation;
    EXPECT_THROW(choose(collection, known), Error);
  }
  collection.fields.operation = Operation::mean;
  EXPECT_NO_THROW(choose(collection, known));
}

TEST(ChoiceOfExpressions, makes_a_field_of_each_step) {
  const Made made = made_of("salt + 2 * 'ice/temp'");
  EXPECT_EQ(made.chosen.variable, "made");
  EXPECT_EQ(made.chosen.operation, Operation::mean);
  EXPECT_EQ(made.chosen.type, Type::float32);
  EXPECT_TRUE(made.chosen.gathered.empty());
  EXPECT_EQ(made.field.name, "salt + 2 * 'ice/temp'");
  EXPECT_EQ(made.field.formula->operands, (std::vector<int>{1, 2}));
  EXPECT_EQ(made.field.dims, "y,x");
  EXPECT_EQ(made_of("salt + cells").chosen.type, Type::float64);
}

TEST(ChoiceOfExpressions, takes_an_operation_around_all_of_it_as_that_of_the_field) {
  const Made made = made_of("max(salt * 'ice/temp')", fields(), Operation::instant);
  EXPECT_EQ(made.chosen.operation, Operation::max);
  EXPECT_EQ(made.field.name, "salt * 'ice/temp'");
  EXPECT_TRUE(made.chosen.gathered.empty());
}

TEST(ChoiceOfExpressions, gathers_what_the_operations_within_are_of) {
  const Made made = made_of("mean(salt * ssh) / mean(salt) + max(salt)");
  ASSERT_EQ(made.chosen.gathered.size(), 3U);
  EXPECT_EQ(made.chosen.gathered[1].field, 1);
  EXPECT_EQ(made.chosen.gathered[1].operation, Operation::mean);
  EXPECT_EQ(made.chosen.gathered[2].operation, Operation::max);
  EXPECT_EQ(made.fields, 2U);  // the product, and what the three make
}

TEST(ChoiceOfExpressions, makes_the_same_once) {
  config::CollectionSettings collection;
  const auto entry = [](const std::string& name, const std::string& text) {
    return ChosenField{.name = name, .expression = config::parse_expression(text)};
  };
  collection.fields.chosen = {entry("a", "salt * 2"), entry("b", "salt * 2"), entry("c", "ssh * 2")};
  std::vector<Field> known = fields();
  const Choice choice = choose(collection, known);
  EXPECT_EQ(choice.chosen[0].field, choice.chosen[1].field);
  EXPECT_NE(choice.chosen[0].field, choice.chosen[2].field);
  EXPECT_EQ(known.size(), fields().size() + 2);
}

// A product has no standard name of its factors, nor their units.
TEST(ChoiceOfExpressions, keeps_of_attributes_where_the_cells_are) {
  std::vector<Field> known = fields();
  for (const std::size_t f : {1U, 3U})
    known[f].attributes = {catalog::text_attribute("coordinates", "lat lon"),
                           catalog::text_attribute("standard_name", "sea_water_salinity"),
                           catalog::text_attribute("units", "1")};
  const Made both = made_of("salt * ssh", known);
  ASSERT_EQ(both.field.attributes.size(), 1U);
  EXPECT_EQ(both.field.attributes[0].name, "coordinates");
  known[3].attributes[0] = catalog::text_attribute("coordinates", "lat_u lon_u");
  EXPECT_TRUE(made_of("salt * ssh", known).field.attributes.empty());
}

}  // namespace
}  // namespace thalweg::fields
