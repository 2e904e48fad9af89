#include "formats/zarr/metadata.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../support/zarr_sample.hpp"
#include "sample_file.hpp"

namespace thalweg::formats::zarr {
namespace {

using nlohmann::json;

ZarrMetadata of(const catalog::Variable& variable) {
  catalog::Definition definition;
  definition.format = config::format_named("zarr");
  definition.record_dimension = "time";
  definition.dimensions = {{"y", 5}, {"x", 7}};
  definition.variables = {variable};
  definition.attributes = {zarr_sample::text("title", R"("shape":["records"])")};
  return zarr_metadata(definition);
}

json array(const catalog::Variable& variable) {
  return json::parse(of(variable).arrays[0].at(12));
}

const catalog::Variable field = zarr_sample::array("temp", Type::float32, true, {0, 1}, {2, 4});

TEST(ZarrMetadata, describe_an_array) {
  EXPECT_EQ(array(field), json::parse(R"({"zarr_format": 3, "node_type": "array", "shape": [12, 5, 7],
    "data_type": "float32", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 2, 4]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "fill_value": 9.969209968386869e36, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    "dimension_names": ["time", "y", "x"], "attributes": {}, "storage_transformers": []})"));
}

TEST(ZarrMetadata, name_the_codecs_in_the_order_of_encoding) {
  catalog::Variable encoded = field;
  encoded.encoding = {.codec = config::codec_named("zstd"), .level = 5, .checksum = true};
  EXPECT_EQ(array(encoded)["codecs"], json::parse(R"([{"name": "bytes", "configuration": {"endian": "little"}},
    {"name": "zstd", "configuration": {"level": 5, "checksum": false}}, {"name": "crc32c"}])"));
}

TEST(ZarrMetadata, have_a_shard_in_the_grid_and_its_chunks_in_the_codec) {
  catalog::Variable in_shards = field;
  in_shards.encoding = {.checksum = true};
  in_shards.shard = Index{3, 1};
  const json sharded = array(in_shards);
  EXPECT_EQ(sharded["chunk_grid"]["configuration"]["chunk_shape"], json::parse("[1, 6, 4]"));
  EXPECT_EQ(sharded["codecs"], json::parse(R"([{"name": "sharding_indexed", "configuration": {
    "chunk_shape": [1, 2, 4],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
    "index_location": "end"}}])"));
}

TEST(ZarrMetadata, say_nothing_of_byte_order_where_there_is_none) {
  const json bytes = array(zarr_sample::array("flags", Type::uint8, false, {0}, {}));
  EXPECT_EQ(bytes["codecs"], json::parse(R"([{"name": "bytes"}])"));
}

TEST(ZarrMetadata, of_a_scalar_have_no_dimensions) {
  const json scalar = array(zarr_sample::array("depth", Type::float64, false, {}, {}));
  EXPECT_EQ(scalar["shape"], json::array());
  EXPECT_FALSE(scalar.contains("dimension_names"));
}

TEST(ZarrMetadata, of_the_root_hold_those_of_all_arrays) {
  const ZarrMetadata metadata = of(field);
  const json root = json::parse(metadata.root.at(12));
  EXPECT_EQ(root["node_type"], "group");
  EXPECT_EQ(root["consolidated_metadata"]["metadata"]["temp"], json::parse(metadata.arrays[0].at(12)));
  EXPECT_EQ(root["attributes"]["title"], R"("shape":["records"])");
}

TEST(ZarrMetadata, grow_only_with_records) {
  EXPECT_TRUE(of(field).arrays[0].grows());
  const ZarrMetadata fixed = of(zarr_sample::array("area", Type::float64, false, {0}, {}));
  EXPECT_FALSE(fixed.arrays[0].grows());
  EXPECT_FALSE(fixed.root.grows());
}

TEST(ZarrMetadata, are_refused_for_names_that_a_store_cannot_have) {
  for (const char* name : {"a/b", ".", "..", "__hidden", "zarr.json", "zarr.json.partial", "thalweg.json", "", "\xff"})
    sample::expect_error(THALWEG_ERROR_FORMAT, "rename it",
                         [&] { of(zarr_sample::array(name, Type::int8, false, {}, {})); });
}

TEST(ZarrMetadata, are_refused_for_empty_chunks) {
  sample::expect_error(THALWEG_ERROR_FORMAT, "variable 'temp': a chunk (2, 0) of 1 records",
                       [] { of(zarr_sample::array("temp", Type::int8, true, {0, 1}, {2, 0})); });
  sample::expect_error(THALWEG_ERROR_FORMAT, "extents are at least 1", [] {
    catalog::Variable in_shards = field;
    in_shards.shard = Index{0, 1};
    of(in_shards);
  });
}

}  // namespace
}  // namespace thalweg::formats::zarr
