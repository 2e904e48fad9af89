#include "formats/netcdf4/kept_headers.hpp"

#include <gtest/gtest.h>

#include "formats/netcdf4/hdf5_filters.hpp"
#include "formats/netcdf4/library_turn.hpp"
#include "sample_file.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

catalog::Definition definition_with(const std::string& title) {
  catalog::Definition definition = sample::definition(config::format_named("netcdf4"));
  definition.attributes.push_back(sample::text("title", title));
  return definition;
}

TEST(KeptHeaders, are_what_netcdf_makes_and_are_made_once) {
  const LibraryTurn turn;
  make_filters_known();
  KeptHeaders headers;
  const auto first = headers.of("a.nc", definition_with("one"));
  catalog::Definition striped = definition_with("one");
  striped.striping.count = 4;
  EXPECT_EQ(headers.of("b.nc", striped), first);
  const Netcdf4Header made = define_netcdf4("c.nc", striped);
  EXPECT_TRUE(first->bytes == made.bytes);
  EXPECT_EQ(first->variables, made.variables);
  EXPECT_EQ(first->record_scale, made.record_scale);
}

TEST(KeptHeaders, differ_where_definitions_do) {
  const LibraryTurn turn;
  make_filters_known();
  KeptHeaders headers;
  const auto one = headers.of("a.nc", definition_with("one"));
  const auto two = headers.of("a.nc", definition_with("two"));
  EXPECT_FALSE(one->bytes == two->bytes);
  EXPECT_EQ(headers.of("a.nc", definition_with("one")), one);
  catalog::Definition other = definition_with("one");
  other.variables.back().name += "_other";
  EXPECT_FALSE(headers.of("a.nc", other)->bytes == one->bytes);
  other = definition_with("one");
  other.dimensions.back().size += 1;
  EXPECT_FALSE(headers.of("a.nc", other)->bytes == one->bytes);
}

TEST(KeptHeaders, let_go_of_those_that_were_used_least_lately) {
  const LibraryTurn turn;
  make_filters_known();
  KeptHeaders headers;
  const std::weak_ptr first = headers.of("a.nc", definition_with("one"));
  constexpr std::size_t large = std::size_t{20} << 20;
  headers.of("a.nc", definition_with(std::string(large, 'x')));
  EXPECT_FALSE(first.expired());
  headers.of("a.nc", definition_with("one"));
  headers.of("a.nc", definition_with(std::string(large, 'y')));
  EXPECT_FALSE(first.expired());
  headers.of("a.nc", definition_with(std::string(large, 'z')));
  EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
