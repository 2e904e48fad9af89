#include "catalog/declared.hpp"

namespace thalweg::catalog {
namespace {

TEST_F(Declared, attribute_belongs_to_its_variable_or_to_the_file_and_is_replaced_by_a_second_one) {
  declaration.define_attribute("", {"title", std::nullopt, "a run", {}});
  declaration.define_attribute("temp", {"units", std::nullopt, "K", {}});
  declaration.define_attribute("temp", {"units", std::nullopt, "degC", {}});
  ASSERT_EQ(declaration.definition().attributes.size(), 1U);
  EXPECT_EQ(declaration.definition().attributes[0].text, "a run");
  ASSERT_EQ(variable("temp").attributes.size(), 1U);
  EXPECT_EQ(variable("temp").attributes[0].text, "degC");
}

TEST_F(Declared, attribute_of_an_unknown_variable_is_refused) {
  expect_error(THALWEG_ERROR_NAME, {"attribute 'units' of unknown variable 'tmp'", "did you mean 'temp'"},
               [&] { declaration.define_attribute("tmp", {"units", std::nullopt, "K", {}}); });
}

TEST_F(Declared, record_coordinate_takes_attributes_before_it_is_defined) {
  declaration.define_attribute("time", {"bounds", std::nullopt, "time_bnds", {}});
  declaration.define_attribute("time", {"axis", std::nullopt, "Q", {}});
  EXPECT_NE(declaration.description().find("attribute time:bounds = \"time_bnds\""), std::string::npos);
  declaration.finish(Calendar::standard, Date{});
  EXPECT_EQ(declaration.attributes().find("time", "bounds")->text, "time_bnds");
  EXPECT_EQ(declaration.attributes().find("time", "axis")->text, "Q");
  EXPECT_EQ(declaration.attributes().find("time", "standard_name")->text, "time");
}

TEST_F(Declared, record_coordinate_of_the_model_has_the_attributes_that_came_before_it) {
  declaration.define_attribute("time", {"units", std::nullopt, "days since 1850-01-01", {}});
  declaration.define_variable("time", "time", Type::float64, nullptr, "");
  declaration.finish(Calendar::standard, Date{});
  EXPECT_EQ(declaration.attributes().find("time", "units")->text, "days since 1850-01-01");
  EXPECT_EQ(declaration.attributes().find("time", "standard_name"), nullptr);
}

TEST_F(Declared, record_coordinate_of_thalweg_keeps_its_units) {
  declaration.define_attribute("time", {"units", std::nullopt, "days since 1850-01-01", {}});
  expect_error(THALWEG_ERROR_NAME, {"variable 'time'", "attribute 'units' does not change", "reference-date"},
               [&] { declaration.finish(Calendar::standard, Date{}); });
}

TEST_F(Declared, fill_value_is_one_value_of_the_variable_s_type) {
  declaration.define_attribute("temp", number("_FillValue", Type::float32, -999.0F));
  EXPECT_EQ(declaration.fill_of(declaration.variables().find("temp")), element_of(-999.0F));
  EXPECT_EQ(declaration.fill_of(declaration.variables().find("profile")), default_fill(Type::float64));
  for (const Attribute& wrong :
       {number("_FillValue", Type::float64, -999.0), Attribute{"_FillValue", std::nullopt, "x", {}},
        Attribute{"_FillValue", Type::float32, "", {}}})
    expect_error(THALWEG_ERROR_SHAPE, {"variable 'temp'", "_FillValue must be one value", "float32"},
                 [&] { declaration.define_attribute("temp", wrong); });
}

TEST_F(Declared, fill_value_of_characters_is_a_text_of_one) {
  const DecompositionNames masked = grid(true);
  declaration.define_variable("letter", "time,y,x", Type::character, &masked, "");
  EXPECT_EQ(declaration.fill_of(declaration.variables().find("letter")), element_of('\0'));
  ASSERT_EQ(variable("letter").attributes.size(), 1U);
  EXPECT_EQ(variable("letter").attributes[0].bytes().size(), 1U);
  declaration.define_attribute("letter", {"_FillValue", std::nullopt, "x", {}});
  EXPECT_EQ(declaration.fill_of(declaration.variables().find("letter")), element_of('x'));
  for (const Attribute& wrong :
       {number("_FillValue", Type::int8, std::int8_t{1}), Attribute{"_FillValue", std::nullopt, "no", {}},
        Attribute{"_FillValue", std::nullopt, "", {}}})
    expect_error(THALWEG_ERROR_SHAPE, {"variable 'letter'", "_FillValue must be one value", "char"},
                 [&] { declaration.define_attribute("letter", wrong); });
}

TEST_F(Declared, masked_variable_says_its_fill_value) {
  const DecompositionNames masked = grid(true);
  declaration.define_variable("sst", "time,y,x", Type::int16, &masked, "");
  ASSERT_EQ(variable("sst").attributes.size(), 1U);
  EXPECT_EQ(variable("sst").attributes[0].name, "_FillValue");
  EXPECT_EQ(variable("sst").attributes[0].values.size(), 2U);
  EXPECT_EQ(declaration.fill_of(declaration.variables().find("sst")), default_fill(Type::int16));
  declaration.define_attribute("sst", number("_FillValue", Type::int16, std::int16_t{-1}));
  EXPECT_EQ(declaration.fill_of(declaration.variables().find("sst")), element_of(std::int16_t{-1}));
}

TEST_F(Declared, attribute_changes_for_files_that_come_and_takes_its_room_from_the_header_s_reserve) {
  declaration.define_attribute("", {"title", std::nullopt, "a run", {}});
  declaration.finish(Calendar::standard, Date{});
  EXPECT_EQ(declaration.changes(), 0);
  declaration.attributes().change("", {"title", std::nullopt, "another run", {}}, 8);
  declaration.attributes().change("", number("title", Type::int16, std::int16_t{7}), -4);  // of another kind
  declaration.attributes().change("temp", {"units", std::nullopt, "K", {}}, 20);           // a new one
  EXPECT_EQ(declaration.changes(), 3);
  EXPECT_EQ(declaration.definition().header_reserve, 555 - 24);
  ASSERT_EQ(declaration.definition().attributes.size(), 1U);
  EXPECT_EQ(declaration.attributes().find("", "title")->type, Type::int16);
  EXPECT_EQ(declaration.attributes().find("temp", "units")->text, "K");
  EXPECT_EQ(declaration.attributes().find("temp", "title"), nullptr);
  declaration.attributes().change("time", {"long_name", std::nullopt, "time", {}}, 0);
}

TEST_F(Declared, what_thalweg_says_itself_does_not_change) {
  declaration.finish(Calendar::standard, Date{});
  const auto refuse = [&](const std::string& owner, const std::string& name, const std::string& why) {
    expect_error(THALWEG_ERROR_NAME, {"variable '" + owner + "'", "attribute '" + name + "' does not change", why},
                 [&] { declaration.attributes().change(owner, {name, std::nullopt, "x", {}}, 4); });
  };
  refuse("temp", "_FillValue", "holes");
  refuse("time", "units", "reference-date");
  refuse("time", "calendar", "reference-date");
  expect_error(THALWEG_ERROR_NAME, {"attribute 'units' of unknown variable 'tmp'"},
               [&] { declaration.attributes().change("tmp", {"units", std::nullopt, "K", {}}, 4); });
  EXPECT_EQ(declaration.changes(), 0);
  EXPECT_EQ(declaration.definition().header_reserve, 555);
}

TEST(Attributes, are_told_on_one_line_with_all_digits) {
  EXPECT_EQ(text_of({"note", std::nullopt, "two\nlines", {}}), "note = \"two\\nlines\"");
  const std::array<double, 2> range = {0.1, -1e300};
  const auto bytes = std::as_bytes(std::span(range));
  EXPECT_EQ(text_of({"valid_range", Type::float64, "", {bytes.begin(), bytes.end()}}),
            "valid_range = 0.1, -1e+300 (float64)");
  EXPECT_EQ(text_of(number("flag", Type::int8, std::int8_t{-3})), "flag = -3 (int8)");
}

}  // namespace
}  // namespace thalweg::catalog
