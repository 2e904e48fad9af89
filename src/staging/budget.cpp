#include "staging/budget.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"

namespace thalweg::staging {
namespace {

std::int64_t wanted_depth(const Demand& demand) {
  if (demand.wish > 0) return demand.wish;
  if (demand.record_bytes == 0) return 2;
  return std::clamp(auto_bytes / demand.record_bytes, std::int64_t{2}, auto_records);
}

[[noreturn]] void refuse(const std::vector<Demand>& demands, std::int64_t needed, std::int64_t budget,
                         std::int64_t used) {
  std::string text =
      fmt::format("staging: {} ({} bytes) a node cannot hold one record of each collection, which takes {} ({} bytes):",
                  readable_bytes(budget), budget, readable_bytes(needed), needed);
  if (used > 0)
    text += fmt::format(
        "\n  earlier collections of this session: {}, until it ends, and more of a larger 'staging'; those that end "
        "their definitions together share it",
        readable_bytes(used));
  for (const Demand& demand : demands)
    text += fmt::format("\n  collection '{}': {} a record, {} of fixed variables and messages", demand.collection,
                        readable_bytes(demand.record_bytes), readable_bytes(demand.fixed_bytes));
  const bool in_turns = std::ranges::adjacent_find(demands, std::equal_to<>(), &Demand::collection) != demands.end();
  throw Error(
      THALWEG_ERROR_MEMORY,
      text + fmt::format(
                 "\nset 'staging: {} MiB' or more, with 'staging-folder' on a disk of the node where its memory is too "
                 "small, or use more nodes{}",
                 (needed + (1 << 20) - 1) >> 20,
                 in_turns ? ", or 'turns: collections' where each group of servers has its own" : ""));
}

bool can_burst(const Demand& demand, std::int64_t depth) {
  return demand.wish == 0 && demand.record_bytes > 0 && depth < auto_records &&
         (depth + 1) * demand.blocks <= burst_blocks;
}

// Rounds of one record more for each that may have one, as long as the bytes are enough.
void grow(const std::vector<Demand>& demands, std::int64_t bytes, bool (*may_grow)(const Demand&, std::int64_t depth),
          std::vector<std::int64_t>& depths) {
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < demands.size(); ++i) {
      if (!may_grow(demands[i], depths[i]) || demands[i].record_bytes > bytes) continue;
      bytes -= demands[i].record_bytes;
      ++depths[i];
      grown = true;
    }
  }
}

}  // namespace

std::vector<std::int64_t> share_budget(const std::vector<Demand>& demands, std::int64_t budget_bytes,
                                       std::int64_t used_bytes, std::int64_t kept_bytes) {
  std::int64_t left = budget_bytes - used_bytes;
  for (const Demand& demand : demands) left -= demand.record_bytes + demand.fixed_bytes;
  if (left < 0) refuse(demands, budget_bytes - left, budget_bytes, used_bytes);
  std::vector<std::int64_t> depths(demands.size(), 1);
  const auto is_wanted = [](const Demand& demand, std::int64_t depth) { return depth < wanted_depth(demand); };
  grow(demands, left - kept_bytes, is_wanted, depths);
  return depths;
}

std::int64_t wanted_bytes(const std::vector<Demand>& demands) {
  std::vector<std::int64_t> depths;
  for (const Demand& demand : demands) depths.push_back(wanted_depth(demand));
  return bytes_of(demands, depths);
}

std::int64_t bytes_of(const std::vector<Demand>& demands, const std::vector<std::int64_t>& depths) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < demands.size(); ++i)
    bytes += demands[i].fixed_bytes + depths[i] * demands[i].record_bytes;
  return bytes;
}

std::vector<std::int64_t> share_for_bursts(const std::vector<Demand>& demands, const std::vector<std::int64_t>& depths,
                                           std::int64_t bytes) {
  std::vector<std::int64_t> most = depths;
  grow(demands, bytes, can_burst, most);
  for (std::size_t i = 0; i < most.size(); ++i) most[i] -= depths[i];
  return most;
}

std::string readable_bytes(std::int64_t bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024.0 && unit < 4; ++unit) value /= 1024.0;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.4g} {}", value, units[unit]);
}

}  // namespace thalweg::staging
