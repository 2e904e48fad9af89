#include "storage/file_sink.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "storage/file_identity.hpp"
#include "transform/copy.hpp"

namespace thalweg::storage {
namespace {

// A piece of the fill value serves any number of runs.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 20;

std::vector<std::byte> piece_of(const block::PlannedBlock& block, bool big_endian, std::int64_t longest_bytes) {
  const auto size = static_cast<std::int64_t>(size_of(block.type));
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(longest_bytes, piece_bytes)));
  transform::fill_box({std::ssize(piece) / size}, {size}, block.type, big_endian, block.fill, piece.data());
  return piece;
}

}  // namespace

FileSink::FileSink(const std::string& path, const block::CollectionPlan& plan, StorageAccess& access)
    : plan_(plan), access_(access), mover_(path, plan.files.direct_io), journal_(path) {
  if (!mover_.fallback_reason().empty()) log::debug("'{}': direct writes are off: {}", path, mover_.fallback_reason());
}

void FileSink::write(std::span<const BlockToWrite> blocks) {
  for (const BlockToWrite& block : blocks)
    for (std::int64_t i = 0; i < block.block->map.run_count; ++i) {
      const block::Run run = block.run(i);
      const std::int64_t begin = block::begin_of_run(*block.block, plan_.files.chunked(), block.place, i);
      runs_.push_back({begin + run.file_offset, block.data + run.block_offset, run.bytes});
    }
  write_runs();
}

void FileSink::write_runs() {
  const auto call = access_.call(staging::WriterActivity::write);
  if (!access_.limit().is_set()) {
    mover_.write(runs_);
  } else {
    for (std::vector<DataRun>& slice : cut_into_slices(runs_, access_.limit().slice_bytes())) {
      std::int64_t bytes = 0;
      for (const DataRun& run : slice) bytes += run.bytes;
      access_.pace(bytes);
      mover_.write(slice);
    }
  }
  runs_.clear();
}

void FileSink::fill(const block::PlannedBlock& block, const block::PlaceInFile& place) {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < block.map.run_count; ++i) longest = std::max(longest, block.map.run(i).bytes);
  const std::vector<std::byte> piece = piece_of(block, plan_.files.big_endian, longest);
  for (std::int64_t i = 0; i < block.map.run_count; ++i) {
    const block::Run run = block.map.run(i);
    const std::int64_t begin = block::begin_of_run(block, plan_.files.chunked(), place, i) + run.file_offset;
    for (std::int64_t done = 0; done < run.bytes; done += std::ssize(piece))
      runs_.push_back({begin + done, piece.data(), std::min<std::int64_t>(std::ssize(piece), run.bytes - done)});
  }
  write_runs();
}

void FileSink::commit(const block::Transaction& transaction) {
  require_same(mover_.identity(), mover_.path());
  apply(mover_, transaction, &journal_, plan_.files.durability == config::Durability::record);
}

}  // namespace thalweg::storage
