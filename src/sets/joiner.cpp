#include "sets/joiner.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "sets/pasting.hpp"

namespace thalweg::sets {
namespace {

using catalog::Definition;
using catalog::Variable;

// A run, a piece of it, and a copy of that piece to compare with are in memory at once.
std::int64_t run_bytes_of(std::int64_t memory_bytes) {
  return std::max(memory_bytes, std::int64_t{1} << 20) / 4;
}

std::int64_t records_of(const Variable& variable, std::int64_t records) {
  return variable.has_record ? records : 1;
}

std::uint64_t sum_of(formats::ReadableFile& file, int v, std::int64_t records, std::int64_t run_bytes) {
  const Variable& variable = file.definition().variable(v);
  const std::size_t element_bytes = size_of(variable.type);
  const std::vector<Box> runs =
      cut_into_runs(file.definition().shape(variable), run_bytes / static_cast<std::int64_t>(element_bytes));
  std::vector<std::byte> values;
  std::uint64_t sum = 0;
  for (std::int64_t record = 0; record < records; ++record)
    for (const Box& run : runs) {
      values.resize(static_cast<std::size_t>(run.cells()) * element_bytes);
      file.read(v, record, run, values);
      sum += bit_sum(values, element_bytes);
    }
  return sum;
}

}  // namespace

Joiner::Joiner(FileSet& set, std::int64_t memory_bytes) : set_(set), run_bytes_(run_bytes_of(memory_bytes)) {
  for (const Variable& variable : set.whole.variables) sources_.push_back(sources_of(variable, set.parts));
}

BitSums Joiner::join(const Use& use) {
  sums_.assign(set_.whole.variables.size(), 0);
  for (int v = 0; v < std::ssize(set_.whole.variables); ++v)
    if (!set_.whole.variable(v).has_record) join_variable(v, 0, use);
  for (std::int64_t record = 0; record < set_.records; ++record)
    for (int v = 0; v < std::ssize(set_.whole.variables); ++v)
      if (set_.whole.variable(v).has_record) join_variable(v, record, use);
  return sums_;
}

void Joiner::join_variable(int v, std::int64_t record, const Use& use) {
  const Variable& variable = set_.whole.variable(v);
  const auto element_bytes = static_cast<std::int64_t>(size_of(variable.type));
  for (const Box& run : cut_into_runs(set_.whole.shape(variable), run_bytes_ / element_bytes)) {
    run_.resize(static_cast<std::size_t>(run.cells() * element_bytes));
    join_run(v, record, run, run_);
    use(v, record, run, run_);
  }
}

void Joiner::join_run(int v, std::int64_t record, const Box& run, std::span<std::byte> values) {
  const Variable& variable = set_.whole.variable(v);
  const std::size_t element_bytes = size_of(variable.type);
  const Element filled = fill_of(variable);
  std::uint64_t& sum = sums_[static_cast<std::size_t>(v)];
  fill(values, filled, element_bytes);
  std::int64_t holes = run.cells();
  for (const Source& source : sources_[static_cast<std::size_t>(v)])
    if (const auto common = intersect(run, source.box)) {
      const std::span<const std::byte> piece = read_piece(v, record, source, *common);
      sum += bit_sum(piece, element_bytes);
      paste(run, values, *common, piece, static_cast<std::int64_t>(element_bytes));
      holes -= common->cells();
    }
  sum += static_cast<std::uint64_t>(holes) * bits_of(filled, variable.type);
}

std::span<const std::byte> Joiner::read_piece(int v, std::int64_t record, const Source& source, const Box& common) {
  const Box local = shifted(common, source.box.start);
  piece_.resize(static_cast<std::size_t>(local.cells()) * size_of(set_.whole.variable(v).type));
  read_from(source.part, v, record, local, piece_);
  for (const int copy : source.copies) compare_copy(v, record, source, copy, local);
  return piece_;
}

void Joiner::read_from(int part, int v, std::int64_t record, const Box& box, std::span<std::byte> values) {
  set_.reading(set_.parts[static_cast<std::size_t>(part)].file);
  set_.files[static_cast<std::size_t>(part)]->read(v, record, box, values);
}

void Joiner::compare_copy(int v, std::int64_t record, const Source& source, int copy, const Box& box) {
  copy_.resize(piece_.size());
  read_from(copy, v, record, box, copy_);
  if (std::memcmp(copy_.data(), piece_.data(), piece_.size()) != 0)
    fail(THALWEG_ERROR_FORMAT, "'{}' and '{}' both hold variable '{}', but not the same values in record {}",
         set_.parts[static_cast<std::size_t>(source.part)].file, set_.parts[static_cast<std::size_t>(copy)].file,
         set_.whole.variable(v).name, record);
}

void verify_result(const std::string& path, const Definition& whole, std::int64_t records, const BitSums& sums,
                   std::int64_t memory_bytes) {
  const std::unique_ptr<formats::ReadableFile> file = formats::open_readable(path);
  check_alike(whole, "the set", file->definition(), path);
  if (file->records() != records)
    fail(THALWEG_ERROR_FORMAT, "'{}' was made with {} records, but reads as one with {}", path, records,
         file->records());
  for (int v = 0; v < std::ssize(whole.variables); ++v) {
    const Variable& variable = whole.variable(v);
    const std::uint64_t found = sum_of(*file, v, records_of(variable, records), run_bytes_of(memory_bytes));
    const std::uint64_t wanted = sums[static_cast<std::size_t>(v)];
    if (found != wanted)
      fail(THALWEG_ERROR_FORMAT,
           "variable '{}' of '{}' is not what the parts hold: the sum of its bits is {:016x}, but that of the parts is "
           "{:016x}",
           variable.name, path, found, wanted);
  }
}

}  // namespace thalweg::sets
