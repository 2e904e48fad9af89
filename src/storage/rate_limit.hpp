// Holds writes back so that no more than so many bytes a second go to the storage. Time in which nothing was written
// gives no credit: what is limited is the load on the storage, so there are no bursts to catch up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/mover.hpp"

namespace thalweg::storage {

class RateLimit {
 public:
  // bytes_per_s 0: no limit.
  explicit RateLimit(std::int64_t bytes_per_s) : bytes_per_s_(bytes_per_s) {}

  bool is_set() const { return bytes_per_s_ != 0; }

  // Bytes that are to go to the storage at once: those of a tenth of a second, but enough for the device.
  std::int64_t slice_bytes() const;

  // How long these bytes have to wait, now that it is now_s; counts them.
  double claim_s(std::int64_t bytes, double now_s);

 private:
  std::int64_t bytes_per_s_;
  double free_from_s_ = 0.0;  // when the bytes claimed so far have had their time
};

// Cuts runs into slices of at most so many bytes (a page or more), in the order of the file; long runs are cut at pages
// of the file.
std::vector<std::vector<DataRun>> cut_into_slices(std::span<DataRun> runs, std::int64_t slice_bytes);

}  // namespace thalweg::storage
