#include "formats/zarr/readable.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "formats/decoding_threads.hpp"
#include "formats/record_box.hpp"
#include "formats/zarr/chunk_reader.hpp"
#include "formats/zarr/file.hpp"
#include "formats/zarr/format.hpp"
#include "formats/zarr/read_values.hpp"
#include "formats/zarr/store_metadata.hpp"
#include "formats/zarr/stored_array.hpp"
#include "transform/copy.hpp"

namespace thalweg::formats::zarr {
namespace {

using catalog::Definition;
using catalog::Variable;

Index in_definition(const Index& index, bool has_record) {
  return has_record ? without_record(index) : index;
}

// Builds the definition of a store from its arrays.
class Reading {
 public:
  Reading(Definition& definition, std::int64_t& records, Unreadable unreadable)
      : definition_(definition), records_(records), is_strict_(unreadable == Unreadable::refuse) {}

  // Errors: FORMAT; then nothing was added but dimensions.
  void add(StoredArray array, std::vector<StoredArray>& arrays) {
    Variable variable;
    variable.name = array.name;
    variable.type = array.type;
    variable.attributes = array.attributes;
    for (int d = 0; d < array.grid.shape.rank(); ++d)
      add_dimension(variable, d, array.dimensions[static_cast<std::size_t>(d)], array.grid.shape[d]);
    set_chunks(variable, array.grid, array.index.has_value());
    definition_.variables.push_back(std::move(variable));
    arrays.push_back(std::move(array));
  }

 private:
  void add_dimension(Variable& variable, int d, std::string name, std::int64_t size) {
    if (name.empty()) name = named_by_place(variable, d);
    if (name == definition_.record_dimension && is_of_records(variable, d, size)) {
      variable.has_record = true;
      return;
    }
    auto& dimensions = definition_.dimensions;
    const auto known = std::ranges::find_if(
        dimensions, [&](const auto& of) { return of.name == name && (is_strict_ || of.size == size); });
    variable.dimensions.push_back(static_cast<int>(known - dimensions.begin()));
    if (known == dimensions.end())
      dimensions.push_back({name, size});
    else
      require_same(variable, name, size, known->size);
  }

  // As xarray names dimensions that have no names.
  std::string named_by_place(const Variable& variable, int d) const {
    if (is_strict_)
      fail(THALWEG_ERROR_FORMAT, "array '{}': its dimension {} has no name, which Thalweg only reads", variable.name,
           d);
    return fmt::format("dim_{}", d);
  }

  // Zarr knows no record dimension: an array that does not go with the others has a dimension of the same name.
  bool is_of_records(const Variable& variable, int d, std::int64_t size) const {
    if (!is_strict_) return d == 0 && size == records_;
    if (d != 0)
      fail(THALWEG_ERROR_FORMAT,
           "array '{}' has the record dimension '{}' in another place than the first, which Thalweg only reads",
           variable.name, definition_.record_dimension);
    require_same(variable, definition_.record_dimension, size, records_);
    return true;
  }

  static void require_same(const Variable& variable, const std::string& name, std::int64_t size, std::int64_t had) {
    if (had != size)
      fail(THALWEG_ERROR_FORMAT, "dimension '{}' has a size of {} in array '{}' and of {} in another one", name, size,
           variable.name, had);
  }

  static void set_chunks(Variable& variable, const block::ObjectGrid& grid, bool is_sharded) {
    variable.chunk = in_definition(grid.chunk, variable.has_record);
    variable.chunk_records = variable.has_record ? grid.chunk[0] : 1;
    variable.is_chunked = variable.has_record || is_sharded || grid.objects().product() > 1;
    if (is_sharded) variable.shard = in_definition(grid.object_chunks(), variable.has_record);
  }

  Definition& definition_;
  const std::int64_t& records_;
  bool is_strict_;
};

bool is_group(const Json& node) {
  return node.value("node_type", Json()) == "group";
}

class ZarrReadable : public ReadableFile {
 public:
  ZarrReadable(const std::string& path, Unreadable unreadable) : path_(path), version_(version_now()) {
    const StoreMetadata metadata = read_store_metadata(path);
    const bool is_strict = unreadable == Unreadable::refuse;
    if (is_strict) require_version_3(metadata);
    definition_.format = zarr.description;
    definition_.record_dimension = record_dimension_of(metadata.arrays);
    if (const std::string& name = definition_.record_dimension; !name.empty())
      records_ = metadata.arrays.at(name).at("shape").at(0);
    definition_.attributes = attributes_of(metadata.attributes);
    Reading reading(definition_, records_, unreadable);
    for (const auto& [name, array] : metadata.arrays.items()) try {
        if (is_strict || !is_group(array)) reading.add(stored_array(name, array), arrays_);
      } catch (const Error& error) {
        if (is_strict) throw;
        left_out_.push_back({name, error.what()});
      }
  }

  const Definition& definition() const override { return definition_; }
  std::int64_t records() const override { return records_; }
  std::vector<LeftOut> left_out() const override { return left_out_; }
  std::string version() const override { return version_; }
  bool has_codec(int v) const override { return arrays_[static_cast<std::size_t>(v)].codecs.compresses(); }

  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    read_cells(v, definition_.variable(v).has_record ? with_record(box, record) : box, values);
  }
  void read_records(int v, std::int64_t first, std::span<std::byte> values) override {
    const auto bytes = static_cast<std::int64_t>(size_of(definition_.variable(v).type));
    read_cells(v, {{first}, {std::ssize(values) / bytes}}, values);
  }

 private:
  // Of the array, along all its dimensions.
  void read_cells(int v, const Box& wanted, std::span<std::byte> values) {
    if (wanted.empty()) return;
    require_unchanged();
    const StoredArray& array = arrays_[static_cast<std::size_t>(v)];
    const std::vector<Index> chunks = chunks_with(wanted, array.grid.chunk);
    const std::size_t threads = DecodingThreads::worth(chunks.size(), values.size());
    while (readers_.size() < threads) readers_.emplace_back(path_, kept_);
    DecodingThreads::for_each_chunk(chunks.size(), threads, [&](std::size_t chunk, std::size_t thread) {
      read_chunk(readers_[thread], array, chunks[chunk], wanted, values);
    });
  }

  std::string version_now() const { return store_version(path_); }

  // Objects are opened by their names, and one that is not there has fill values: of a store that was replaced or
  // removed meanwhile they would be taken for its own.
  void require_unchanged() const {
    if (version_now() != version_)
      fail(THALWEG_ERROR_FORMAT, "the Zarr store '{}' has changed since it was opened; open it again", path_);
  }

  // Those in which there are cells of the box, by their numbers along each dimension.
  static std::vector<Index> chunks_with(const Box& box, const Index& extents) {
    std::vector<Index> chunks;
    Index first = box.start;
    for (int d = 0; d < box.rank(); ++d) first[d] = box.start[d] / extents[d];
    Index chunk = first;
    for (int d = 0; d >= 0;) {
      chunks.push_back(chunk);
      for (d = box.rank() - 1; d >= 0 && (chunk[d] + 1) * extents[d] >= box.stop(d); --d) chunk[d] = first[d];
      if (d >= 0) ++chunk[d];
    }
    return chunks;
  }

  static void read_chunk(ChunkReader& reader, const StoredArray& array, const Index& chunk, const Box& box,
                         std::span<std::byte> values) {
    const Index& extents = array.grid.chunk;
    Box inside{chunk, extents};
    for (int d = 0; d < chunk.rank(); ++d) inside.start[d] = chunk[d] * extents[d];
    const Box common = intersect(inside, box).value();
    const auto element_bytes = static_cast<std::int64_t>(size_of(array.type));
    const Index source_stride = chunk_strides(array);
    const Index stride = contiguous_strides(box.count, element_bytes);
    std::byte* const target = values.data() + offset_of(common.start, stride) - offset_of(box.start, stride);
    const bool is_whole = intersect(inside, whole(array.grid.shape)) == common;
    const KeptChunks::Values content = reader.read(array, chunk, !is_whole);
    if (!content)
      transform::fill_box(common.count, stride, array.type, false, array.fill, target);
    else
      transform::copy_box(
          {common.count, source_stride, stride, array.type, array.type, false},
          content->data() + offset_of(common.start, source_stride) - offset_of(inside.start, source_stride), target);
  }

  std::string path_;
  std::string version_;
  Definition definition_;
  std::int64_t records_ = 0;
  std::vector<StoredArray> arrays_;  // of the variables
  KeptChunks kept_;
  std::vector<ChunkReader> readers_;  // of each thread
  std::vector<LeftOut> left_out_;
};

}  // namespace

std::unique_ptr<ReadableFile> open_readable_zarr(const std::string& path, Unreadable unreadable) {
  try {
    return std::make_unique<ZarrReadable>(path, unreadable);
  } catch (const Json::exception& error) {
    fail(THALWEG_ERROR_FORMAT, "the metadata of the Zarr store '{}' cannot be read: {}", path, words_of(error));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("the Zarr store '{}' cannot be read: {}", path, error.what()));
  }
}

std::vector<catalog::Attribute> attributes_read_in_zarr(const Variable& variable) {
  return attributes_of_array(zarr_attributes_of(variable), variable.type, zarr_fill_value(variable));
}

}  // namespace thalweg::formats::zarr
