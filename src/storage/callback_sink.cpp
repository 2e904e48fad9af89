#include "storage/callback_sink.hpp"

#include <algorithm>
#include <exception>

#include "base/error.hpp"
#include "base/seconds.hpp"
#include "base/told.hpp"

namespace thalweg::storage {
namespace {

static_assert(max_rank == THALWEG_MAX_RANK);

void copy_index(const Index& from, std::int64_t* to) {
  std::copy(from.begin(), from.end(), to);
}

// "BLOCK of variable 'temp', record 3", for messages.
std::string describe_event(const thalweg_block& block) {
  switch (block.event) {
    case THALWEG_EVENT_BEGIN: return "BEGIN";
    case THALWEG_EVENT_RECORD: return fmt::format("RECORD of record {}", told::number(block.record));
    case THALWEG_EVENT_END: return "END";
    case THALWEG_EVENT_BLOCK: break;
  }
  const std::string what = fmt::format("BLOCK of variable '{}'", block.variable);
  return block.record == block::fixed_record ? what : fmt::format("{}, record {}", what, told::number(block.record));
}

}  // namespace

thalweg_block CallbackSink::event(thalweg_event kind, const block::PlaceInFile& place) const {
  thalweg_block block{};
  block.event = kind;
  block.record = place.is_fixed() ? place.record : place.record + plan_.files.callback->earlier_records;
  block.record_in_file = place.is_fixed() ? block::fixed_record : place.index_in_file;
  block.time_s = place.time_s;
  block.collection = plan_.name.c_str();
  block.file = file_.c_str();
  return block;
}

void CallbackSink::begin() {
  if (std::exchange(has_begun_, true)) return;
  call(event(THALWEG_EVENT_BEGIN, {}));
}

void CallbackSink::write(std::span<const BlockToWrite> blocks) {
  for (const BlockToWrite& block : blocks) give(block);
}

void CallbackSink::give(const BlockToWrite& of) {
  begin();
  const block::PlannedBlock& block = *of.block;
  const auto variable = static_cast<std::size_t>(block.variable);
  thalweg_block told = event(THALWEG_EVENT_BLOCK, of.place);
  told.variable = plan_.files.callback->names[variable].c_str();
  told.type = static_cast<thalweg_type>(block.type);
  const JoinedDimensions& joined = plan_.files.callback->joined[variable];
  const Box region = joined.in_file(block.region);
  told.rank = region.rank();
  copy_index(region.start, told.start);
  copy_index(region.count, told.count);
  copy_index(plan_.files.callback->shapes[variable], told.shape);
  copy_index(joined.stride_in_file(block.map.stride), told.stride);
  told.checksum = of.checksum;
  told.data = of.data;
  call(told);
  counts_.buffered_bytes += block.map.bytes;
}

void CallbackSink::end_record(const block::PlaceInFile& place) {
  begin();
  call(event(THALWEG_EVENT_RECORD, place));
}

void CallbackSink::close() {
  if (std::exchange(has_ended_, true)) return;
  begin();
  call(event(THALWEG_EVENT_END, {}));
}

// A procedure in C++ may throw instead of returning a code.
void CallbackSink::call(const thalweg_block& block) {
  std::string result;
  try {
    const auto access = access_.call(staging::WriterActivity::write);
    const Timer timer(counts_.write_s);
    ++counts_.write_calls;
    const int code = plan_.files.callback->call(&block, plan_.files.callback->user);
    if (code == 0) return;
    result = fmt::format("returned {}", code);
  } catch (const std::exception& error) {
    result = fmt::format("threw '{}'", error.what());
  } catch (...) {
    result = "threw what is no std::exception";
  }
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}', file '{}': the model's write procedure {} at {}; it is not called again, and what it wrote is "
       "the model's to look after",
       plan_.name, file_, result, describe_event(block));
}

}  // namespace thalweg::storage
