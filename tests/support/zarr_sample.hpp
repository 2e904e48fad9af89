// A Zarr store with every kind of array, written as a writer does it. tests/support/zarr_sample.py knows what is in it.
//
// Elements are the low bits of the hash of conform_values.hpp whatever their type is, so that NaNs are among them.
// Coordinates count instead, for readers that make something of them.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../programs/conform_values.hpp"
#include "formats/format_file.hpp"
#include "formats/zarr/shard.hpp"
#include "formats/zarr/store.hpp"
#include "storage/growing_chunk.hpp"
#include "storage/object_store.hpp"

namespace thalweg::formats::zarr_sample {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

inline std::uint32_t crc32c(std::span<const std::byte> bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      entries[i] = i;
      for (int bit = 0; bit < 8; ++bit) entries[i] = entries[i] >> 1 ^ ((entries[i] & 1U) != 0 ? 0x82f63b78U : 0U);
    }
    return entries;
  }();
  std::uint32_t crc = ~0U;
  for (const std::byte byte : bytes) crc = crc >> 8 ^ table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
  return ~crc;
}

inline Attribute text(const std::string& name, const std::string& value) {
  return {name, std::nullopt, value, {}};
}

template <typename T>
Attribute numbers(const std::string& name, Type type, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {name, type, "", {bytes.begin(), bytes.end()}};
}

struct Options {
  bool sharded = false;
  bool crc32c = false;
  config::Codec codec = config::Codec();  // zstd: in the metadata alone
};

inline std::vector<Attribute> file_attributes() {
  const double nan = std::bit_cast<double>(0x7ff8000000000000U);
  return {text("title", "sample \xc3\xa9"),
          text("latin",
               "5 \xb0"
               "C"),
          text("empty", ""),
          numbers<double>("numbers", Type::float64, {0.1, nan, -1.0 / 0.0}),
          numbers<std::int32_t>("one", Type::int32, {-7}),
          numbers<std::uint64_t>("largest", Type::uint64, {~0ULL}),
          numbers<float>("single", Type::float32, {0.1F})};
}

// fixed: a variable without record dimension.
inline Variable array(const std::string& name, Type type, bool has_record, std::vector<int> dimensions, Index chunk,
                      std::vector<Attribute> attributes = {}) {
  return {.name = name,
          .type = type,
          .has_record = has_record,
          .dimensions = std::move(dimensions),
          .attributes = std::move(attributes),
          .chunk = chunk};
}

inline std::vector<Variable> variables() {
  std::vector<Variable> list;
  list.push_back(array("time", Type::float64, true, {}, {},
                       {text("units", "days since 2000-01-01"), text("calendar", "noleap"), text("axis", "T")}));
  list.back().chunk_records = 4;
  list.push_back(array("y", Type::float64, false, {0}, {}, {text("units", "degrees_north")}));
  list.push_back(array("x", Type::float64, false, {1}, {4}, {text("units", "degrees_east")}));
  list.push_back(array("area", Type::float64, false, {0, 1}, {}));
  list.push_back(array("depth", Type::float64, false, {}, {}));
  for (int type = THALWEG_INT8; type <= THALWEG_FLOAT64; ++type) {
    const std::string name(name_of(static_cast<Type>(type)));
    list.push_back(array(name + "_fixed", static_cast<Type>(type), false, {0, 1}, {}));
    list.push_back(
        array(name + "_field", static_cast<Type>(type), true, {0, 1}, {2, 4}, {text("coordinates", "area")}));
  }
  list.push_back(array("profile", Type::float32, true, {2}, {2}));
  list.push_back(
      array("triple", Type::int16, true, {2}, {3}, {numbers<std::int16_t>("_FillValue", Type::int16, {-9})}));
  list.back().chunk_records = 3;
  list.push_back(array("sparse", Type::float32, true, {0, 1}, {2, 4},
                       {numbers<float>("_FillValue", Type::float32, {1e20F}), text("units", "1")}));
  list.push_back(array("gap", Type::int16, false, {0, 1}, {2, 4}));
  const auto odd = std::bit_cast<float>(0x7fc00abcU);
  list.push_back(
      array("odd_nan", Type::float32, false, {0, 1}, {2, 4}, {numbers<float>("_FillValue", Type::float32, {odd})}));
  const double nan = std::bit_cast<double>(0x7ff8000000000000U);
  list.push_back(array("nan", Type::float64, false, {0}, {2}, {numbers<double>("_FillValue", Type::float64, {nan})}));
  return list;
}

inline Definition sample(const Options& options) {
  Definition result;
  result.format = config::format_named("zarr");
  result.record_dimension = "time";
  result.dimensions = {{"y", 5}, {"x", 7}, {"three", 3}};
  result.attributes = file_attributes();
  result.variables = variables();
  for (Variable& variable : result.variables) {
    variable.encoding = {.codec = options.codec, .level = 3, .checksum = options.crc32c};
    const int rank = static_cast<int>(variable.dimensions.size());
    if (options.sharded && (rank > 0 || variable.has_record)) variable.shard = Index::filled(rank, 2);
  }
  return result;
}

// The first bytes that the type has, least significant first.
inline std::uint64_t bits_of(const std::string& name, std::int64_t record, std::int64_t element) {
  if (name == "time") return std::bit_cast<std::uint64_t>(0.25 * static_cast<double>(record));
  if (name == "x" || name == "y") return std::bit_cast<std::uint64_t>(0.5 + static_cast<double>(element));
  return conform::hash(conform::seed_of(name), record, element);
}

// The number of this chunk of `sparse`, `gap`, `odd_nan` and `nan` is never written, in any record.
constexpr std::int64_t missing_number = 1;

inline bool has_holes(const std::string& name) {
  return name == "sparse" || name == "gap" || name == "odd_nan" || name == "nan";
}

// Writes a store with the classes under test, which is made as every file is made.
class Writer {
 public:
  Writer(const std::string& path, const Options& options, bool durable)
      : options_(options),
        stable_(durable ? storage::Stable::at_once : storage::Stable::never),
        definition_(sample(options)),
        file_(formats::zarr::ZarrFile(definition_)) {
    format_file_ = create(path, definition_);
    store_.emplace(path, config::DirectIo::automatic);
    for (int v = 0; v < std::ssize(definition_.variables); ++v) {
      if (!variable(v).has_record) put_objects(v, 0);
      if (variable(v).chunk_records == 1) continue;
      const std::int64_t cells = definition_.shape(variable(v)).product();
      growing_.emplace(
          v, storage::GrowingChunk(variable(v).type, cells * element_bytes(v), variable(v).chunk_records, {}));
    }
  }

  void write_data(std::int64_t record) {
    for (int v = 0; v < std::ssize(definition_.variables); ++v)
      if (variable(v).has_record && variable(v).chunk_records == 1) put_objects(v, record);
    for (auto& [v, chunk] : growing_)
      chunk.put(record, raw_chunk(v, record, Index::filled(file_.grid(v).shape.rank(), 0), 1));
  }

  void write_growing(std::int64_t records) {
    for (auto& [v, chunk] : growing_)
      chunk.commit(records, [&, v = v](std::int64_t row, std::span<const std::byte> bytes) {
        put_object(v, row * variable(v).chunk_records, 0, {encoded({bytes.begin(), bytes.end()})});
      });
  }

  void commit(std::int64_t records) {
    write_growing(records);
    storage::apply(*store_, *format_file_->commit(records).objects, stable_);
  }
  void add(std::int64_t record) {
    write_data(record);
    commit(record + 1);
  }
  void close(std::int64_t records) {
    write_growing(records);
    storage::apply(*store_, *format_file_->close(records).objects, stable_);
  }
  const formats::zarr::ZarrFile& file() const { return file_; }
  storage::ObjectStore& store() { return *store_; }
  const Definition& definition() const { return definition_; }

 private:
  using Bytes = std::vector<std::byte>;
  const Variable& variable(int v) const { return definition_.variables[static_cast<std::size_t>(v)]; }
  std::int64_t element_bytes(int v) const { return static_cast<std::int64_t>(size_of(variable(v).type)); }

  static Index place_of(std::int64_t number, const Index& grid) {
    Index place = grid;
    for (int d = grid.rank() - 1; d >= 0; --d) {
      place[d] = number % grid[d];
      number /= grid[d];
    }
    return place;
  }

  // A chunk that starts at this cell, whole: what reaches over the edge is rubbish. `records` of the record dimension.
  Bytes raw_chunk(int v, std::int64_t record, const Index& start, std::int64_t records) const {
    const block::ObjectGrid& grid = file_.grid(v);
    Index extents = grid.chunk;
    if (grid.has_record) extents[0] = records;
    Bytes bytes(static_cast<std::size_t>(extents.product() * element_bytes(v)), std::byte{0xee});
    for (std::int64_t i = 0; i < extents.product(); ++i) {
      const Index in_chunk = place_of(i, extents);
      std::int64_t element = 0;
      bool inside = true;
      for (int d = grid.has_record ? 1 : 0; d < extents.rank(); ++d) {
        element = element * grid.shape[d] + start[d] + in_chunk[d];
        inside = inside && start[d] + in_chunk[d] < grid.shape[d];
      }
      const std::uint64_t bits = bits_of(variable(v).name, record, element);
      if (inside) std::memcpy(bytes.data() + i * element_bytes(v), &bits, size_of(variable(v).type));
    }
    return bytes;
  }

  Bytes encoded(Bytes chunk) const {
    if (!options_.crc32c) return chunk;
    const std::uint32_t crc = crc32c(chunk);
    const auto* bytes = reinterpret_cast<const std::byte*>(&crc);
    chunk.insert(chunk.end(), bytes, bytes + sizeof crc);
    return chunk;
  }

  // Chunks of an object in row-major order; empty ones are missing.
  void put_object(int v, std::int64_t record, std::int64_t object, std::vector<Bytes> chunks) {
    const bool sharded = variable(v).shard.has_value();
    if (!sharded && chunks.front().empty()) return;
    if (sharded) {
      std::vector<std::int64_t> lengths;
      chunks.resize(static_cast<std::size_t>(file_.grid(v).object_chunks().product()));
      for (const Bytes& chunk : chunks) lengths.push_back(chunk.empty() ? block::missing_chunk : std::ssize(chunk));
      chunks.push_back(formats::zarr::encode_shard_index(formats::zarr::lay_out_shard(lengths), crc32c));
    }
    const std::vector<std::span<const std::byte>> pieces(chunks.begin(), chunks.end());
    store_->put(file_.key(v, record, object), pieces, stable_);
  }

  // Unsharded, a missing chunk is an object that is not there; sharded, it has no place in its shard.
  void put_objects(int v, std::int64_t record) {
    const block::ObjectGrid& grid = file_.grid(v);
    for (std::int64_t object = 0; object < grid.objects().product(); ++object) {
      std::vector<Bytes> chunks;
      const Index place = place_of(object, grid.objects());
      for (std::int64_t number = 0; number < grid.object_chunks().product(); ++number) {
        const Index inner = place_of(number, grid.object_chunks());
        Index start = place;
        bool outside = false;
        for (int d = 0; d < start.rank(); ++d) {
          start[d] = place[d] * grid.object[d] + inner[d] * grid.chunk[d];
          outside = outside || (start[d] >= grid.shape[d] && !(d == 0 && grid.has_record));
        }
        const bool hole = has_holes(variable(v).name) && chunk_number(grid, start) == missing_number;
        chunks.push_back(outside || hole ? Bytes{} : encoded(raw_chunk(v, record, start, 1)));
      }
      put_object(v, record, object, std::move(chunks));
    }
  }

  // Row-major number of the chunk that starts at this cell, in the grid of chunks of a record.
  static std::int64_t chunk_number(const block::ObjectGrid& grid, const Index& start) {
    std::int64_t number = 0;
    for (int d = grid.has_record ? 1 : 0; d < start.rank(); ++d)
      number = number * ((grid.shape[d] + grid.chunk[d] - 1) / grid.chunk[d]) + start[d] / grid.chunk[d];
    return number;
  }

  Options options_;
  storage::Stable stable_;
  Definition definition_;
  formats::zarr::ZarrFile file_;
  std::unique_ptr<FormatFile> format_file_;
  std::optional<storage::ObjectStore> store_;
  std::map<int, storage::GrowingChunk> growing_;
};

}  // namespace thalweg::formats::zarr_sample
