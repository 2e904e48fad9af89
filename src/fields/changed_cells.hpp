// What is written of a cell in place of what was put: a longitude some circles further, or a value in other units.
// Pure.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fields/choice.hpp"
#include "fields/field.hpp"
#include "fields/missing_values.hpp"
#include "fields/numbers.hpp"
#include "fields/sample.hpp"

namespace thalweg::fields {

class ChangedCells {
 public:
  ChangedCells() = default;
  // turned: each cell by so many degrees; empty: none. leaves_out_missing: values that stand for none are none.
  ChangedCells(const Chosen& chosen, const Field& field, std::vector<double> turned, bool leaves_out_missing = false)
      : turned_(std::move(turned)),
        change_(chosen.units.of_values()),
        numbers_for_none_(field.numbers_for_none()),
        missing_(change_.is_none() && !leaves_out_missing ? std::vector<double>{} : field.missing_values()),
        leaves_out_missing_(leaves_out_missing),
        is_single_(field.has_single_values()),
        is_made_(field.formula != nullptr) {}

  // Else values are written as they are.
  bool are_any() const { return leaves_out_missing_ || !turned_.empty() || !change_.is_none(); }
  // The value stands for none, of what is computed, or where these are left out.
  bool is_none(double value, const PutSample& put) const {
    return (is_made_ && std::isnan(value)) || (leaves_out_missing_ && is_missing(value, put));
  }
  // Of what stands for none the number stays as it is, and none is computed that does. False: the type has no such
  // number, and nothing is stored.
  bool store(Type type, std::byte* to, std::int64_t cell, double value, const PutSample& put) const {
    const double turned = turned_.empty() ? value : value + turned_[static_cast<std::size_t>(cell)];
    const bool is_changed = !change_.is_none() && !is_missing(value, put);
    if (!is_changed && !is_made_ && !put.is_joined) return store_number(type, to, turned);
    return store_result(type, to, is_changed ? change_.of(turned) : turned, numbers_for_none_);
  }

 private:
  bool is_missing(double value, const PutSample& put) const {
    return !missing_.empty() && !put.is_joined &&
           with_missing(missing_, put.is_single || is_single_, [value](const auto& is_one) { return is_one(value); });
  }

  std::vector<double> turned_;
  Linear change_;
  std::vector<double> numbers_for_none_;
  std::vector<double> missing_;
  bool leaves_out_missing_ = false;
  bool is_single_ = false;
  bool is_made_ = false;
};

}  // namespace thalweg::fields
