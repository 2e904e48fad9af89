#include "catalog/declared.hpp"
#include "thalweg.h"

namespace thalweg::catalog {
namespace {

TEST_F(Declared, definition_follows_the_settings) {
  EXPECT_EQ(declaration.definition().format, config::format_named("cdf5"));
  EXPECT_EQ(declaration.definition().record_dimension, "time");
  EXPECT_EQ(declaration.definition().header_reserve, 555);
}

TEST_F(Declared, dimensions_come_from_definitions_and_decompositions) {
  const auto& dimensions = declaration.definition().dimensions;
  ASSERT_EQ(dimensions.size(), 3U);
  EXPECT_EQ(dimensions[0].name + dimensions[1].name + dimensions[2].name, "zyx");
  EXPECT_EQ(declaration.definition().shape(variable("temp")), (Index{7, 40, 50}));
  EXPECT_EQ(declaration.definition().shape(variable("mask")), (Index{40, 50}));
}

TEST_F(Declared, variable_with_the_record_dimension_has_records) {
  EXPECT_TRUE(variable("temp").has_record);
  EXPECT_TRUE(variable("profile").has_record);
  EXPECT_FALSE(variable("mask").has_record);
  EXPECT_EQ(variable("temp").dimensions, (std::vector<int>{0, 1, 2}));
}

TEST_F(Declared, variable_knows_how_the_model_holds_it) {
  const ModelSide& temp = declaration.model_side(declaration.variables().find("temp"));
  EXPECT_EQ(temp.decomposition, 3);
  EXPECT_EQ(temp.decomposed, (std::vector<int>{-1, 0, 1}));
  EXPECT_EQ(temp.memory_place, (std::vector<int>{2, 0, 1}));
  const ModelSide& profile = declaration.model_side(declaration.variables().find("profile"));
  EXPECT_EQ(profile.decomposition, -1);
  EXPECT_EQ(profile.decomposed, std::vector<int>{-1});
  EXPECT_EQ(profile.memory_place, std::vector<int>{0});
}

TEST_F(Declared, dimension_may_be_said_twice_but_with_one_size) {
  EXPECT_NO_THROW(declaration.define_dimension("z", 7));
  EXPECT_EQ(declaration.definition().dimensions.size(), 3U);
  expect_error(THALWEG_ERROR_NAME, {"'history'", "'z' has size 7 already", "cannot be 8"},
               [&] { declaration.define_dimension("z", 8); });
}

TEST_F(Declared, decomposition_of_another_size_is_refused) {
  const DecompositionNames other{4, &grid_dimensions, {40, 60}, false};
  expect_error(THALWEG_ERROR_NAME, {"'x' has size 50 already", "60"},
               [&] { declaration.define_variable("u", "y,x", Type::float32, &other, ""); });
}

TEST_F(Declared, dimension_needs_a_name_and_a_size) {
  expect_error(THALWEG_ERROR_ARGUMENT, {"dimension '' of size 3"}, [&] { declaration.define_dimension("", 3); });
  expect_error(THALWEG_ERROR_ARGUMENT, {"dimension 'n' of size 0"}, [&] { declaration.define_dimension("n", 0); });
  expect_error(THALWEG_ERROR_NAME, {"'time' is the record dimension"},
               [&] { declaration.define_dimension("time", 3); });
}

TEST_F(Declared, record_dimension_has_the_name_that_the_program_says) {
  Declaration own(settings());
  own.define_dimension("ocean_time", THALWEG_UNLIMITED);
  own.define_dimension("ocean_time", THALWEG_UNLIMITED);
  own.define_variable("level", "ocean_time", Type::float32, nullptr, "");
  EXPECT_EQ(own.definition().record_dimension, "ocean_time");
  EXPECT_TRUE(own.definition().variable(0).has_record);
  expect_error(THALWEG_ERROR_NAME, {"a second unlimited dimension, 't' beside 'ocean_time'"},
               [&] { own.define_dimension("t", THALWEG_UNLIMITED); });
  expect_error(THALWEG_ERROR_NAME, {"'ocean_time' is the record dimension"},
               [&] { own.define_dimension("ocean_time", 4); });
  expect_error(THALWEG_ERROR_STATE, {"cannot become"}, [&] { declaration.define_dimension("t", THALWEG_UNLIMITED); });
  Declaration other(settings());
  other.define_dimension("n", 4);
  expect_error(THALWEG_ERROR_NAME, {"'n' is defined as a dimension of a fixed size already"},
               [&] { other.define_dimension("n", THALWEG_UNLIMITED); });
}

TEST_F(Declared, record_dimension_of_the_configuration_prevails) {
  config::CollectionSettings said = settings();
  said.record_dimension_is_said = true;
  Declaration own(said);
  own.define_dimension("ocean_time", THALWEG_UNLIMITED);
  own.define_variable("level", "ocean_time", Type::float32, nullptr, "");
  own.define_attribute("ocean_time", {"long_name", std::nullopt, "time since initialization", {}});
  own.finish(Calendar::standard, Date{});
  EXPECT_EQ(own.definition().record_dimension, "time");
  EXPECT_TRUE(own.definition().variable(0).has_record);
  EXPECT_EQ(own.definition().variables.back().name, "time");
  EXPECT_NE(own.attributes().find("time", "long_name"), nullptr);
  expect_error(THALWEG_ERROR_NAME, {"'time' is the record dimension"}, [&] { own.define_dimension("time", 4); });
}

TEST_F(Declared, variable_of_an_unknown_dimension_is_told_the_nearest_names) {
  expect_error(
      THALWEG_ERROR_NAME,
      {"variable 'u'", "dimension 'zz' is neither decomposed nor defined", "'z'", "the record dimension is 'time'"},
      [&] { declaration.define_variable("u", "time,zz", Type::float32, nullptr, ""); });
}

TEST_F(Declared, variable_may_have_one_dimension_of_a_decomposition_without_that) {
  declaration.offer_dimension("lon", 360);
  declaration.offer_dimension("lon", 360);
  EXPECT_EQ(declaration.definition().dimensions.size(), 3U) << "nothing has it yet";
  declaration.define_variable("lon", "lon", Type::float64, nullptr, "");
  EXPECT_EQ(declaration.definition().dimensions.size(), 4U);
  EXPECT_EQ(declaration.definition().dimensions.back().name, "lon");
  EXPECT_EQ(declaration.definition().dimensions.back().size, 360);
}

TEST_F(Declared, dimension_that_decompositions_have_with_several_sizes_is_to_be_defined) {
  declaration.offer_dimension("xq", 8);
  declaration.offer_dimension("xq", 9);
  expect_error(THALWEG_ERROR_NAME, {"variable 'xq'", "'xq' has the sizes 8 and 9", "thalweg_define_dimension"},
               [&] { declaration.define_variable("xq", "xq", Type::float64, nullptr, ""); });
  declaration.define_dimension("xq", 9);
  EXPECT_NO_THROW(declaration.define_variable("xq", "xq", Type::float64, nullptr, ""));
}

TEST_F(Declared, variable_is_defined_once_and_has_a_name) {
  expect_error(THALWEG_ERROR_NAME, {"'temp' is defined already"},
               [&] { declaration.define_variable("temp", "z", Type::float32, nullptr, ""); });
  expect_error(THALWEG_ERROR_ARGUMENT, {"a variable needs a name"},
               [&] { declaration.define_variable("", "z", Type::float32, nullptr, ""); });
}

TEST_F(Declared, record_dimension_is_the_slowest) {
  expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "'time' must be the slowest", "(z,time)"},
               [&] { declaration.define_variable("u", "z,time", Type::float32, nullptr, ""); });
}

TEST_F(Declared, decomposed_variable_has_all_dimensions_of_the_decomposition_once) {
  const DecompositionNames on_grid = grid();
  expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "(time,x) lack 'y', which its decomposition (", "add it, or"},
               [&] { declaration.define_variable("u", "time,x", Type::float32, &on_grid, ""); });
  expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "of the decomposition once", "without a decomposition"},
               [&] { declaration.define_variable("u", "x,x,y", Type::float32, &on_grid, ""); });
}

TEST_F(Declared, dimensions_of_an_index_list_are_one_in_memory) {
  const DecompositionNames land = list_of_grid();
  declaration.define_variable("carbon", "time,z,y,x", Type::float32, &land, "");
  declaration.define_variable("height", "y,x", Type::float32, &land, "");
  declaration.define_variable("soil", "y,x,z", Type::float32, &land, "z,y,x");
  const auto variable = [&](const char* name) { return declaration.variables().find(name); };
  const Variable& carbon = declaration.definition().variable(variable("carbon"));
  EXPECT_EQ(carbon.dimensions.size(), 3u) << "files have them all";
  EXPECT_EQ(carbon.joined, JoinedDimensions(1, {40, 50}));
  EXPECT_EQ(declaration.definition().joined_shape(carbon)[1], 2000);
  EXPECT_EQ(declaration.model_side(variable("carbon")).decomposed, (std::vector<int>{-1, 0}));
  EXPECT_EQ(declaration.model_side(variable("carbon")).memory_place, (std::vector<int>{0, 1}));
  EXPECT_EQ(declaration.model_side(variable("height")).memory_place, std::vector<int>{0});
  EXPECT_EQ(declaration.model_side(variable("soil")).decomposed, (std::vector<int>{0, -1}));
  EXPECT_EQ(declaration.model_side(variable("soil")).memory_place, (std::vector<int>{1, 0}));
  const Box whole = declaration.in_variable(variable("carbon"), {{0}, {17}});
  EXPECT_EQ(whole.count[1], 17);
}

TEST_F(Declared, dimensions_of_an_index_list_stand_together_as_it_has_them) {
  const DecompositionNames land = list_of_grid();
  for (const char* dims : {"x,y", "y,z,x", "time,x,z,y"})
    expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "the index list (y,x)", "next to each other and in this order"},
                 [&] { declaration.define_variable("u", dims, Type::float32, &land, ""); });
  expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "lack 'x', which its decomposition (y,x) has"},
               [&] { declaration.define_variable("u", "time,y", Type::float32, &land, ""); });
  for (const char* memory : {"z,x,y", "y,z,x"})
    expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "memory dimensions", "one dimension of the list's points"},
                 [&] { declaration.define_variable("u", "z,y,x", Type::float32, &land, memory); });
}

TEST_F(Declared, a_dimension_that_comes_twice_has_two_places_in_memory) {
  declaration.define_variable("covariance", "time,z,z", Type::float64, nullptr, "");
  declaration.define_variable("tensor", "z,x,z", Type::float64, nullptr, "x,z,z");
  EXPECT_EQ(declaration.model_side(declaration.variables().find("covariance")).memory_place, (std::vector<int>{0, 1}));
  EXPECT_EQ(declaration.model_side(declaration.variables().find("tensor")).memory_place, (std::vector<int>{1, 0, 2}));
}

TEST_F(Declared, record_dimension_comes_once) {
  expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", "(time,time,z)", "'time' twice", "a name of its own"},
               [&] { declaration.define_variable("u", "time,time,z", Type::float32, nullptr, ""); });
}

TEST_F(Declared, number_of_dimensions_has_a_limit) {
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) declaration.define_dimension(name, 2);
  EXPECT_NO_THROW(declaration.define_variable("seven", "time,a,b,c,d,e,f,g", Type::int8, nullptr, ""));
  expect_error(THALWEG_ERROR_SHAPE, {"8 dimensions; at most 7"},
               [&] { declaration.define_variable("eight", "a,b,c,d,e,f,g,h", Type::int8, nullptr, ""); });
}

TEST_F(Declared, memory_order_is_a_permutation_without_the_record_dimension) {
  const DecompositionNames on_grid = grid();
  for (const char* memory : {"time,y,x", "y", "y,y", "y,z"})
    expect_error(THALWEG_ERROR_SHAPE, {"variable 'u'", std::string("memory dimensions (") + memory + ")", "(y,x)"},
                 [&] { declaration.define_variable("u", "time,y,x", Type::float32, &on_grid, memory); });
}

TEST_F(Declared, refused_variable_is_not_there) {
  EXPECT_THROW(declaration.define_variable("u", "z,time", Type::float32, nullptr, ""), Error);
  EXPECT_EQ(declaration.variables().find("u"), -1);
  EXPECT_EQ(declaration.variables().names(), (Strings{"temp", "profile", "mask"}));
}

// ---- attributes

TEST_F(Declared, time_of_the_model_may_have_other_units) {
  declaration.define_variable("time", "time", Type::float64, nullptr, "");
  declaration.finish(Calendar::standard, Date{});
  declaration.attributes().change("time", {"units", std::nullopt, "days since 2000-01-02", {}}, 4);
  EXPECT_EQ(declaration.attributes().find("time", "units")->text, "days since 2000-01-02");
}

// ---- the end of definitions

TEST_F(Declared, time_is_added_where_the_model_has_none) {
  EXPECT_EQ(declaration.own_coordinate(), -1);
  declaration.finish(Calendar::noleap, {.year = 1850, .month = 1, .day = 1});
  ASSERT_EQ(declaration.own_coordinate(), 3);
  EXPECT_EQ(declaration.variables().find("time"), 3);
  EXPECT_TRUE(variable("time").has_record);
  EXPECT_EQ(variable("time").type, Type::float64);
  EXPECT_TRUE(variable("time").dimensions.empty());
  EXPECT_NE(declaration.description().find("attribute time:units = \"seconds since 1850-01-01 00:00:00\"\n"),
            std::string::npos);
  EXPECT_NE(declaration.description().find("attribute time:calendar = \"noleap\"\n"), std::string::npos);
}

TEST_F(Declared, time_of_the_model_s_own_is_left_to_it) {
  declaration.define_variable("time", "time", Type::float64, nullptr, "");
  declaration.finish(Calendar::noleap, {});
  EXPECT_EQ(declaration.own_coordinate(), -1);
  EXPECT_EQ(declaration.variables().names().size(), 4U);
}

TEST(Declaration, without_records_gets_no_time) {
  Declaration declaration(settings());
  declaration.define_dimension("z", 7);
  declaration.define_variable("depth", "z", Type::float64, nullptr, "");
  declaration.finish(Calendar::standard, {});
  EXPECT_EQ(declaration.variables().names(), Strings{"depth"});
}

TEST(Declaration, drops_what_the_configuration_switched_off) {
  config::CollectionSettings configured = settings();
  configured.variables["temp"].enabled = false;
  configured.variables["salt"].enabled = true;
  Declaration declaration(configured);
  declaration.define_dimension("z", 7);
  declaration.define_variable("temp", "time,z", Type::float32, nullptr, "");
  declaration.define_variable("salt", "time,z", Type::float64, nullptr, "");
  EXPECT_TRUE(declaration.variables().is_disabled("temp"));
  EXPECT_FALSE(declaration.variables().is_disabled("salt"));
  EXPECT_FALSE(declaration.variables().is_disabled("other"));
  declaration.finish(Calendar::standard, {});
  EXPECT_EQ(declaration.variables().names(), (Strings{"salt", "time"}));
  EXPECT_EQ(declaration.model_side(0).memory_place, std::vector<int>{0});
}

TEST(Declaration, has_the_attributes_of_the_configuration_before_those_of_the_model) {
  config::CollectionSettings configured = settings();
  configured.attributes = {{"title", "ours"}, {"institution", "Here"}};
  configured.variables["temp"].attributes = {{"units", "K"}};
  Declaration declaration(configured);
  declaration.define_variable("temp", "time", Type::float32, nullptr, "");
  declaration.define_attribute("", text_attribute("title", "the model's"));
  declaration.define_attribute("", text_attribute("source", "model 3"));
  declaration.define_attribute("temp", text_attribute("units", "degC"));
  declaration.finish(Calendar::standard, {});
  const auto text_of = [&](const char* variable, const char* name) {
    return declaration.attributes().find(variable, name)->text;
  };
  EXPECT_EQ(text_of("", "title"), "ours");
  EXPECT_EQ(text_of("", "institution"), "Here");
  EXPECT_EQ(text_of("", "source"), "model 3");
  EXPECT_EQ(text_of("temp", "units"), "K");
}

TEST(Declaration, misses_variables_that_are_configured_but_not_defined) {
  config::CollectionSettings configured = settings();
  configured.place = "ocean.yaml:4:3";
  configured.variables["tmep"] = {};
  Declaration declaration(configured);
  declaration.define_variable("temp", "time", Type::float32, nullptr, "");
  try {
    declaration.finish(Calendar::standard, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    EXPECT_EQ(std::string(error.what()),
              "ocean.yaml:4:3: collection 'history': variable 'tmep' is configured, but the model does not define it; "
              "did you mean 'temp'?");
  }
}

// ---- how values are rounded

class Rounded : public Undeclared {
 protected:
  static config::CollectionSettings rounding() {
    config::CollectionSettings rounded = settings();
    rounded.format = config::format_named("netcdf4-classic");
    rounded.compression.keep_digits = 3;
    rounded.variables["profile"].compression.keep_bits = 9;
    return rounded;
  }
  Rounded() : Undeclared(rounding()) {
    declaration.define_dimension("z", 7);
    declaration.define_variable("temp", "time,z", Type::float32, nullptr, "");
    declaration.define_variable("salt", "time,z", Type::float64, nullptr, "");
    declaration.define_variable("profile", "time,z", Type::float64, nullptr, "");
    declaration.define_variable("z", "z", Type::float64, nullptr, "");
  }
  // Lines of the description that have this in them.
  Strings lines(const std::string& part) const {
    std::istringstream text(declaration.description());
    Strings found;
    for (std::string line; std::getline(text, line);)
      if (line.find(part) != std::string::npos) found.push_back(line);
    return found;
  }
};

TEST_F(Rounded, variable_says_so_in_the_words_of_netcdf_and_of_cf) {
  declaration.finish(Calendar::standard, {});
  for (const std::string name : {"temp", "salt"})
    EXPECT_EQ(lines("attribute " + name + ":"),
              (Strings{"attribute " + name + ":_QuantizeGranularBitRoundNumberOfSignificantDigits = 3 (int32)",
                       "attribute " + name + ":quantization = \"quantization_info_granular_bitround\"",
                       "attribute " + name + ":quantization_nsd = 3 (int32)"}));
  EXPECT_EQ(lines("attribute profile:"),
            (Strings{"attribute profile:_QuantizeBitRoundNumberOfSignificantBits = 9 (int32)",
                     "attribute profile:quantization = \"quantization_info_bitround\"",
                     "attribute profile:quantization_nsb = 9 (int32)"}));
  EXPECT_EQ(lines("attribute z:"), Strings{});
}

TEST_F(Rounded, variables_share_a_variable_that_says_the_algorithm) {
  declaration.finish(Calendar::standard, {});
  EXPECT_EQ(declaration.variables().names(),
            (Strings{"temp", "salt", "profile", "z", "time", "quantization_info_granular_bitround",
                     "quantization_info_bitround"}));
  const std::string implementation = std::string("implementation = \"Thalweg version ") + thalweg_version() + "\"";
  for (const std::string algorithm : {"granular_bitround", "bitround"}) {
    const std::string name = "quantization_info_" + algorithm;
    EXPECT_EQ(lines(name + ":"), (Strings{"attribute " + name + ":algorithm = \"" + algorithm + "\"",
                                          "attribute " + name + ":" + implementation}));
    EXPECT_EQ(lines(" " + name + "("), Strings{"variable int8 " + name + "() that every rank has as a whole"});
    EXPECT_FALSE(declaration.model_side(declaration.variables().find(name)).is_held);
  }
  EXPECT_TRUE(declaration.model_side(declaration.variables().find("time")).is_held);
}

TEST_F(Rounded, variable_says_what_was_done_and_not_what_the_model_says_of_it) {
  declaration.define_attribute("temp", number("quantization_nsd", Type::int32, std::int32_t{6}));
  declaration.finish(Calendar::standard, {});
  EXPECT_EQ(lines("temp:quantization_nsd"), Strings{"attribute temp:quantization_nsd = 3 (int32)"});
}

TEST_F(Rounded, variable_of_the_model_cannot_have_the_name_of_one_that_says_the_algorithm) {
  declaration.define_variable("quantization_info_bitround", "", Type::int8, nullptr, "");
  expect_error(THALWEG_ERROR_NAME,
               {"'history'", "'quantization_info_bitround'", "'profile' is rounded", "another name"},
               [&] { declaration.finish(Calendar::standard, {}); });
}

TEST(Declaration, says_nothing_of_rounding_where_values_are_exact) {
  config::CollectionSettings configured = settings();
  configured.format = config::format_named("zarr");
  configured.compression.keep_bits = 23;  // all that a float32 has
  Declaration declaration(configured);
  declaration.define_variable("temp", "time", Type::float32, nullptr, "");
  declaration.define_variable("quantization_info_bitround", "", Type::int8, nullptr, "");
  declaration.finish(Calendar::standard, {});
  EXPECT_EQ(declaration.variables().names(), (Strings{"temp", "quantization_info_bitround", "time"}));
  EXPECT_EQ(declaration.description().find("attribute temp:"), std::string::npos);
}

// ---- the description, by which ranks compare

TEST_F(Declared, description_has_a_line_for_each_item) {
  declaration.define_attribute("", {"title", std::nullopt, "a run", {}});
  declaration.define_attribute("mask", number("flag", Type::int16, std::int16_t{0x0102}));
  EXPECT_EQ(declaration.description(),
            "dimension z = 7\ndimension y = 40\ndimension x = 50\n"
            "attribute title = \"a run\"\n"
            "variable float32 temp(time,z,y,x) on the rank's decomposition 3\n"
            "variable float64 profile(time,z) that every rank has as a whole\n"
            "variable int8 mask(y,x) on the rank's decomposition 3\n"
            "attribute mask:flag = 258 (int16)\n");
}

TEST_F(Declared, description_does_not_care_how_a_rank_holds_its_arrays) {
  Declaration other(settings());
  const DecompositionNames on_grid = grid();
  other.define_dimension("z", 7);
  other.define_variable("temp", "time,z,y,x", Type::float32, &on_grid, "");
  other.define_variable("profile", "time,z", Type::float64, nullptr, "");
  other.define_variable("mask", "y,x", Type::int8, &on_grid, "");
  EXPECT_EQ(other.description(), declaration.description());
}

}  // namespace
}  // namespace thalweg::catalog
