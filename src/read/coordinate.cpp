#include "read/coordinate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"

namespace thalweg::read {
namespace {

constexpr double globe = 360.0;
constexpr double slack = 1e-6;  // of the distance between neighbours

// Longitudes that begin anew at a place go on.
void unwrap(std::vector<double>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) values[i] -= globe * std::round((values[i] - values[i - 1]) / globe);
}

// The smallest distance of neighbours; not above 0: they do not all ascend.
double spacing_of(const std::vector<double>& values) {
  double spacing = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i)
    if (const double step = values[i] - values[i - 1]; !(step >= spacing)) spacing = step;
  return spacing;
}

}  // namespace

Coordinate::Coordinate(std::string name, Type type, std::vector<double> values, bool is_longitude, std::string where)
    : name_(std::move(name)),
      type_(type),
      given_(std::move(values)),
      values_(given_),
      is_longitude_(is_longitude),
      where_(std::move(where)) {
  if (is_longitude_) unwrap(values_);
  if (values_.size() > 1 && values_[1] < values_[0]) sign_ = -1.0;
  for (double& value : values_) value *= sign_;
  const double spacing = spacing_of(values_);
  const bool is_finite = std::ranges::all_of(values_, [](double value) { return std::isfinite(value); });
  if (!is_finite || !(spacing > 0.0))
    fail(THALWEG_ERROR_FORMAT,
         "{}: the values of coordinate '{}' neither ascend nor descend all along, so that no cell can be found by "
         "them; select by index: '{}[0:{}]'",
         where_, name_, name_, values_.size());
  tolerance_ = std::isfinite(spacing) ? slack * spacing : slack;
  if (!is_longitude_ || values_.size() < 2) return;
  // The last cell may be the first one again; a globe lacks no more than the distance between two cells.
  const double largest_step = (values_.back() - values_.front()) / static_cast<double>(values_.size() - 1) * 1.5;
  if (values_.back() - values_.front() + largest_step >= globe)
    around_ = std::ranges::lower_bound(values_, values_.front() + globe - tolerance_) - values_.begin();
}

double Coordinate::as_stored(double value) const {
  return type_ == Type::float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

// From the value to the cell, to the east or upwards.
double Coordinate::distance(std::int64_t cell, double value) const {
  const double of_cell = given_[static_cast<std::size_t>(cell)];
  if (is_longitude_) value += globe * std::round((of_cell - value) / globe);
  return of_cell - as_stored(value);
}

std::int64_t Coordinate::nearest_cell(double value) const {
  std::int64_t best = 0;
  for (std::int64_t cell = 1; cell < std::ssize(given_); ++cell) {
    const double now = distance(cell, value);
    const double before = distance(best, value);
    if (std::abs(now) < std::abs(before) || (std::abs(now) == std::abs(before) && now > before)) best = cell;
  }
  return best;
}

std::int64_t Coordinate::cell_of(double value) const {
  const std::int64_t nearest = nearest_cell(value);
  const double off = distance(nearest, value);
  if (std::abs(off) <= tolerance_) return nearest;
  std::string text = fmt::format("{} (cell {})", given_[static_cast<std::size_t>(nearest)], nearest);
  for (const std::int64_t other : {nearest - 1, nearest + 1})
    if (other >= 0 && other < std::ssize(given_) && (distance(other, value) > 0) != (off > 0))
      text += fmt::format(" and {} (cell {})", given_[static_cast<std::size_t>(other)], other);
  fail(THALWEG_ERROR_NAME, "{}: no cell has {} = {}; the nearest: {}; write '{}=~{}' for the nearest one", where_,
       name_, value, text, name_, value);
}

// Of ascending values, where nothing goes around.
Cells Coordinate::in_range(double low, double high) const {
  const auto first = std::ranges::lower_bound(values_, low - tolerance_);
  const auto last = std::ranges::upper_bound(values_, high + tolerance_);
  return {first - values_.begin(), std::max<std::int64_t>(0, last - first), std::ssize(values_)};
}

// The range is met in every turn that has some of it; in the one that is farthest to the east it begins.
Cells Coordinate::around_globe(double low, double high) const {
  const double east = std::floor((values_.back() + tolerance_ - low) / globe);
  Cells cells{0, 0, std::ssize(values_)};
  for (const double turn : {east, east - 1, east - 2}) {
    const double from = as_stored(low + turn * globe), to = as_stored(high + turn * globe);
    const Cells some = in_range(from, to);
    // All of it lies in the file as it is, even if that has the first cell again at its end.
    if (from >= values_.front() - tolerance_ && to <= values_.back() + tolerance_) return some;
    if (some.count == 0) continue;
    if (cells.count == 0) {
      cells = some;
      continue;
    }
    if (around_ == 0)
      fail(THALWEG_ERROR_ARGUMENT,
           "{}: cells with {} from {} to {} lie at both ends of the file, whose longitudes do not go around the globe; "
           "select those of one end",
           where_, name_, sign_ > 0 ? low : -high, sign_ > 0 ? high : -low);
    const std::int64_t before_end = std::max<std::int64_t>(0, around_ - cells.start);
    return {cells.start % around_, before_end + std::min(some.count, cells.start), around_};
  }
  return cells;
}

void Coordinate::refuse_range(double low, double high) const {
  const auto [smallest, largest] = std::ranges::minmax(given_);
  fail(THALWEG_ERROR_ARGUMENT, "{}: no cell has {} from {} to {}; the file has {} from {} to {}", where_, name_, low,
       high, counted(std::ssize(given_), "cell"), smallest, largest);
}

Cells Coordinate::cells_between(std::optional<double> low, std::optional<double> high) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double from = low.value_or(-infinite), to = high.value_or(infinite);
  Cells cells;
  if (is_longitude_ && low && high) {
    if (to < from) to += globe * std::ceil((from - to) / globe);
    if (to - from > globe)
      fail(THALWEG_ERROR_ARGUMENT, "{}: {} from {} to {} is more than once around the globe, which has 360 degrees",
           where_, name_, *low, *high);
    cells = sign_ > 0 ? around_globe(from, to) : around_globe(-to, -from);
  } else {
    if (to < from) std::swap(from, to);
    from = as_stored(from);
    to = as_stored(to);
    cells = sign_ > 0 ? in_range(from, to) : in_range(-to, -from);
  }
  if (cells.count == 0) refuse_range(from, to);
  return cells;
}

}  // namespace thalweg::read
