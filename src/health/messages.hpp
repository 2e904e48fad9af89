// What nodes tell each other of failures, and of who waits.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "staging/process_states.hpp"
#include "transport/typed_messages.hpp"

namespace thalweg::health {

// Of a node on which somebody waits long, and the answers to it.
struct NodeReport {
  int node = 0;
  bool asks = false;
  int absent = -1;     // the lowest rank that neither waits nor, as a server, looks for commands; -1: there is none
  int waiting = -1;    // the rank that has waited for longest; -1: none waits
  std::string call{};  // in which it does; "": in none that has a name
  int writer = -1;     // a rank that writes, one at work if there is one; -1: none
  staging::WriterActivity activity = staging::WriterActivity::none;
  std::int64_t activity_age_ms = 0;
  std::int64_t storage_call_age_ms = 0;
  auto members() {
    return std::tie(node, asks, absent, waiting, call, writer, activity, activity_age_ms, storage_call_age_ms);
  }
};

struct Failure {
  thalweg_status code = THALWEG_OK;
  std::string text;
  auto members() { return std::tie(code, text); }
};

// Of a group of servers that the others outlive.
struct GroupLoss {
  int group = 0;
  thalweg_status code = THALWEG_OK;
  std::string text;
  std::vector<std::int64_t> committed_records;  // of each collection, that are known to be
  auto members() { return std::tie(group, code, text, committed_records); }
};

using Message = std::variant<NodeReport, Failure, GroupLoss>;
using Messages = transport::TypedMessages<Message>;

}  // namespace thalweg::health
