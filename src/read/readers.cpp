#include "read/readers.hpp"

#include <algorithm>
#include <map>

namespace thalweg::read {
namespace {

// A field that one rank reads and sends in the time in which others would have opened the file.
constexpr std::int64_t serial_bytes = std::int64_t{4} << 20;
constexpr int ranks_of_reader = 8;  // on a node

// As few as these are no burden to the storage, and spare the messages.
bool are_few(const std::vector<int>& node_of) {
  return std::ssize(node_of) <= ranks_of_reader && std::ranges::all_of(node_of, [](int node) { return node == 0; });
}

}  // namespace

Readers readers_of(config::Reading reading, std::int64_t bytes, const std::vector<int>& node_of, bool is_loose) {
  const bool is_small = bytes <= serial_bytes;
  if (reading == config::Reading::automatic)
    reading = is_small                       ? config::Reading::serial
              : is_loose && are_few(node_of) ? config::Reading::independent
                                             : config::Reading::domain;
  if (reading == config::Reading::independent) return {.alone = true, .ranks = {}};
  if (reading == config::Reading::serial) return {.alone = false, .ranks = {0}};
  Readers readers;
  std::map<int, int> seen;  // ranks of each node
  for (int rank = 0; rank < static_cast<int>(node_of.size()); ++rank)
    if (seen[node_of[static_cast<std::size_t>(rank)]]++ % ranks_of_reader == 0) readers.ranks.push_back(rank);
  return readers;
}

int threads_to_decode(const Readers& readers, int rank, const std::vector<int>& node_of, std::int64_t processors) {
  const auto node = [&](int of) { return node_of[static_cast<std::size_t>(of)]; };
  const auto is_here = [&](int reader) { return node(reader) == node(rank); };
  const auto reading =
      readers.alone ? std::ranges::count(node_of, node(rank)) : std::ranges::count_if(readers.ranks, is_here);
  return static_cast<int>(std::max<std::int64_t>(1, processors / std::max<std::int64_t>(1, reading)));
}

}  // namespace thalweg::read
