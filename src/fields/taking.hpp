// Who takes what is put of a box in a step: each has noted the put, and what is left is to give them the values.
// Several threads may do that at once, of parts that do not meet.
#pragma once

#include <cstddef>
#include <vector>

#include "fields/output.hpp"

namespace thalweg::fields {

class Taking {
 public:
  // picked: what they have of the box; null: all.
  void add(std::vector<Weighed> accumulators, const PickedBox* picked) {
    gathering_.push_back({std::move(accumulators), picked});
  }
  void add(Output& output, int own_box, const PickedBox* picked) {
    joining_.push_back({&output, &output.joined(own_box), picked});
  }
  void begin_sample(const PutSample& put, bool is_first) const;
  void begin_beginning(const PutSample& put) const;

  void take(const PutSample& put) const;

 private:
  struct Gathering {
    std::vector<Weighed> accumulators;
    const PickedBox* picked;
  };
  struct Joining {
    const Output* output;
    std::vector<std::byte>* joined;
    const PickedBox* picked;
  };
  std::vector<Gathering> gathering_;
  std::vector<Joining> joining_;  // instants
};

}  // namespace thalweg::fields
