#include "formats/zarr/stored_array.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/countable.hpp"
#include "base/error.hpp"
#include "formats/zarr/read_values.hpp"

namespace thalweg::formats::zarr {
namespace {

void require(bool is_read, const char* what, const Json& found) {
  if (!is_read) fail(THALWEG_ERROR_FORMAT, "{} {}, which Thalweg does not read", what, found.dump());
}

Index extents_of(const Json& list, bool may_be_none) {
  const auto extents = list.get<std::vector<std::int64_t>>();
  require(std::ssize(extents) <= max_rank, "more dimensions than 8:", list);
  for (const std::int64_t extent : extents) require(extent >= (may_be_none ? 0 : 1), "extents", list);
  require(is_countable(Index(extents)), "more bytes than are counted, of extents", list);
  return Index(extents);
}

Json configuration_of(const Json& named) {
  return named.value("configuration", Json::object());
}

Index regular_chunk(const Json& grid) {
  require(grid.at("name") == "regular", "the chunk grid", grid);
  return extents_of(grid.at("configuration").at("chunk_shape"), false);
}

struct Keys {
  std::string begin;
  std::string separator;
};

Keys keys_in(const Json& encoding) {
  const bool is_2 = encoding.at("name") == "v2";
  require(is_2 || encoding.at("name") == "default", "the encoding of keys", encoding);
  const std::string separator = configuration_of(encoding).value("separator", is_2 ? "." : "/");
  return {is_2 ? "/" : "/c" + separator, separator};
}

bool is_transpose(const Json& codec) {
  return codec.at("name") == "transpose";
}

// What comes before the bytes of a chunk are made: each one permutes the dimensions as the one before left them.
std::vector<int> order_in(const Json& codecs, int rank) {
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  for (const Json& codec : codecs) {
    if (!is_transpose(codec)) break;
    const auto by = configuration_of(codec).value("order", std::vector<int>());
    std::vector<int> next;
    for (const int d : by) next.push_back(d >= 0 && d < rank ? order[static_cast<std::size_t>(d)] : -1);
    require(std::ranges::is_permutation(order, next), "the codec", codec);
    order = next;
  }
  return order;
}

Json without_transposes(const Json& codecs) {
  Json others = Json::array();
  for (const Json& codec : codecs)
    if (!others.empty() || !is_transpose(codec)) others.push_back(codec);
  return others;
}

bool is_sharded(const Json& codecs) {
  return codecs.size() == 1 && codecs.at(0).at("name") == "sharding_indexed";
}

Json chunk_codecs_in(const Json& codecs) {
  return is_sharded(codecs) ? codecs.at(0).at("configuration").at("codecs") : codecs;
}

std::optional<ShardIndex> index_in(const Json& codecs) {
  if (!is_sharded(codecs)) return std::nullopt;
  const Json configuration = codecs.at(0).at("configuration");
  ShardIndex index{ChunkCodecs(configuration.at("index_codecs"), Type::uint64),
                   configuration.value("index_location", "end") == "end"};
  require(!index.codecs.compresses(), "an index of shards with the codecs", configuration.at("index_codecs"));
  return index;
}

block::ObjectGrid grid_in(const Json& metadata) {
  const Json& codecs = metadata.at("codecs");
  block::ObjectGrid grid;
  grid.shape = extents_of(metadata.at("shape"), true);
  grid.object = grid.chunk = regular_chunk(metadata.at("chunk_grid"));
  if (is_sharded(codecs)) grid.chunk = extents_of(codecs.at(0).at("configuration").at("chunk_shape"), false);
  bool fits = grid.chunk.rank() == grid.shape.rank() && grid.object.rank() == grid.shape.rank();
  for (int d = 0; fits && d < grid.shape.rank(); ++d) fits = grid.object[d] % grid.chunk[d] == 0;
  require(fits, "chunks that do not go with the shape:", metadata.at("chunk_grid"));
  return grid;
}

std::vector<std::string> dimensions_in(const Json& metadata) {
  std::vector<std::string> dimensions;
  const Json names = metadata.value("dimension_names", Json());
  if (!names.is_array()) return std::vector<std::string>(metadata.at("shape").size());
  for (const Json& name : names) dimensions.push_back(name.is_string() ? name.get<std::string>() : "");
  require(dimensions.size() == metadata.at("shape").size(),
          "names of dimensions that do not go with the shape:", names);
  return dimensions;
}

StoredArray array_in(const std::string& name, const Json& metadata) {
  require(metadata.at("zarr_format") == 3, "the version of Zarr", metadata.at("zarr_format"));
  require(metadata.at("node_type") == "array", "a node within the store that is a", metadata.at("node_type"));
  require(metadata.value("storage_transformers", Json::array()).empty(), "storage transformers",
          metadata.value("storage_transformers", Json()));
  const auto type = type_of(metadata.at("data_type"));
  require(type.has_value(), "the type", metadata.at("data_type"));
  const Json& codecs = metadata.at("codecs");
  const Json& fill = metadata.at("fill_value");
  const Json of_chunk = chunk_codecs_in(codecs);
  const block::ObjectGrid grid = grid_in(metadata);
  const Keys keys = keys_in(metadata.at("chunk_key_encoding"));
  return {.name = name,
          .type = *type,
          .dimensions = dimensions_in(metadata),
          .grid = grid,
          .fill = fill_value_of(fill, *type),
          .order = order_in(of_chunk, grid.chunk.rank()),
          .codecs = ChunkCodecs(without_transposes(of_chunk), *type),
          .index = index_in(codecs),
          .key_begin = keys.begin,
          .separator = keys.separator,
          .attributes = attributes_of_array(metadata.value("attributes", Json::object()), *type, fill)};
}

}  // namespace

StoredArray stored_array(const std::string& name, const Json& metadata) {
  try {
    return array_in(name, metadata);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("array '{}': {}", name, error.what()));
  } catch (const Json::exception& error) {
    fail(THALWEG_ERROR_FORMAT, "array '{}': its metadata cannot be read: {}", name, words_of(error));
  }
}

std::string key_of(const StoredArray& array, const Index& object) {
  if (object.rank() == 0) return array.name + (array.key_begin == "/" ? "/0" : "/c");
  return fmt::format("{}{}{}", array.name, array.key_begin, fmt::join(object.begin(), object.end(), array.separator));
}

Index chunk_strides(const StoredArray& array) {
  Index stride = array.grid.chunk;
  auto bytes = static_cast<std::int64_t>(size_of(array.type));
  for (auto d = array.order.rbegin(); d != array.order.rend(); ++d) {
    stride[*d] = bytes;
    bytes *= array.grid.chunk[*d];
  }
  return stride;
}

}  // namespace thalweg::formats::zarr
