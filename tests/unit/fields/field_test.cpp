#include "fields/field.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "error_of.hpp"

namespace thalweg::fields {
namespace {

Field packed(Type type) {
  Field field;
  field.name = "ocean/t";
  field.type = type;
  const double scale = 0.01;
  field.attributes.push_back(catalog::attribute_of("scale_factor", Type::float64, std::as_bytes(std::span(&scale, 1))));
  return field;
}

TEST(Field, takes_integers_as_packed_values_where_it_is_computed_with) {
  const Field field = packed(Type::int16);
  EXPECT_EQ(error_of(THALWEG_ERROR_SHAPE, [&] { field.require_as_packed(Type::int32, "rank 2"); }), "no error");
  const std::string said = error_of(THALWEG_ERROR_SHAPE, [&] { field.require_as_packed(Type::float64, "rank 2"); });
  EXPECT_NE(said.find("rank 2: the array is float64"), std::string::npos) << said;
  EXPECT_NE(said.find("of field 'ocean/t' are packed values (scale_factor, add_offset); put int16"), std::string::npos)
      << said;
}

TEST(Field, of_reals_takes_reals_whatever_its_attributes_say) {
  EXPECT_EQ(error_of(THALWEG_ERROR_SHAPE, [] { packed(Type::float32).require_as_packed(Type::float64, "rank 2"); }),
            "no error");
}

}  // namespace
}  // namespace thalweg::fields
