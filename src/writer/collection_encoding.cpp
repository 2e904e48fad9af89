// CollectionWriter: complete blocks whose chunks are encoded before they are written.
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "writer/collection_writer.hpp"

namespace thalweg::writer {
namespace {

EncodingTask task_of(const store::PlannedBlock& block, const store::CollectionPlan& plan) {
  return {block.encoding, block.type, block.fill, plan.checksum_first, plan.zarr != nullptr, plan.summed != nullptr};
}

std::span<std::byte> chunk_of(const store::PlannedBlock& block, std::byte* data, std::int64_t position) {
  const std::int64_t room = block.map.run_block_stride[0];
  return {data + position * room, static_cast<std::size_t>(room)};
}

// describe() says which block it is of; that is asked only when something is wrong.
template <typename Describe>
EncodedSize encoded_or_error(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes,
                             EncodingTools& tools, const Describe& describe) {
  try {
    return encode_chunk(task, chunk, bytes, tools);
  } catch (...) {
    const Error error = error_in_flight();
    throw Error(error.code(),
                fmt::format("a chunk of {} bytes cannot be encoded: {}: {}", bytes, describe(), error.what()));
  }
}

bool is_encoded(const store::PlannedBlock& block) {
  return block.encoding.changes_size() || block.encoding.rounds();
}

}  // namespace

// Blocks that nobody feeds hold nothing but fill values: they are encoded once. Those of records not in their slots,
// which several writers may share.
void CollectionWriter::encode_unfed() {
  const auto is_unfed = [](const store::PlannedBlock& block) { return block.expected == 0 && is_encoded(block); };
  for (std::size_t b = 0; b < plan_.record_blocks.size(); ++b)
    if (const store::PlannedBlock& block = plan_.record_blocks[b]; is_unfed(block)) {
      std::vector<std::byte>& data = unfed_[static_cast<std::int64_t>(b)];
      data.resize(static_cast<std::size_t>(block.map.bytes));
      unfed_sizes_[static_cast<std::int64_t>(b)] = encode_here({0, static_cast<std::int64_t>(b)}, data.data());
    }
  for (std::size_t b = 0; b < plan_.fixed_blocks.size(); ++b)
    if (const store::PlannedBlock& block = plan_.fixed_blocks[b]; is_unfed(block))
      fixed_sizes_[static_cast<std::int64_t>(b)] = encode_here({store::fixed_record, static_cast<std::int64_t>(b)},
                                                               plan_.fixed_ring.slot_data(0) + block.slot_offset);
}

std::vector<EncodedSize> CollectionWriter::encode_here(const ReadyBlock& of, std::byte* data) {
  EncodingTools tools;
  const store::PlannedBlock& block = planned(plan_, of);
  fill_holes_of(block, data);
  std::vector<EncodedSize> sizes;
  for (std::int64_t k = 0; k < block.map.run_count; ++k)
    sizes.push_back(encoded_or_error(task_of(block, plan_), chunk_of(block, data, k),
                                     static_cast<std::size_t>(block.map.run_bytes), tools,
                                     [&] { return describe(plan_, of); }));
  return sizes;
}

// The block is complete: its chunks go to the pool, or, if they stay as they are, to what can be written.
void CollectionWriter::prepare(const ReadyBlock& ready) {
  const store::PlannedBlock& block = planned(plan_, ready);
  if (!is_encoded(block) || block.expected == 0) {
    if (ready.is_fixed())
      fixed_complete_[static_cast<std::size_t>(ready.block)] = true;
    else
      add_ready(ready);
    return tell_sizes_if_known(ready.record);
  }
  if (ready.is_fixed()) ++fixed_in_pool_;
  std::byte* data = block_data(ready);
  fill_holes(ready, data);
  hole_phase(ready) = -1;  // encoding overwrites them
  auto encoding = std::make_shared<Encoding>();
  encoding->of = ready;
  encoding->sizes.resize(static_cast<std::size_t>(block.map.run_count));
  encoding->left = block.map.run_count;
  const EncodingTask task = task_of(block, plan_);
  for (std::int64_t k = 0; k < block.map.run_count; ++k)
    pool_.submit([this, encoding, task, k, chunk = chunk_of(block, data, k),
                  bytes = static_cast<std::size_t>(block.map.run_bytes)](EncodingTools& tools) {
      const double start_s = now_s();
      encoding->sizes[static_cast<std::size_t>(k)] =
          encoded_or_error(task, chunk, bytes, tools, [&] { return describe(plan_, encoding->of); });
      encoding->seconds.fetch_add(now_s() - start_s, std::memory_order_relaxed);
      if (encoding->left.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
      {
        const std::lock_guard lock(encoded_mutex_);
        encoded_.push_back(encoding);
      }
      control_.ring();
    });
}

bool CollectionWriter::take_encoded() {
  std::vector<std::shared_ptr<Encoding>> encoded;
  {
    const std::lock_guard lock(encoded_mutex_);
    encoded = std::exchange(encoded_, {});
  }
  for (const auto& encoding : encoded) take(*encoding);
  return !encoded.empty();
}

void CollectionWriter::take(const Encoding& encoding) {
  counters_.encode_s += encoding.seconds.load(std::memory_order_relaxed);
  counters_.raw_bytes += planned(plan_, encoding.of).map.run_bytes * planned(plan_, encoding.of).map.run_count;
  for (const EncodedSize& size : encoding.sizes) counters_.encoded_bytes += size.bytes;
  if (encoding.of.is_fixed()) {
    fixed_sizes_[encoding.of.block] = encoding.sizes;
    fixed_complete_[static_cast<std::size_t>(encoding.of.block)] = true;
    --fixed_in_pool_;
  } else {
    record(encoding.of.record).sizes[encoding.of.block] = encoding.sizes;
    add_ready(encoding.of);
  }
  tell_sizes_if_known(encoding.of.record);
  if (!encoding.of.is_fixed() || fixed_in_pool_ > 0) return;
  for (const auto& [number, held] : records_) tell_sizes_if_known(number);
}

// The home places a record when it has heard of all its sizes.
void CollectionWriter::tell_sizes_if_known(std::int64_t number) {
  const bool fixed = number == store::fixed_record;
  if (!(fixed ? plan_.fixed_sizes_first : plan_.sizes_first)) return;
  bool& told = fixed ? told_fixed_sizes_ : record(number).told_sizes;
  if (told || (!fixed && (fixed_in_pool_ > 0 || !record(number).is_claimed.has_value()))) return;
  const auto& blocks = fixed ? plan_.fixed_blocks : plan_.record_blocks;
  store::ChunksEncoded event{number_, number, {}};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].encoding.changes_size()) continue;
    if (!fixed && !writes(static_cast<std::int64_t>(b), record(number))) continue;
    const std::vector<EncodedSize>* sizes = sizes_of({number, static_cast<std::int64_t>(b)});
    if (sizes == nullptr) return;
    for (const EncodedSize& size : *sizes) event.sizes.push_back(store::code_of(size.bytes, size.codec_skipped));
  }
  told = true;
  book_.tell(std::move(event));
  control_.tell_news();
}

const std::vector<EncodedSize>* CollectionWriter::sizes_of(const ReadyBlock& ready) const {
  const auto in = [&](const std::map<std::int64_t, std::vector<EncodedSize>>& map) {
    const auto found = map.find(ready.block);
    return found == map.end() ? nullptr : &found->second;
  };
  if (ready.is_fixed()) return in(fixed_sizes_);
  if (planned(plan_, ready).expected == 0) return in(unfed_sizes_);
  const auto found = records_.find(ready.record);
  return found == records_.end() ? nullptr : in(found->second.sizes);
}

}  // namespace thalweg::writer
