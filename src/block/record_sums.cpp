#include "block/record_sums.hpp"

#include <limits>

namespace thalweg::block {
namespace {

std::vector<std::int64_t> coded(const Sums& sums) {
  return {sums.begin(), sums.end()};
}

Sums decoded(std::span<const std::int64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace

FileSums of_one_record(FileSums sums) {
  for (const Sums& record : sums.records)
    for (std::size_t v = 0; v < record.size(); ++v) sums.fixed[v] += record[v];
  sums.records.clear();
  return sums;
}

Sums& RecordSums::at(const Place& place) {
  if (last_ == sums_.end() || last_->first != place) last_ = sums_.try_emplace(place, variables_).first;
  return last_->second;
}

void RecordSums::add(const Place& place, int variable, std::uint64_t sum) {
  at(place)[static_cast<std::size_t>(variable)] += sum;
}

void RecordSums::add(const Place& place, const Sums& sums) {
  for (std::size_t v = 0; v < sums.size(); ++v) add(place, static_cast<int>(v), sums[v]);
}

Sums RecordSums::look_at(const Place& place) const {
  const auto found = sums_.find(place);
  return found == sums_.end() ? Sums(variables_) : found->second;
}

Sums RecordSums::take(const Place& place) {
  last_ = sums_.end();
  auto found = sums_.extract(place);
  return found.empty() ? Sums(variables_) : std::move(found.mapped());
}

FileSums RecordSums::take_file(std::int64_t file, int part, std::int64_t records) {
  FileSums whole{take({file, part, fixed_record}), {}};
  for (std::int64_t index = 0; index < records; ++index) whole.records.push_back(take({file, part, index}));
  const Place last{file, part, std::numeric_limits<std::int64_t>::max()};
  sums_.erase(sums_.lower_bound({file, part, fixed_record}), sums_.upper_bound(last));
  return whole;
}

std::vector<std::int64_t> coded(const FileSums& sums) {
  std::vector<std::int64_t> numbers = coded(sums.fixed);
  for (const Sums& record : sums.records) numbers.insert(numbers.end(), record.begin(), record.end());
  return numbers;
}

FileSums decoded(std::span<const std::int64_t> numbers, std::size_t variables) {
  FileSums sums{decoded(numbers.first(variables)), {}};
  for (auto rest = numbers.subspan(variables); !rest.empty(); rest = rest.subspan(variables))
    sums.records.push_back(decoded(rest.first(variables)));
  return sums;
}

}  // namespace thalweg::block
