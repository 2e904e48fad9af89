#include "config/writer_policy.hpp"

#include <algorithm>

namespace thalweg::config {
namespace {

std::size_t idlest(const RecordToWrite& record) {
  return static_cast<std::size_t>(std::ranges::min_element(record.bytes_to_write) - record.bytes_to_write.begin());
}

constexpr WriterPolicyDescription rows[] = {
    {.name = "least-loaded", .meaning = "the one with the fewest bytes a step to write of the collections before"},
    {.name = "in-turn", .meaning = "each in turn", .by_load = false},
    {.name = "idle",
     .meaning = "as least-loaded, but each record goes to the server that has the least to write when the record "
                "begins",
     .writer_of = idlest},
};

}  // namespace

const std::vector<WriterPolicy>& writer_policies() {
  static const std::vector<WriterPolicy> all(std::begin(rows), std::end(rows));
  return all;
}

WriterPolicy writer_policy(std::string_view name) {
  return *std::ranges::find_if(writer_policies(), [&](WriterPolicy policy) { return policy->name == name; });
}

}  // namespace thalweg::config
