#include <gtest/gtest.h>

#include "sample_file.hpp"

namespace thalweg::formats {
namespace {

using catalog::Definition;
using config::Format;
using config::format_named;
using sample::expect_error;

// One int8 variable of each size given, with records or without.
Definition bytes_of(Format format, std::vector<std::int64_t> fixed, std::vector<std::int64_t> records = {}) {
  Definition result;
  result.format = format;
  result.record_dimension = "time";
  const auto add = [&](std::int64_t bytes, bool has_record) {
    const auto n = static_cast<int>(result.dimensions.size());
    result.dimensions.push_back({fmt::format("a{}", n), bytes / 4096});
    result.dimensions.push_back({fmt::format("b{}", n), 4096});
    result.variables.push_back({.name = fmt::format("v{}", n / 2),
                                .type = Type::int8,
                                .has_record = has_record,
                                .dimensions = {n, n + 1},
                                .attributes = {},
                                .is_chunked = has_record,
                                .chunk = has_record ? Index{1, 4096} : Index{}});
  };
  for (const std::int64_t bytes : fixed) add(bytes, false);
  for (const std::int64_t bytes : records) add(bytes, true);
  return result;
}

constexpr std::int64_t gib = std::int64_t{1} << 30;

TEST(FormatLimits, large_types_need_cdf5) {
  for (const Format format : {format_named("cdf1"), format_named("cdf2")})
    for (const Type type : {Type::int64, Type::uint8, Type::uint16, Type::uint32, Type::uint64}) {
      Definition definition = sample::definition(format);
      definition.variables[1].type = type;
      expect_error(THALWEG_ERROR_FORMAT, "cdf5", [&] { check_limits(definition); });
      definition = sample::definition(format);
      definition.attributes.push_back(sample::numbers<std::uint64_t>("n", type, {1}));
      expect_error(THALWEG_ERROR_FORMAT, "attribute 'n'", [&] { check_limits(definition); });
    }
  EXPECT_NO_THROW(check_limits(sample::definition(format_named("cdf5"))));
}

TEST(FormatLimits, only_the_last_variable_of_cdf1_may_pass_2_gib) {
  EXPECT_NO_THROW(check_limits(bytes_of(format_named("cdf1"), {gib, 3 * gib})));
  EXPECT_NO_THROW(check_limits(bytes_of(format_named("cdf1"), {gib}, {4096, 3 * gib})));
  expect_error(THALWEG_ERROR_FORMAT, "variable 'v0'",
               [] { check_limits(bytes_of(format_named("cdf1"), {2 * gib, gib})); });
  expect_error(THALWEG_ERROR_FORMAT, "cdf5", [] { check_limits(bytes_of(format_named("cdf1"), {2 * gib}, {4096})); });
  expect_error(THALWEG_ERROR_FORMAT, "a record",
               [] { check_limits(bytes_of(format_named("cdf1"), {}, {3 * gib, 4096})); });
}

TEST(FormatLimits, every_variable_of_cdf1_starts_within_2_gib) {
  EXPECT_NO_THROW(check_limits(bytes_of(format_named("cdf2"), {gib, gib, gib})));
  expect_error(THALWEG_ERROR_FORMAT, "variable 'v2'",
               [] { check_limits(bytes_of(format_named("cdf1"), {gib, gib, gib})); });
  expect_error(THALWEG_ERROR_FORMAT, "variable 'v2'",
               [] { check_limits(bytes_of(format_named("cdf1"), {gib, gib}, {4096})); });
}

TEST(FormatLimits, only_the_last_variable_of_cdf2_may_pass_4_gib) {
  EXPECT_NO_THROW(check_limits(bytes_of(format_named("cdf2"), {3 * gib, 3 * gib, 9 * gib})));
  expect_error(THALWEG_ERROR_FORMAT, "cdf5", [] { check_limits(bytes_of(format_named("cdf2"), {4 * gib, gib})); });
  expect_error(THALWEG_ERROR_FORMAT, "cdf5", [] { check_limits(bytes_of(format_named("cdf2"), {4 * gib}, {4096})); });
  EXPECT_NO_THROW(check_limits(bytes_of(format_named("cdf5"), {4 * gib, 90 * gib}, {40 * gib, 4096})));
}

TEST(FormatLimits, arrays_of_fortran_are_not_cut_into_parts) {
  constexpr std::int64_t most = 2 * gib - 9;
  Definition definition = bytes_of(format_named("fortran"), {4096}, {4096});
  for (catalog::Variable& variable : definition.variables) {
    auto& size = definition.dimensions[static_cast<std::size_t>(variable.dimensions[0])].size;
    variable.dimensions.pop_back();
    size = most;
    EXPECT_NO_THROW(check_limits(definition));
    size = most + 1;
    expect_error(THALWEG_ERROR_FORMAT, "has 2147483640 bytes", [&] { check_limits(definition); });
    expect_error(THALWEG_ERROR_FORMAT, "set format: cdf5", [&] { check_limits(definition); });
    size = 1;
  }
}

TEST(FormatLimits, chunks_stay_below_4_gib) {
  Definition definition = bytes_of(format_named("netcdf4"), {}, {8 * gib});
  definition.variables[0].chunk = {gib / 4096 * 4, 4096};
  expect_error(THALWEG_ERROR_FORMAT, "finer layout, or format: cdf5", [&] { check_limits(definition); });
  definition.variables[0].chunk = {gib / 4096 * 3, 4096};
  EXPECT_NO_THROW(check_limits(definition));
  definition.variables[0].chunk = {gib / 4096 * 9, 4096};
  expect_error(THALWEG_ERROR_FORMAT, "does not fit into its shape", [&] { check_limits(definition); });
}

TEST(FormatLimits, empty_dimensions_are_refused) {
  Definition definition = sample::definition(format_named("cdf5"));
  definition.dimensions[0].size = 0;
  expect_error(THALWEG_ERROR_FORMAT, "dimension 'y' has size 0", [&] { check_limits(definition); });
}

TEST(FormatLimits, records_need_a_record_dimension) {
  Definition definition = sample::definition(format_named("cdf5"));
  definition.record_dimension.clear();
  expect_error(THALWEG_ERROR_FORMAT, "no record dimension", [&] { check_limits(definition); });
}

TEST(FormatLimits, extents_are_looked_at_before_chunks_are_known) {
  Definition definition = bytes_of(format_named("netcdf4"), {}, {8 * gib});
  definition.variables[0].is_chunked = true;
  definition.variables[0].chunk = {};
  EXPECT_NO_THROW(check_extents(definition));
  definition.dimensions[0].size = 0;
  expect_error(THALWEG_ERROR_FORMAT, "has size 0", [&] { check_extents(definition); });
  expect_error(THALWEG_ERROR_FORMAT, "cdf5", [] { check_extents(bytes_of(format_named("cdf2"), {4 * gib, gib})); });
  Definition wide = sample::definition(format_named("cdf2"));
  wide.dimensions[0].size = std::int64_t{1} << 33;
  expect_error(THALWEG_ERROR_FORMAT, "holds up to 2147483647", [&] { check_extents(wide); });
}

TEST(FormatLimits, sizes_beyond_63_bits_are_refused) {
  Definition definition = sample::definition(format_named("cdf5"));
  definition.dimensions[0].size = std::int64_t{1} << 40;
  definition.dimensions[1].size = std::int64_t{1} << 40;
  expect_error(THALWEG_ERROR_FORMAT, "2^63", [&] { check_limits(definition); });
}

}  // namespace
}  // namespace thalweg::formats
