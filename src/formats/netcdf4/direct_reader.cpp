#include "formats/netcdf4/direct_reader.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/box_runs.hpp"
#include "base/error.hpp"
#include "formats/decoding_threads.hpp"
#include "transform/copy.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// Those that the box has cells of, by their first cells.
Box first_cells(const Box& box, const Index& chunk) {
  Box first = box;
  for (int d = 0; d < box.rank(); ++d) {
    first.start[d] = box.start[d] / chunk[d] * chunk[d];
    first.count[d] = box.stop(d) - first.start[d];
  }
  return first;
}

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
                           KeptChunks& kept)
    : file_(file), path_(path), dataset_(std::move(dataset)), kept_(kept) {
  if (dataset_.chunk.rank() > 0) tree_.emplace(file_, path_, dataset_.address, dataset_.shape.rank());
}

bool DirectReader::read(const Box& box, std::span<std::byte> values) {
  if (!is_within(box, dataset_.shape)) return false;
  try {
    return tree_ ? read_chunks(box, values) : read_contiguous(box, values);
  } catch (const Error&) {  // of damaged bytes
    return false;
  }
}

bool DirectReader::read_run(std::int64_t offset, std::span<std::byte> bytes) const {
  return storage::read_all(file_, path_, offset, bytes) == std::ssize(bytes);
}

bool DirectReader::read_contiguous(const Box& box, std::span<std::byte> values) const {
  const auto element_bytes = static_cast<std::int64_t>(size_of(dataset_.type));
  std::span<std::byte> left = values;
  bool is_read = true;
  for_each_run(whole(dataset_.shape), box, [&](std::int64_t offset, std::int64_t cells) {
    const auto bytes = static_cast<std::size_t>(cells * element_bytes);
    const auto begin = static_cast<std::int64_t>(dataset_.address) + offset * element_bytes;
    is_read = is_read && read_run(begin, left.first(bytes));
    left = left.subspan(bytes);
  });
  return is_read;
}

bool DirectReader::read_chunks(const Box& box, std::span<std::byte> values) {
  if (box.empty()) return true;
  const Box first = first_cells(box, dataset_.chunk);
  const auto chunks = tree_->beginning_in(first);
  if (!chunks || std::ssize(*chunks) != divide_up(first.count, dataset_.chunk).product()) return false;
  const std::size_t bytes = dataset_.filters.empty() ? 0 : values.size();
  const std::size_t threads = DecodingThreads::worth(chunks->size(), bytes);
  if (tools_.size() < threads) tools_.resize(threads);
  std::atomic<bool> is_read = true;
  DecodingThreads::for_each_chunk(chunks->size(), threads, [&](std::size_t chunk, std::size_t thread) {
    if (is_read && !read_chunk((*chunks)[chunk], box, values, tools_[thread])) is_read = false;
  });
  return is_read;
}

bool DirectReader::read_chunk(const StoredChunk& chunk, const Box& box, std::span<std::byte> values, Tools& tools) {
  const Box cells{chunk.first, dataset_.chunk};
  const auto part = intersect(cells, box);
  if (!part) return false;
  const Wanted wanted{chunk, cells, *part};
  if (dataset_.filters.empty()) return read_plain(wanted, box, values, tools);
  return *part == cells ? read_whole(wanted, box, values, tools) : read_part(wanted, box, values, tools);
}

// Nobody will want it again.
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

bool DirectReader::read_part(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) {
  const auto& [chunk, cells, part] = wanted;
  {
    const std::lock_guard lock(kept_mutex_);
    if (const std::vector<std::byte>* decoded = kept_.find(this, chunk.first)) {
      copy_part(part, cells, decoded->data(), box, values.data(), dataset_.type);
      return true;
    }
  }
  std::vector<std::byte> decoded(bytes_of(cells));
  if (!decode(chunk, decoded, tools)) return false;
  copy_part(part, cells, decoded.data(), box, values.data(), dataset_.type);
  const std::lock_guard lock(kept_mutex_);
  kept_.keep(this, chunk.first, std::move(decoded));
  return true;
}

// No more is read than is wanted.
bool DirectReader::read_plain(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) const {
  const auto& [chunk, cells, part] = wanted;
  const auto element_bytes = static_cast<std::int64_t>(size_of(dataset_.type));
  if (chunk.bytes != cells.cells() * element_bytes) return false;
  const auto run = run_of(part, box);
  if (!run) tools.part.resize(bytes_of(part));
  std::span<std::byte> left = run ? values.subspan(static_cast<std::size_t>(*run * element_bytes), bytes_of(part))
                                  : std::span(tools.part.data(), tools.part.size());
  bool is_read = true;
  for_each_run(cells, part, [&](std::int64_t offset, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count * element_bytes);
    is_read = is_read && read_run(chunk.offset + offset * element_bytes, left.first(bytes));
    left = left.subspan(bytes);
  });
  if (is_read && !run) copy_part(part, part, tools.part.data(), box, values.data(), dataset_.type);
  return is_read;
}

bool DirectReader::decode(const StoredChunk& chunk, std::span<std::byte> values, Tools& tools) const {
  tools.stored.resize(static_cast<std::size_t>(chunk.bytes));
  const std::span<std::byte> stored(tools.stored.data(), tools.stored.size());
  if (!read_run(chunk.offset, stored)) return false;
  tools.decoder.decode(dataset_.filters, chunk.skipped, stored, values);
  return true;
}

}  // namespace thalweg::formats::netcdf4
