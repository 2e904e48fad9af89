#include "profile/record_rates.hpp"

namespace thalweg::profile {
namespace {

// Writers are not further apart in records than staging holds of them.
constexpr std::size_t most_under_way = 64;

}  // namespace

BestRecord quicker(const BestRecord& one, const BestRecord& other) {
  return other.bytes_per_s() > one.bytes_per_s() ? other : one;
}

void RecordRates::add(const BytesOfRecords& batch, std::int64_t bytes, double write_s) {
  double all = 0.0;
  for (const auto& [record, values] : batch) all += static_cast<double>(values);
  if (all <= 0.0) return;
  for (const auto& [record, values] : batch) {
    const double share = static_cast<double>(values) / all;
    BestRecord& of = under_way_[record];
    of.record = record;
    of.bytes += share * static_cast<double>(bytes);
    of.write_s += share * write_s;
  }
  while (under_way_.size() > most_under_way) retire_oldest();
}

void RecordRates::retire_oldest() {
  best_ = quicker(best_, under_way_.begin()->second);
  under_way_.erase(under_way_.begin());
}

BestRecord RecordRates::best() const {
  BestRecord found = best_;
  for (const auto& [record, of] : under_way_) found = quicker(found, of);
  return found;
}

}  // namespace thalweg::profile
