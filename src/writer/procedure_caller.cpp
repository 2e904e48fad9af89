#include "writer/procedure_caller.hpp"

#include <algorithm>
#include <exception>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace thalweg::writer {
namespace {

static_assert(max_rank == THALWEG_MAX_RANK);

void copy(const Index& from, std::int64_t* to) {
  std::copy(from.begin(), from.end(), to);
}

// "BLOCK of variable 'temp', record 3", for messages.
std::string describe(const thalweg_block& block) {
  switch (block.event) {
    case THALWEG_EVENT_BEGIN: return "BEGIN";
    case THALWEG_EVENT_RECORD: return fmt::format("RECORD of record {}", block.record);
    case THALWEG_EVENT_END: return "END";
    case THALWEG_EVENT_BLOCK: break;
  }
  const std::string what = fmt::format("BLOCK of variable '{}'", block.variable);
  return block.record == store::fixed_record ? what : fmt::format("{}, record {}", what, block.record);
}

}  // namespace

thalweg_block ProcedureCaller::event(thalweg_event kind, const RecordPlace& place) const {
  thalweg_block block{};
  block.event = kind;
  block.record = place.record;
  block.record_in_file = place.index_in_file;
  block.time_s = place.time_s;
  block.collection = collection_.c_str();
  block.file = file_.c_str();
  return block;
}

void ProcedureCaller::begin() {
  if (std::exchange(has_begun_, true)) return;
  call(event(THALWEG_EVENT_BEGIN, {}));
}

void ProcedureCaller::block(const store::PlannedBlock& block, const RecordPlace& place, const std::byte* data,
                            std::uint64_t checksum) {
  begin();
  const auto variable = static_cast<std::size_t>(block.variable);
  thalweg_block told = event(THALWEG_EVENT_BLOCK, place);
  told.variable = procedure_->names[variable].c_str();
  told.type = static_cast<thalweg_type>(block.type);
  told.rank = block.region.rank();
  copy(block.region.start, told.start);
  copy(block.region.count, told.count);
  copy(procedure_->shapes[variable], told.shape);
  copy(block.map.stride, told.stride);
  told.checksum = checksum;
  told.data = data;
  call(told);
  counts_.buffered_bytes += block.map.bytes;
}

void ProcedureCaller::record(const RecordPlace& place) {
  begin();
  call(event(THALWEG_EVENT_RECORD, place));
}

void ProcedureCaller::end() {
  if (std::exchange(has_ended_, true)) return;
  begin();
  call(event(THALWEG_EVENT_END, {}));
}

// A procedure in C++ may throw instead of returning a code.
void ProcedureCaller::call(const thalweg_block& block) {
  std::string result;
  try {
    const auto access = access_.call(staging::WriterActivity::write);
    const Timer timer(counts_.write_s);
    ++counts_.calls;
    const int code = procedure_->call(&block, procedure_->user);
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
       collection_, file_, result, describe(block));
}

}  // namespace thalweg::writer
