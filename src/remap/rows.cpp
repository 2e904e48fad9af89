#include "remap/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::remap {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Of the same pair one.
void join_twins(std::vector<Entry>& entries) {
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept > 0 && entries[kept - 1].target == entry.target && entries[kept - 1].source == entry.source)
      entries[kept - 1].weight += entry.weight;
    else
      entries[kept++] = entry;
  }
  entries.resize(kept);
}

}  // namespace

Rows::Rows(std::int64_t first, std::int64_t cells, std::vector<Entry> entries, bool normalised) {
  std::erase_if(entries,
                [&](const Entry& of) { return of.target < first || of.target >= first + cells || of.weight == 0.0; });
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return a.target != b.target ? a.target < b.target : a.source < b.source;
  });
  join_twins(entries);
  for (const Entry& entry : entries) sources_.push_back(entry.source);
  std::ranges::sort(sources_);
  sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
  sources_.shrink_to_fit();
  auto entry = entries.begin();
  for (std::int64_t row = first; row < first + cells; ++row) {
    const auto begin = entry;
    double sum = 0.0;
    for (; entry != entries.end() && entry->target == row; ++entry) sum += entry->weight;
    for (auto of = begin; of != entry; ++of) {
      places_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(sources_, of->source) - sources_.begin()));
      weights_.push_back(normalised ? of->weight / sum : of->weight);
    }
    begins_.push_back(places_.size());
  }
}

void Rows::apply(std::span<const double> values, const MissingRule& rule, std::span<double> results) const {
  for (std::size_t row = 0; row < results.size(); ++row) results[row] = result(row, values, rule);
}

double Rows::result(std::size_t row, std::span<const double> values, const MissingRule& rule) const {
  double sum = 0.0, all = 0.0, valid = 0.0, size = 0.0, valid_size = 0.0;
  for (std::size_t at = begins_[row]; at < begins_[row + 1]; ++at) {
    const double value = values[places_[at]], weight = weights_[at];
    all += weight;
    size += std::abs(weight);
    if (std::isnan(value)) continue;
    sum += weight * value;
    valid += weight;
    valid_size += std::abs(weight);
  }
  if (valid_size == 0.0) return none;
  if (valid_size == size) return sum;
  const bool is_enough = !rule.propagates && valid_size >= rule.least_valid * size && valid * all > 0.0;
  return is_enough ? sum * (all / valid) : none;
}

}  // namespace thalweg::remap
