// How quick the storage takes records, of which the quickest is kept. Pure.
#pragma once

#include <cstdint>
#include <map>

namespace thalweg::profile {

// Of one writer: what it gave the storage for a record, and how long it was in the calls that write it.
struct BestRecord {
  std::int64_t record = -1;  // over all files of the collection; -1: there is none
  double bytes = 0.0;
  double write_s = 0.0;

  double bytes_per_s() const { return write_s > 0.0 ? bytes / write_s : 0.0; }
};

BestRecord quicker(const BestRecord& one, const BestRecord& other);

// Bytes of records, as the model put them.
using BytesOfRecords = std::map<std::int64_t, std::int64_t>;

class RecordRates {
 public:
  // A batch: small records are written together, and have the rate of all.
  void add(const BytesOfRecords& batch, std::int64_t bytes, double write_s);
  BestRecord best() const;

 private:
  void retire_oldest();

  std::map<std::int64_t, BestRecord> under_way_;
  BestRecord best_;
};

}  // namespace thalweg::profile
