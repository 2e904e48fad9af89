#include "formats/zarr/grid.hpp"

#include <gtest/gtest.h>

namespace thalweg::formats::zarr {
namespace {

catalog::Definition definition() {
  catalog::Definition result;
  result.record_dimension = "time";
  result.dimensions = {{"y", 5}, {"x", 7}};
  return result;
}

catalog::Variable variable(bool has_record, std::vector<int> dimensions, Index chunk, std::int64_t records = 1) {
  return {.name = "temp",
          .has_record = has_record,
          .dimensions = std::move(dimensions),
          .attributes = {},
          .chunk = chunk,
          .chunk_records = records};
}

block::ObjectGrid grid(catalog::Variable of, std::optional<Index> shard = {}) {
  of.shard = shard;
  return zarr_grid(definition(), of);
}

TEST(ZarrGrid, names_a_chunk_by_its_place_along_each_dimension) {
  const block::ObjectGrid cut = grid(variable(true, {0, 1}, {2, 3}));
  EXPECT_EQ(cut.objects(), (Index{1, 3, 3}));
  EXPECT_EQ(zarr_key("temp", cut, 12, 0), "temp/c/12/0/0");
  EXPECT_EQ(zarr_key("temp", cut, 12, 5), "temp/c/12/1/2");
  EXPECT_EQ(zarr_key("temp", cut, 12, 8), "temp/c/12/2/2");
}

TEST(ZarrGrid, gives_records_of_one_chunk_the_same_name) {
  const block::ObjectGrid cut = grid(variable(true, {}, {}, 4));
  EXPECT_EQ(zarr_key("time", cut, 3, 0), "time/c/0");
  EXPECT_EQ(zarr_key("time", cut, 4, 0), "time/c/1");
}

TEST(ZarrGrid, has_one_chunk_where_none_is_asked_for) {
  const block::ObjectGrid cut = grid(variable(false, {0, 1}, {}));
  EXPECT_EQ(cut.chunk, (Index{5, 7}));
  EXPECT_EQ(zarr_key("area", cut, 12, 0), "area/c/0/0");
}

TEST(ZarrGrid, of_a_scalar_is_one_object_without_numbers) {
  EXPECT_EQ(zarr_key("depth", grid(variable(false, {}, {})), 12, 0), "depth/c");
}

TEST(ZarrGrid, puts_several_chunks_into_a_shard_but_one_row_of_records) {
  const block::ObjectGrid cut = grid(variable(true, {0, 1}, {2, 3}, 4), Index{2, 1});
  EXPECT_EQ(cut.chunk, (Index{4, 2, 3}));
  EXPECT_EQ(cut.object, (Index{4, 4, 3}));
  EXPECT_EQ(cut.object_chunks(), (Index{1, 2, 1}));
  EXPECT_EQ(cut.objects(), (Index{1, 2, 3}));
  EXPECT_EQ(zarr_key("temp", cut, 9, 4), "temp/c/2/1/1");
}

}  // namespace
}  // namespace thalweg::formats::zarr
