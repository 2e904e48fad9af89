// What a variable gathers of an interval, of each of a rank's boxes: of a field, of several of which a formula makes
// the result, or in each part of the day. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/calendar.hpp"
#include "fields/accumulator.hpp"
#include "fields/choice.hpp"
#include "fields/day_parts.hpp"
#include "fields/formula.hpp"

namespace thalweg::fields {

class GatheredBoxes {
 public:
  GatheredBoxes() = default;  // nothing
  // cells: of each box.
  GatheredBoxes(const Chosen& chosen, const std::vector<Field>& fields, const config::FieldSettings& settings,
                const Date& reference, const std::vector<std::int64_t>& cells);

  // Of each thing that is gathered, by its place among those of the choice, and each box.
  std::span<Accumulator> of(std::size_t thing) { return std::span(accumulators_).subspan(thing * boxes_, boxes_); }
  // What has its middle then is of this thing.
  bool takes(std::size_t thing, double middle_s) const {
    return !day_parts_ || static_cast<std::size_t>(day_parts_->part_at(middle_s)) == thing;
  }

  // What a sketch has gathered is these ones' from now on. Where it did so by another rule, its field had other
  // attributes, which come before its first put: then there is nothing.
  void take_over(GatheredBoxes& sketched);

  // There are results of the box.
  bool has_samples(std::size_t box) const;
  // In the order of memory, those of parts of the day one after the other. fill: of cells without a result.
  std::vector<std::byte> results(std::size_t box, Type type, const Element& fill);
  // Cells in which the formula had no finite result.
  std::int64_t faults() const { return faults_; }
  void clear(std::size_t box);
  // Calls take(box, results) for those that have any, and then another interval begins. Returns whether there were any.
  template <typename Take>
  bool end(Type type, const Element& fill, const Take& take) {
    bool has_any = false;
    for (std::size_t box = 0; box < boxes_; ++box) {
      if (has_samples(box)) {
        take(static_cast<int>(box), results(box, type, fill));
        has_any = true;
      }
      clear(box);
    }
    return has_any;
  }

 private:
  std::vector<std::byte> results_of_formula(std::size_t box, Type type, const Element& fill);

  std::size_t boxes_ = 0;
  double least_valid_ = 0.0;
  Linear change_;                           // of the results
  std::vector<double> numbers_for_none_;    // which these do not become
  std::shared_ptr<const Formula> formula_;  // of the results; null: there is none
  std::optional<DayParts> day_parts_;
  std::vector<Accumulator> accumulators_;  // of each thing, of each box
  std::int64_t faults_ = 0;
};

}  // namespace thalweg::fields
