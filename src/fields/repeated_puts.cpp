#include "fields/repeated_puts.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

namespace thalweg::fields {
namespace {

config::Operation operation_of(config::RepeatedPuts rule) {
  switch (rule) {
    case config::RepeatedPuts::add: return config::Operation::sum;
    case config::RepeatedPuts::mean: return config::Operation::mean;
    default: return config::Operation::instant;
  }
}

// Cells that were put, in runs.
class PutCells : public Strips {
 public:
  PutCells(std::vector<std::byte> values, const std::vector<double>& weights)
      : bytes_(std::move(values)), weights_(weights) {}

  bool is_put(std::size_t cell) const { return weights_[cell] != 0.0; }

  void for_each_strip(const Use& use) const override {
    const std::span values(reinterpret_cast<const double*>(bytes_.data()), weights_.size());
    for_each_put_run(
        values.size(), [this](std::size_t cell) { return is_put(cell); },
        [&](std::size_t cell, std::size_t cells) {
          use(static_cast<std::int64_t>(cell), values.subspan(cell, cells));
        });
  }

 private:
  std::vector<std::byte> bytes_;  // float64
  const std::vector<double>& weights_;
};

}  // namespace

JoiningRule joining_rule_of(const config::FieldSettings& fields) {
  if (fields.repeat == config::RepeatedPuts::error) return {};
  return {fields.repeat, fields.missing};
}

RepeatedPuts::RepeatedPuts(const JoiningRule& rule, const std::vector<double>& missing, const std::vector<Box>& boxes) {
  for (const Box& box : boxes)
    boxes_.push_back(
        {Accumulator(operation_of(rule.repeat), MissingRule{rule.missing, missing}, box.count.product()), {}});
}

// Each weighs the same here.
void RepeatedPuts::put(int box, const PutSample& put) {
  InStep& in_step = boxes_[static_cast<std::size_t>(box)];
  in_step.weight = put.weight;
  const Weighed values{&in_step.values, 1.0};
  begin_sample(std::span(&values, 1), put, true);
  add_values(std::span(&values, 1), put);
}

void RepeatedPuts::end_step(const Take& take) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Element fill{};
  std::memcpy(fill.data(), &none, sizeof none);
  for (int box = 0; box < std::ssize(boxes_); ++box) {
    InStep& in_step = boxes_[static_cast<std::size_t>(box)];
    if (!in_step.values.has_samples()) continue;
    const std::vector<double> weights = in_step.values.of_cells().weights;
    std::vector<std::uint8_t> holding(weights.size());
    for (std::size_t cell = 0; cell < weights.size(); ++cell) holding[cell] = weights[cell] > 0.0 ? 1 : 0;
    const PutCells values(in_step.values.results(Type::float64, fill, 0.0), weights);
    const bool is_whole = std::ranges::find(weights, 0.0) == weights.end();
    take(box, {.sample = values,
               .holding = holding,
               .part = nullptr,
               .is_single = false,
               .weight = in_step.weight,
               .is_whole = is_whole,
               .is_joined = true});
    in_step.values.clear();
  }
}

}  // namespace thalweg::fields
