#include "fields/choice.hpp"

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
  return choose(collection, fields());
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

}  // namespace
}  // namespace thalweg::fields
