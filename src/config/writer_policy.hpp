// Who writes which record. A policy is a row of writer_policy.cpp, with the function by which it chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "config/row.hpp"

namespace thalweg::config {

// What a choice goes by.
struct RecordToWrite {
  std::int64_t number = 0;
  // By each of the node's writers, which has been given them and has not written them yet.
  std::span<const std::int64_t> bytes_to_write;
};

struct WriterPolicyDescription {
  std::string_view name;     // in the configuration, as a value of `writers.assign`
  std::string_view meaning;  // in the reference
  // A collection goes to the node and the writer of its group with the least to write a step; else to the next one.
  bool by_load = true;
  // Which of the node's writers gets a record, its place among them. Whoever has the first piece of the record asks;
  // several may at once, and the first answer counts. Null: records stay with the writer of their collection.
  std::size_t (*writer_of)(const RecordToWrite& record) = nullptr;
};
using WriterPolicy = Row<WriterPolicyDescription>;

// All there are, in the order of the reference; the first is the default.
const std::vector<WriterPolicy>& writer_policies();
// There is one of this name.
WriterPolicy writer_policy(std::string_view name);

}  // namespace thalweg::config
