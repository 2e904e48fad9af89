// A box of a field as the model passes it, as numbers in the order of its memory, and which of them are values. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fields/strip.hpp"
#include "put/field_view.hpp"

namespace thalweg::fields {

// Extents of a box, whose dimensions lie in memory as the rules say.
Index in_memory_order(const Index& count, const put::FieldRules& rules);

// Where an array lies in a box that it is a part of, both in the order of memory.
struct Part {
  Index start;
  Index count;
  Index box;  // extents of all of it

  // Calls use(cell of the box, where the first of these cells is among those given, how many) for cells of the part
  // that follow each other, counted row by row from first_cell on.
  template <typename Use>
  void for_each_run(std::int64_t first_cell, std::int64_t cells, const Use& use) const {
    const std::int64_t length = count.rank() == 0 ? 1 : count[count.rank() - 1];
    for (std::int64_t done = 0; done < cells;) {
      const std::int64_t at = first_cell + done, place = at % length;
      const std::int64_t run = std::min(cells - done, length - place);
      use(cell_of_row(at / length) + place, done, run);
      done += run;
    }
  }

 private:
  std::int64_t cell_of_row(std::int64_t row) const;
};

// How a put differs from a plain one.
struct PutTerms {
  std::optional<double> weight;    // of the sample; nothing: the length of the step
  std::optional<put::Field> mask;  // cells have a value where it is not zero, or at least 0.5 where it is real
  std::optional<Index> start;      // the array is a part of the box, from here on in the order of its dimensions
  bool is_again = false;           // what was put before is put into what has been chosen since

  // All of the box, with each of its values.
  bool are_plain() const { return !mask && !start; }
};

// Values of all cells of a box, or of a part of it, in the order of memory.
class Strips {
 public:
  virtual ~Strips() = default;
  // Calls use(first cell, values of some cells, at most those of a strip) from the first cell on, for all that are put.
  using Use = std::function<void(std::int64_t, std::span<const double>)>;
  virtual void for_each_strip(const Use& use) const = 0;
};

// Calls use(first cell, how many) for cells that follow each other and are put, at most those of a strip.
template <typename IsPut, typename Use>
void for_each_put_run(std::size_t cells, const IsPut& is_put, const Use& use) {
  for (std::size_t cell = 0; cell < cells;) {
    std::size_t end = cell;
    while (end < cells && end - cell < strip_cells && is_put(end)) ++end;
    if (end > cell) use(cell, end - cell);
    cell = std::max(end, cell + 1);
  }
}

// What a sample counts: the length of its step, or 1 where all stand for the same time; or both times what its put
// says.
struct SampleWeight {
  double by_time = 1.0;
  double by_count = 1.0;
};

class Sample : public Strips {
 public:
  // field outlives this; view: of the box in it, whose dimensions lie in memory as the rules say.
  Sample(const put::Field& field, const put::FieldView& view, const Index& count, const put::FieldRules& rules);
  // All of an array.
  explicit Sample(put::Field field) : field_(std::move(field)) {}

  std::int64_t cells() const { return field_.extent.product(); }
  // The box without halo, as an array of its own in the same order of dimensions.
  const Index& extent() const { return field_.extent; }
  const put::Field& array() const { return field_; }

  void for_each_strip(const Use& use) const override;
  // The same of an array of float32, as it lies there where its rows are long.
  bool are_singles() const;
  using UseSingles = std::function<void(std::int64_t, std::span<const float>)>;
  void for_each_strip_of_singles(const UseSingles& use) const;

  // Of the numbers of a mask: which cells have a value.
  std::vector<std::uint8_t> holding() const;

 private:
  put::Field field_;  // without the halo
};

// What is put of a box in a step.
struct PutSample {
  const Strips& sample;
  std::span<const std::uint8_t> holding;  // empty: all cells hold values
  const Part* part;                       // null: all of the box
  bool is_single;                         // values are compared with missing ones as float32 has them
  SampleWeight weight;
  bool is_whole = part == nullptr;  // all cells come, and all at once
  const Sample* array = nullptr;    // that all of the box is
  bool is_joined = false;           // values are made of several puts: none stands for none

  // Calls use(first cell of the box, values, which of them hold) for cells that follow each other, at most those of a
  // strip.
  template <typename Use>
  void for_each_run(const Use& use) const {
    sample.for_each_strip([&](std::int64_t first, std::span<const double> values) {
      const auto holds = holding_of(first, std::ssize(values));
      if (part == nullptr) return use(first, values, holds);
      part->for_each_run(first, std::ssize(values), [&](std::int64_t cell, std::int64_t from, std::int64_t cells) {
        use(cell, values.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(cells)),
            holding_of(first + from, cells));
      });
    });
  }
  // All of the box is an array of float32, and then the same of these.
  bool are_singles() const { return array != nullptr && array->are_singles(); }
  template <typename Use>
  void for_each_run_of_singles(const Use& use) const {
    array->for_each_strip_of_singles([&](std::int64_t first, std::span<const float> values) {
      use(first, values, holding_of(first, std::ssize(values)));
    });
  }

 private:
  std::span<const std::uint8_t> holding_of(std::int64_t first, std::int64_t cells) const {
    return holding.empty() ? holding
                           : holding.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(cells));
  }
};

}  // namespace thalweg::fields
