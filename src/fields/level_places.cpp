#include "fields/level_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fields/missing_values.hpp"

namespace thalweg::fields {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

constexpr double slack = 1e-6;  // of the distance between two levels of the model

// All levels of so many columns stay in the caches of a core.
constexpr std::int64_t columns_of_block = 256;

std::int64_t columns_from(std::int64_t first, std::int64_t columns) {
  return std::min(columns_of_block, columns - first);
}

// Whether each column ascends or descends all the way: then a value has one place, and is found from that of the column
// before.
struct Directions {
  std::vector<std::uint8_t> ascends, descends;

  Directions(const std::vector<double>& block, std::int64_t levels, std::int64_t columns)
      : ascends(columns_of_block, 1), descends(columns_of_block, 1) {
    for (std::int64_t k = 0; k + 1 < levels; ++k) {
      const double* below = block.data() + k * columns_of_block;
      const double* above = below + columns_of_block;
      for (std::size_t i = 0; i < static_cast<std::size_t>(columns); ++i) {
        ascends[i] &= above[i] > below[i] ? 1 : 0;
        descends[i] &= above[i] < below[i] ? 1 : 0;
      }
    }
  }
};

}  // namespace

// The coordinate in one column of a block.
class LevelPlaces::Column {
 public:
  // logarithms: of the wanted values, where they are needed. is_single: values are the same also where
  // float32 has the same.
  Column(const double* values, std::int64_t levels, const Levels& wanted, const std::vector<double>& logarithms,
         bool is_single)
      : values_(values), levels_(levels), wanted_(wanted), logarithms_(logarithms), is_single_(is_single) {}

  void set_direction(bool ascends, bool descends) {
    ascends_ = ascends;
    descends_ = descends;
  }

  // Of one of the wanted values. guess: near which level it may be.
  Place place_of(std::size_t number, std::int32_t guess) const {
    if (levels_ > 1 && ascends_ != descends_) return place_from(guess, number, ascends_ ? 1.0 : -1.0);
    return first_place(number);
  }

 private:
  double at(std::int64_t level) const { return values_[level * columns_of_block]; }
  std::int32_t last() const { return static_cast<std::int32_t>(levels_ - 1); }

  // sign: by which the column ascends.
  Place place_from(std::int32_t guess, std::size_t number, double sign) const {
    const double value = wanted_.values[number], signed_value = sign * value;
    if (signed_value < sign * at(0)) return has(0, value) ? Place{0, 0.0} : outside(0);
    if (signed_value > sign * at(last())) return has(last(), value) ? Place{last(), 0.0} : outside(last());
    std::int32_t k = std::min(guess, last() - 1);
    while (signed_value < sign * at(k)) --k;
    while (signed_value > sign * at(k + 1)) ++k;
    return between(k, number);
  }

  Place first_place(std::size_t number) const {
    const double value = wanted_.values[number];
    for (std::int32_t k = 0; k <= last(); ++k) {
      if (k < last() && passes(at(k), value, at(k + 1))) return between(k, number);
      if (has(k, value)) return {k, 0.0};
    }
    return beyond(value);
  }

  // The value is that of the level but for what rounding and other units have left of it.
  bool has(std::int32_t level, double value) const {
    return (level > 0 && is_near(level, value, level - 1)) || is_near(level, value, std::min(level + 1, last()));
  }

  bool is_near(std::int32_t level, double value, std::int32_t neighbour) const {
    const double own = at(level), room = slack * std::abs(at(neighbour) - own);
    return (std::abs(value - own) <= room && std::isfinite(room)) || own == value ||
           (is_single_ && static_cast<float>(own) == static_cast<float>(value));
  }

  static bool passes(double below, double value, double above) {
    return (below < value && value < above) || (below > value && value > above);
  }

  // What is missing has no part in it.
  Place beyond(double value) const {
    std::int32_t least = -1, greatest = -1;
    for (std::int32_t k = 0; k < levels_; ++k) {
      if (std::isnan(at(k))) continue;
      if (least < 0 || at(k) < at(least)) least = k;
      if (greatest < 0 || at(k) > at(greatest)) greatest = k;
    }
    if (least < 0) return {};
    if (value < at(least)) return outside(least);
    return value > at(greatest) ? outside(greatest) : Place{};
  }

  Place outside(std::int32_t nearest) const { return wanted_.takes_nearest ? Place{nearest, 0.0} : Place{}; }

  // A logarithm is of values above 0 alone; two that are next to each other may have the same.
  Place between(std::int32_t k, std::size_t number) const {
    const double value = wanted_.values[number], below = at(k), above = at(k + 1);
    if (is_near(k, value, k + 1)) return {k, 0.0};
    if (is_near(k + 1, value, k)) return {k + 1, 0.0};
    if (!wanted_.is_in_log) return {k, (value - below) / (above - below)};
    if (below <= 0.0 || above <= 0.0) return {};
    const double log_below = std::log(below), length = std::log(above) - log_below;
    return {k, length == 0.0 ? 0.0 : (logarithms_[number] - log_below) / length};
  }

  const double* values_;
  std::int64_t levels_;
  const Levels& wanted_;
  const std::vector<double>& logarithms_;
  bool is_single_;
  bool ascends_ = false, descends_ = false;
};

void LevelPlaces::find_in(const Column& column, std::int64_t number, std::vector<std::int32_t>& guesses) {
  for (std::size_t w = 0; w < guesses.size(); ++w) {
    const Place place = column.place_of(w, guesses[w]);
    const std::size_t at = w * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(number);
    level_[at] = place.level;
    weight_[at] = place.weight;
    guesses[w] = std::max(place.level, 0);
  }
}

void LevelPlaces::find(const Columns& coordinate, const Levels& levels, bool is_single) {
  columns_ = coordinate.count();
  const std::size_t places = levels.values.size() * static_cast<std::size_t>(columns_);
  level_.resize(places);
  weight_.resize(places);
  std::vector<double> block(static_cast<std::size_t>(coordinate.levels() * columns_of_block));
  std::vector<std::int32_t> guesses(levels.values.size(), 0);
  std::vector<double> logarithms;
  if (levels.is_in_log)
    for (const double value : levels.values) logarithms.push_back(std::log(value));
  for (std::int64_t first = 0; first < columns_; first += columns_of_block) {
    const std::int64_t columns = columns_from(first, columns_);
    for (std::int64_t k = 0; k < coordinate.levels(); ++k)
      coordinate.load(k, first, columns, block.data() + k * columns_of_block);
    const Directions directions(block, coordinate.levels(), columns);
    for (std::int64_t i = 0; i < columns; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Column column(block.data() + i, coordinate.levels(), levels, logarithms, is_single);
      column.set_direction(directions.ascends[at] != 0, directions.descends[at] != 0);
      find_in(column, first + i, guesses);
    }
  }
}

// Of a block of columns the levels of the model that somebody needs, each read once.
class LevelPlaces::Block {
 public:
  Block(const Columns& field, const std::vector<double>& missing, bool is_single)
      : field_(field),
        missing_(missing),
        is_single_(is_single),
        values_(static_cast<std::size_t>(field.levels() * columns_of_block)),
        is_needed_(static_cast<std::size_t>(field.levels())) {}

  void clear() { std::ranges::fill(is_needed_, 0); }
  void need(const std::int32_t* levels, const double* weights, std::int64_t columns) {
    for (std::int64_t i = 0; i < columns; ++i) {
      if (levels[i] < 0) continue;
      is_needed_[static_cast<std::size_t>(levels[i])] = 1;
      if (weights[i] != 0.0) is_needed_[static_cast<std::size_t>(levels[i]) + 1] = 1;
    }
  }
  void load(std::int64_t first, std::int64_t columns) {
    for (std::int64_t k = 0; k < field_.levels(); ++k) {
      if (is_needed_[static_cast<std::size_t>(k)] == 0) continue;
      double* to = values_.data() + k * columns_of_block;
      field_.load(k, first, columns, to);
      if (missing_.empty()) continue;
      with_missing(missing_, is_single_, [&](const auto& is_missing) {
        for (std::int64_t i = 0; i < columns; ++i) to[i] = is_missing(to[i]) ? none : to[i];
      });
    }
  }
  double at(std::int32_t level, double weight, std::int64_t column) const {
    if (level < 0) return none;
    const double* below = values_.data() + level * columns_of_block + column;
    return weight == 0.0 ? *below : *below + weight * (below[columns_of_block] - *below);
  }

 private:
  const Columns& field_;
  const std::vector<double>& missing_;
  bool is_single_;
  std::vector<double> values_;
  std::vector<std::uint8_t> is_needed_;
};

void LevelPlaces::interpolate(const Columns& field, const std::vector<double>& missing, bool is_single,
                              std::span<double> results) const {
  const std::int64_t wanted = columns_ == 0 ? 0 : std::ssize(level_) / columns_, inner = field.inner();
  Block block(field, missing, is_single);
  for (std::int64_t first = 0; first < columns_; first += columns_of_block) {
    const std::int64_t columns = columns_from(first, columns_);
    block.clear();
    for (std::int64_t w = 0; w < wanted; ++w)
      block.need(level_.data() + w * columns_ + first, weight_.data() + w * columns_ + first, columns);
    block.load(first, columns);
    for (std::int64_t w = 0; w < wanted; ++w) {
      const std::int32_t* levels = level_.data() + w * columns_ + first;
      const double* weights = weight_.data() + w * columns_ + first;
      for (std::int64_t done = 0; done < columns;) {
        const std::int64_t outer = (first + done) / inner, place = (first + done) % inner;
        const std::int64_t run = inner == 1 ? columns : std::min(columns - done, inner - place);
        const std::int64_t stride = inner == 1 ? wanted : 1;
        double* to = results.data() + (outer * wanted + w) * inner + place;
        for (std::int64_t i = done; i < done + run; ++i, to += stride) *to = block.at(levels[i], weights[i], i);
        done += run;
      }
    }
  }
}

}  // namespace thalweg::fields
