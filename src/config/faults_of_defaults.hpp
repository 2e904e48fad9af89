// What the defaults ask for and some of the collections that have it cannot have: one fault, which names them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/draft.hpp"

namespace thalweg::config {

class FaultsOfDefaults {
 public:
  explicit FaultsOfDefaults(Draft& draft) : draft_(draft) {}

  // Keeps what stands in the defaults of the faults of a collection; the others are the draft's.
  void sort(Diagnostics found, const std::string& collection);
  // Those that were kept are the draft's too.
  void tell();

 private:
  struct Shared {
    Where where;
    std::string key;
    std::vector<std::string> collections;
  };
  Draft& draft_;
  std::map<std::pair<std::string, std::string>, Shared> all_;  // by place and text
};

}  // namespace thalweg::config
