// How many records of each collection staging holds at once, from the budget in bytes. Pure arithmetic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg::staging {

struct Demand {
  std::string collection;
  std::int64_t record_bytes = 0;  // of this node, for one record
  std::int64_t fixed_bytes = 0;   // variables without record dimension, and messages
  std::int64_t wish = 0;          // records-ahead; 0: auto
  std::int64_t blocks = 0;        // of this node, of one record
};

// Auto, as a rule: two records (one is filled while the other is written), more of small ones: up to auto_bytes and
// auto_records.
constexpr std::int64_t auto_bytes = std::int64_t{32} << 20;
constexpr std::int64_t auto_records = 256;

// Depth for each demand, at least one. First every collection gets one record, then rounds of one more each while the
// budget lasts. used_bytes: of it, by earlier collections. kept_bytes: no rounds take them, for later ones. Errors:
// MEMORY if not even one record of each fits; the text lists what each needs.
std::vector<std::int64_t> share_budget(const std::vector<Demand>& demands, std::int64_t budget_bytes,
                                       std::int64_t used_bytes = 0, std::int64_t kept_bytes = 0);

// What it takes to give each as many records as it wants.
std::int64_t wanted_bytes(const std::vector<Demand>& demands);
// What depths take.
std::int64_t bytes_of(const std::vector<Demand>& demands, const std::vector<std::int64_t>& depths);

// How many records more those with auto may hold while a burst lasts: rounds of one each as long as the bytes are
// enough, up to auto_records, and no more than burst_blocks blocks, each of which has a state.
std::vector<std::int64_t> share_for_bursts(const std::vector<Demand>& demands, const std::vector<std::int64_t>& depths,
                                           std::int64_t bytes);
constexpr std::int64_t burst_blocks = std::int64_t{1} << 16;

// "1.5 GiB", for messages.
std::string readable_bytes(std::int64_t bytes);

}  // namespace thalweg::staging
