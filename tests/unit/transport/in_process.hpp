// Messages between ranks that one process plays: whoever runs the test delivers them, one at a time, in an order that a
// seed decides. Those from one rank to another with one tag keep theirs, as MPI's do.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "transport/messenger.hpp"

namespace thalweg::transport::testing {

class Network {
 public:
  explicit Network(std::uint64_t seed) : random_(seed) {}

  std::unique_ptr<Messenger> messenger(int rank, int tag);

  // Any one that is under way; false: there is none.
  bool deliver_one() {
    if (under_way_.empty()) return false;
    auto chosen = std::next(under_way_.begin(), pick(std::ssize(under_way_)));
    const auto [from, to, tag] = chosen->first;
    if (!dead_.contains(to)) arrived_[{to, tag}].push_back(std::move(chosen->second.front()));
    chosen->second.pop_front();
    if (chosen->second.empty()) under_way_.erase(chosen);
    ++delivered_;
    return true;
  }
  // What it has sent may still come; what is sent to it does not.
  void kill(int rank) { dead_.insert(rank); }
  bool lives(int rank) const { return !dead_.contains(rank); }
  std::int64_t pick(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }
  std::int64_t delivered() const { return delivered_; }

 private:
  friend class InProcessMessenger;
  std::mt19937_64 random_;
  std::map<std::tuple<int, int, int>, std::deque<Bytes>> under_way_;  // by sender, receiver, tag
  std::map<std::pair<int, int>, std::deque<Bytes>> arrived_;          // by receiver, tag
  std::set<int> dead_;
  std::int64_t delivered_ = 0;
};

class InProcessMessenger final : public Messenger {
 public:
  InProcessMessenger(Network& network, int rank, int tag) : network_(network), rank_(rank), tag_(tag) {}
  void send(int rank, Bytes bytes) override {
    ++surplus_;
    if (!forgotten_.contains(rank)) network_.under_way_[{rank_, rank, tag_}].push_back(std::move(bytes));
  }
  std::optional<Bytes> receive() override {
    std::deque<Bytes>& here = network_.arrived_[{rank_, tag_}];
    if (here.empty()) return std::nullopt;
    Bytes first = std::move(here.front());
    here.pop_front();
    --surplus_;
    return first;
  }
  bool is_idle() override { return late_receiver() < 0; }
  bool is_receiving() const override { return false; }
  std::int64_t surplus() const override { return surplus_; }
  int late_receiver() override {
    for (const auto& [way, bytes] : network_.under_way_)
      if (std::get<0>(way) == rank_ && std::get<2>(way) == tag_) return std::get<1>(way);
    return -1;
  }
  int full_receiver() override { return -1; }
  void forget(int rank) override { forgotten_.insert(rank); }

 private:
  Network& network_;
  int rank_;
  int tag_;
  std::set<int> forgotten_;
  std::int64_t surplus_ = 0;
};

inline std::unique_ptr<Messenger> Network::messenger(int rank, int tag) {
  return std::make_unique<InProcessMessenger>(*this, rank, tag);
}

}  // namespace thalweg::transport::testing
