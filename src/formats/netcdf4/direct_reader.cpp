#include "formats/netcdf4/direct_reader.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "base/box_runs.hpp"
#include "base/error.hpp"
#include "formats/decoding_threads.hpp"
#include "formats/row_reading.hpp"
#include "transform/copy.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

bool is_within(const Box& box, const Index& shape) {
  if (box.rank() != shape.rank()) return false;
  for (int d = 0; d < box.rank(); ++d)
    if (box.start[d] < 0 || box.stop(d) > shape[d]) return false;
  return true;
}

// Where the cells of a part begin in the row-major array of a box, if they follow each other there.
std::optional<std::int64_t> run_of(const Box& part, const Box& box) {
  std::int64_t begin = -1;
  for_each_run(box, part, [&](std::int64_t offset, std::int64_t cells) {
    if (cells == part.cells()) begin = offset;
  });
  return begin < 0 ? std::nullopt : std::optional(begin);
}

// Cells of a part, out of the row-major array of `from` into that of `to`.
void copy_part(const Box& part, const Box& from, const std::byte* source, const Box& to, std::byte* target, Type type) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(type));
  const auto at = [&](const Box& outer, const Index& stride) {
    Index cell = part.start;
    for (int d = 0; d < cell.rank(); ++d) cell[d] -= outer.start[d];
    return offset_of(cell, stride);
  };
  const Index source_stride = contiguous_strides(from.count, element_bytes);
  const Index target_stride = contiguous_strides(to.count, element_bytes);
  transform::copy_box({.count = part.count,
                       .source_stride = source_stride,
                       .target_stride = target_stride,
                       .source_type = type,
                       .target_type = type},
                      source + at(from, source_stride), target + at(to, target_stride));
}

}  // namespace

DirectReader::DirectReader(const storage::Descriptor& file, const std::string& path, StoredDataset dataset,
                           DecodingRooms& rooms)
    : file_(file), path_(path), dataset_(std::move(dataset)), rooms_(rooms) {
  if (dataset_.chunk.rank() > 0) tree_.emplace(file_, path_, dataset_.address, dataset_.chunk);
}

bool DirectReader::read(const Box& box, std::span<std::byte> values) {
  fault_.clear();
  if (!is_within(box, dataset_.shape)) return false;
  if (box.empty()) return true;
  end_ = storage::size_of_file(file_, path_);
  std::optional<std::vector<StoredChunk>> chunks;
  if (tree_ && !(chunks = tree_->all_with_cells_of(box))) return false;
  try {
    if (chunks) return read_chunks(*chunks, box, values);
    return read_stored(static_cast<std::int64_t>(dataset_.address), whole(dataset_.shape), box, rooms_.rows, values);
  } catch (const Error& error) {
    // HDF5 without memory may end the program, and a second try would take more.
    if (error.code() == THALWEG_ERROR_MEMORY) throw;
    fault_ = error.what();
    return false;
  }
}

bool DirectReader::read_run(std::int64_t offset, std::span<std::byte> bytes) const {
  return storage::read_all(file_, path_, offset, bytes) == std::ssize(bytes);
}

bool DirectReader::read_stored(std::int64_t begin, const Box& outer, const Box& part, RawBytes& room,
                               std::span<std::byte> values) const {
  bool is_read = true;
  read_rows(outer, part, dataset_.type, room, values, [&](std::int64_t offset, std::span<std::byte> bytes) {
    is_read = is_read && read_run(begin + offset, bytes);
  });
  return is_read;
}

bool DirectReader::read_chunks(const std::vector<StoredChunk>& chunks, const Box& box, std::span<std::byte> values) {
  const std::size_t bytes = dataset_.filters.empty() ? 0 : values.size();
  const std::size_t threads = DecodingThreads::worth(chunks.size(), bytes);
  if (rooms_.tools.size() < threads) rooms_.tools.resize(threads);
  std::atomic<bool> is_read = true;
  DecodingThreads::for_each_chunk(chunks.size(), threads, [&](std::size_t chunk, std::size_t thread) {
    if (is_read && !read_chunk(chunks[chunk], box, values, rooms_.tools[thread])) is_read = false;
  });
  return is_read;
}

bool DirectReader::read_chunk(const StoredChunk& chunk, const Box& box, std::span<std::byte> values, Tools& tools) {
  const Box cells{chunk.first, dataset_.chunk};
  const auto part = intersect(cells, box);
  if (!part) return false;
  const Wanted wanted{chunk, cells, *part};
  try {
    return read_wanted(wanted, box, values, tools);
  } catch (const Error& error) {
    fail(error.code(), "the chunk that begins at cell {}: {}", to_string(chunk.first), error.what());
  } catch (const std::bad_alloc&) {
    fail(THALWEG_ERROR_MEMORY, "there is no memory for the chunk of {} bytes that begins at cell {}", bytes_of(cells),
         to_string(chunk.first));
  }
}

bool DirectReader::read_wanted(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) {
  const auto& [chunk, cells, part] = wanted;
  if (dataset_.filters.empty()) return read_plain(wanted, box, values, tools);
  return part == cells ? read_whole(wanted, box, values, tools) : read_part(wanted, box, values, tools);
}

bool DirectReader::read_whole(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) {
  const auto& [chunk, cells, part] = wanted;
  if (const auto run = run_of(cells, box))
    return decode(chunk, values.subspan(static_cast<std::size_t>(*run) * size_of(dataset_.type), bytes_of(cells)),
                  tools);
  tools.part.resize(bytes_of(cells));
  if (!decode(chunk, {tools.part.data(), tools.part.size()}, tools)) return false;
  copy_part(cells, cells, tools.part.data(), box, values.data(), dataset_.type);
  return true;
}

// Of a chunk that gives all that it has of the dataset nobody will want more.
bool DirectReader::read_part(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) {
  const auto& [chunk, cells, part] = wanted;
  KeptChunks::Values decoded = rooms_.kept.find(this, chunk.first);
  if (!decoded) {
    auto made = std::make_shared<std::vector<std::byte>>(bytes_of(cells));
    if (!decode(chunk, *made, tools)) return false;
    decoded = std::move(made);
    if (part != intersect(cells, whole(dataset_.shape))) rooms_.kept.keep(this, chunk.first, decoded);
  }
  copy_part(part, cells, decoded->data(), box, values.data(), dataset_.type);
  return true;
}

// No more is read than is wanted, but for what lies between rows.
bool DirectReader::read_plain(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) const {
  const auto& [chunk, cells, part] = wanted;
  if (chunk.bytes != static_cast<std::int64_t>(bytes_of(cells))) return false;
  if (const auto run = run_of(part, box))
    return read_stored(chunk.offset, cells, part, tools.stored,
                       values.subspan(static_cast<std::size_t>(*run) * size_of(dataset_.type), bytes_of(part)));
  tools.part.resize(bytes_of(part));
  if (!read_stored(chunk.offset, cells, part, tools.stored, {tools.part.data(), tools.part.size()})) return false;
  copy_part(part, part, tools.part.data(), box, values.data(), dataset_.type);
  return true;
}

bool DirectReader::decode(const StoredChunk& chunk, std::span<std::byte> values, Tools& tools) const {
  if (chunk.offset > end_ - chunk.bytes)
    fail(THALWEG_ERROR_STORAGE, "its {} bytes would lie at {} of the {} bytes of the file", chunk.bytes, chunk.offset,
         end_);
  tools.stored.resize(static_cast<std::size_t>(chunk.bytes));
  const std::span<std::byte> stored(tools.stored.data(), tools.stored.size());
  if (!read_run(chunk.offset, stored)) return false;
  tools.decoder.decode(dataset_.filters, chunk.skipped, stored, values);
  return true;
}

}  // namespace thalweg::formats::netcdf4
