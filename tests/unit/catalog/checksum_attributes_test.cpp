// Which variables FMS's checksums can be had for.
#include "catalog/declared.hpp"

namespace thalweg::catalog {
namespace {

class WithChecksums : public Undeclared {
 protected:
  static config::CollectionSettings with_checksums() {
    config::CollectionSettings of = settings();
    of.name = "restart";
    of.checksum_attributes = true;
    return of;
  }
  WithChecksums() : Undeclared(with_checksums()) {
    declaration.define_dimension("z", 7);
    declaration.define_variable("z", "z", Type::float32, nullptr, "");
    define("temp", Type::float64);
  }
  void define(const std::string& name, Type type, bool masked = false) {
    const DecompositionNames on_grid = grid(masked);
    declaration.define_variable(name, "time,z,y,x", type, &on_grid, "");
  }
  void expect_refused(const Strings& parts) {
    expect_error(THALWEG_ERROR_CONFIG, parts, [&] { declaration.finish(Calendar::standard, Date{}); });
  }
};

TEST_F(WithChecksums, every_field_takes_one_and_no_axis_does) {
  define("count", Type::int64);
  declaration.define_variable("profile", "z", Type::float64, nullptr, "");
  declaration.define_variable("mean", "time", Type::float64, nullptr, "");
  declaration.finish(Calendar::standard, Date{});
  for (const char* name : {"temp", "count", "profile", "mean"}) EXPECT_TRUE(variable(name).takes_checksum) << name;
  for (const char* name : {"z", "time"}) EXPECT_FALSE(variable(name).takes_checksum) << name;
}

TEST_F(WithChecksums, types_of_other_sums_are_refused) {
  define("ice", Type::float32);
  expect_refused({"collection 'restart', variable 'ice' (float32)", "FMS sums float32 and int32 as signed numbers"});
}

TEST_F(WithChecksums, types_without_sums_are_refused) {
  define("flag", Type::int8);
  expect_refused({"variable 'flag' (int8)", "FMS has no checksum of this type"});
}

TEST_F(WithChecksums, values_that_fms_would_leave_out_are_refused) {
  declaration.define_attribute("temp", number("missing_value", Type::float64, -1e20));
  expect_refused({"variable 'temp'", "missing_value", "leave the attribute out"});
}

TEST_F(WithChecksums, masked_decompositions_are_refused) {
  define("salt", Type::float64, true);
  expect_refused({"variable 'salt'", "masked decompositions"});
}

TEST_F(WithChecksums, an_attribute_of_the_model_s_own_is_refused_then_and_later) {
  declaration.finish(Calendar::standard, Date{});
  for (const char* name : {"checksum", "missing_value"})
    expect_error(THALWEG_ERROR_NAME, {name, "does not change", "checksum-attributes"},
                 [&] { declaration.attributes().change("temp", {name, std::nullopt, "x", {}}, 0); });
  declaration.attributes().change("temp", {"units", std::nullopt, "K", {}}, 0);
}

TEST_F(Declared, without_the_key_nothing_takes_a_checksum) {
  declaration.finish(Calendar::standard, Date{});
  EXPECT_FALSE(variable("profile").takes_checksum);
}

}  // namespace
}  // namespace thalweg::catalog
