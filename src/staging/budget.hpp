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
};

// Auto: two records (one is filled while the other is written), more of small ones: up to auto_bytes and auto_records.
constexpr std::int64_t auto_bytes = std::int64_t{32} << 20;
constexpr std::int64_t auto_records = 256;

// Depth for each demand, at least one. First every collection gets one record, then rounds of one more each while the
// budget lasts. used_bytes: of it, by earlier collections. Errors: MEMORY if not even one record of each fits; the text
// lists what each needs.
std::vector<std::int64_t> share_budget(const std::vector<Demand>& demands, std::int64_t budget_bytes,
                                       std::int64_t used_bytes = 0);

// "1.5 GiB", for messages.
std::string readable_bytes(std::int64_t bytes);

}  // namespace thalweg::staging
