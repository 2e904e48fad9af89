#include "fields/level_choice.hpp"
#include "fields/unknown_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fields/choice.hpp"
#include "fields/files_of_choice.hpp"
#include "fields/kept_collection.hpp"

namespace thalweg::fields {
namespace {

using config::ChosenField;
using config::Operation;
using config::VerticalSettings;
using testing::ElementsAre;
using testing::HasSubstr;

Field field_of(const std::string& name, const std::string& dims, int decomposition = 0) {
  Field made;
  made.name = name;
  made.dims = dims;
  made.type = Type::float32;
  made.decomposition = decomposition;
  return made;
}

std::vector<Field> columns_of_air() {
  std::vector<Field> made = {field_of("air/t", "lev,y,x"),   field_of("air/p", "lev,y,x"), field_of("air/ps", "y,x"),
                             field_of("air/w", "half,y,x"),  field_of("lev", "lev", -1),   field_of("geo/z", "lev,y,x"),
                             field_of("air/u", "lev,y,x", 1)};
  made[4].is_static = made[5].is_static = true;
  made[0].attributes = {catalog::text_attribute("coordinates", "z lat"), catalog::text_attribute("units", "K"),
                        catalog::text_attribute("cell_measures", "volume: volcello")};
  made[1].attributes = {catalog::text_attribute("units", "Pa"),
                        catalog::text_attribute("standard_name", "air_pressure")};
  return made;
}

const DividedDimensions in_the_plane = [](const Field& field) {
  return field.decomposition < 0 ? std::vector<std::string>{} : std::vector<std::string>{"y", "x"};
};

VerticalSettings at_pressures(const std::vector<double>& to = {50000.0, 10000.0}) {
  VerticalSettings made;
  made.coordinate = "p";
  made.to = to;
  made.name = "plev";
  return made;
}

config::CollectionSettings collection_of(const std::vector<ChosenField>& list, const VerticalSettings& vertical = {}) {
  config::CollectionSettings collection;
  collection.name = "daily";
  collection.fields = {.chosen = list, .operation = Operation::mean};
  collection.fields.region.vertical = vertical;
  return collection;
}

ChosenField at(const std::string& from, const VerticalSettings& vertical, const std::string& name = "") {
  ChosenField made{.from = from, .name = name};
  made.vertical = vertical;
  return made;
}

std::string refused_levels(const std::vector<ChosenField>& list, std::vector<Field> known = columns_of_air(),
                           const DividedDimensions& divided = in_the_plane) {
  try {
    const Choice choice = choose(collection_of(list), known, divided);
    require_known(collection_of(list), choice, known);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(LevelChoice, makes_a_field_that_has_the_levels_in_place_of_the_columns) {
  std::vector<Field> known = columns_of_air();
  const config::CollectionSettings collection = collection_of({at("t", at_pressures())});
  const Choice choice = files_of(collection, choose(collection, known, in_the_plane), known).collections.at("daily");
  ASSERT_EQ(choice.chosen.size(), 2U);
  EXPECT_EQ(choice.chosen[0].variable, "t");
  const Field& made = known[static_cast<std::size_t>(choice.chosen[0].field)];
  EXPECT_EQ(made.dims, "plev,y,x");
  EXPECT_EQ(made.decomposition, 0);
  EXPECT_THAT(made.formula->operands, ElementsAre(0, 1));
  EXPECT_EQ(catalog::find(made.attributes, "units")->text, "K");
  EXPECT_EQ(catalog::find(made.attributes, "coordinates")->text, "lat");
  EXPECT_EQ(catalog::find(made.attributes, "cell_measures"), nullptr);
  EXPECT_EQ(choice.chosen[1].variable, "plev");
  const Field& levels = known[static_cast<std::size_t>(choice.chosen[1].field)];
  EXPECT_EQ(catalog::find(levels.attributes, "units")->text, "Pa");
  EXPECT_EQ(catalog::find(levels.attributes, "positive")->text, "down");
  EXPECT_EQ(catalog::find(levels.attributes, "axis")->text, "Z");
}

TEST(LevelChoice, makes_the_same_levels_once) {
  std::vector<Field> known = columns_of_air();
  const std::size_t before = known.size();
  choose(collection_of({at("t", at_pressures()), at("geo/z", at_pressures()), at("t", at_pressures(), "again")}), known,
         in_the_plane);
  EXPECT_EQ(known.size(), before + 3);  // the levels, and two fields at them
}

TEST(LevelChoice, of_a_collection_is_of_the_fields_that_have_the_columns) {
  std::vector<Field> known = columns_of_air();
  ChosenField as_it_is{.from = "geo/z"};
  as_it_is.vertical = VerticalSettings{};
  const std::vector<ChosenField> list = {{.from = "air/[tp]*"}, {.from = "w"}, as_it_is};
  const Choice choice = choose(collection_of(list, at_pressures()), known, in_the_plane);
  std::vector<std::string> dims;
  for (const Chosen& chosen : choice.chosen) dims.push_back(known[static_cast<std::size_t>(chosen.field)].dims);
  EXPECT_THAT(dims, ElementsAre("plev,y,x", "lev,y,x", "y,x", "half,y,x", "lev,y,x"));
}

TEST(LevelChoice, of_a_collection_leaves_what_lies_along_the_levels_of_the_model_alone) {
  std::vector<Field> known = columns_of_air();
  known[4].is_static = false;
  const Choice choice = choose(collection_of({{.from = "t"}, {.from = "lev"}}, at_pressures()), known, in_the_plane);
  EXPECT_EQ(known[static_cast<std::size_t>(choice.chosen[1].field)].name, "lev");
  EXPECT_THAT(refused_levels({at("lev", at_pressures())}),
              HasSubstr("name a coordinate that has the cells of the field, or 'lev' alone without a decomposition, or "
                        "say 'vertical: none' of the field"));
}

TEST(LevelChoice, that_is_optional_says_what_is_left_out_without_the_coordinate) {
  std::vector<Field> known = columns_of_air();
  VerticalSettings of_absent = at_pressures();
  of_absent.coordinate = "pressure";
  config::CollectionSettings collection = collection_of({at("t", of_absent), at("geo/z", of_absent, "height")});
  collection.fields.is_optional = true;
  const Choice choice = choose(collection, known, in_the_plane);
  EXPECT_THAT(choice.missing, ElementsAre("pressure"));
  EXPECT_THAT(choice.left_out, ElementsAre("air/t", "height"));
}

TEST(LevelChoice, converts_levels_to_the_units_of_the_coordinate) {
  std::vector<Field> known = columns_of_air();
  VerticalSettings in_hpa = at_pressures({500.0, 100.0});
  in_hpa.units = "hPa";
  choose(collection_of({at("t", in_hpa)}), known, in_the_plane);
  const Field& levels = known[known.size() - 2];
  EXPECT_THAT(levels.levels->values, ElementsAre(50000.0, 10000.0));
  EXPECT_THAT(levels.levels->said, ElementsAre(500.0, 100.0));
  EXPECT_EQ(catalog::find(levels.attributes, "units")->text, "hPa");
}

TEST(LevelChoice, is_known_in_a_checkpoint_by_all_that_it_says) {
  const auto about = [](const VerticalSettings& vertical) {
    std::vector<Field> known = columns_of_air();
    const config::CollectionSettings collection = collection_of({at("t", vertical)});
    const Choice choice = choose(collection, known, in_the_plane);
    return kept_collection({}, collection, choice, known, [](const Field& of) { return of.dims; });
  };
  const KeptCollection usual = about(at_pressures());
  VerticalSettings in_log = at_pressures(), nearest = at_pressures();
  in_log.by = config::BetweenLevels::log;
  nearest.outside = config::BeyondColumn::nearest;
  for (const VerticalSettings& other : {in_log, nearest, at_pressures({50000.0, 20000.0})})
    EXPECT_THAT(difference(usual, about(other)), HasSubstr("variable 't' is mean of air/t at air/p = 50000, 10000"));
}

TEST(LevelChoice, refuses_what_has_not_the_columns) {
  EXPECT_THAT(
      refused_levels({at("ps", at_pressures())}),
      HasSubstr("field 'air/ps' has the dimensions (y,x), and not 'lev', along which the columns of 'air/p' lie"));
  EXPECT_THAT(refused_levels({at("p", at_pressures())}), HasSubstr("field 'air/p' is the coordinate itself"));
  EXPECT_THAT(refused_levels({at("u", at_pressures())}), HasSubstr("on another decomposition or in another order"));
  VerticalSettings of_absent = at_pressures();
  of_absent.coordinate = "pressure";
  EXPECT_THAT(refused_levels({at("t", of_absent)}), HasSubstr("field 'pressure' is chosen, but the program does not"));
  std::vector<Field> packed = columns_of_air();
  packed[0].attributes.push_back(catalog::text_attribute("scale_factor", "0.1"));
  EXPECT_THAT(refused_levels({at("t", at_pressures())}, packed), HasSubstr("put it unpacked"));
}

TEST(LevelChoice, refuses_columns_that_are_divided_or_not_known) {
  const DividedDimensions all = [](const Field&) { return std::vector<std::string>{"lev", "y", "x"}; };
  EXPECT_THAT(refused_levels({at("t", at_pressures())}, columns_of_air(), all),
              HasSubstr("each rank needs whole columns; decompose the horizontal ones alone"));
  VerticalSettings along_lev = at_pressures();
  along_lev.dimension = "lev";
  EXPECT_THAT(refused_levels({at("t", along_lev)}, columns_of_air(), all),
              HasSubstr("the decomposition of 'air/p' divides 'lev', but each rank needs whole columns"));
  const DividedDimensions rows = [](const Field&) { return std::vector<std::string>{"y"}; };
  EXPECT_THAT(refused_levels({at("t", at_pressures())}, columns_of_air(), rows),
              HasSubstr("no decomposition has: lev, x; say along which columns lie, as in dimension: lev"));
  EXPECT_EQ(refused_levels({at("t", along_lev)}, columns_of_air(), rows), "none");
}

TEST(LevelChoice, refuses_names_that_stand_for_two_things) {
  EXPECT_THAT(refused_levels({at("t", at_pressures()), at("geo/z", at_pressures({10.0}))}),
              HasSubstr("'t' and 'z' have different levels that are both called 'plev'"));
  EXPECT_THAT(refused_levels({at("t", at_pressures(), "plev")}), HasSubstr("'plev' would be the levels of 'plev'"));
  VerticalSettings called_lev = at_pressures();
  called_lev.name = "lev";
  EXPECT_EQ(refused_levels({at("t", called_lev)}), "none");
  EXPECT_THAT(refused_levels({at("t", called_lev), {.from = "geo/z"}}),
              HasSubstr("'lev' would be the levels of 't', and is a dimension of 'z'"));
  VerticalSettings called_time = at_pressures();
  called_time.name = "time";
  EXPECT_THAT(refused_levels({at("t", called_time)}),
              HasSubstr("'time' would be the levels of 't', and is the time of its records; give the levels another"));
  VerticalSettings called_x = at_pressures();
  called_x.name = "x";
  EXPECT_THAT(refused_levels({at("t", called_x)}), HasSubstr("the levels would be the dimension 'x'"));
}

TEST(LevelChoice, refuses_units_that_do_not_convert) {
  VerticalSettings in_metres = at_pressures();
  in_metres.units = "m";
  EXPECT_THAT(refused_levels({at("t", in_metres)}), HasSubstr("levels in 'm' are not converted to 'Pa'"));
  in_metres.coordinate = "geo/z";
  EXPECT_THAT(refused_levels({at("t", in_metres)}), HasSubstr("the coordinate 'geo/z' has no units"));
}

}  // namespace
}  // namespace thalweg::fields
