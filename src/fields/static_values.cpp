#include "fields/static_values.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/names.hpp"
#include "fields/missing_values.hpp"
#include "fields/sample.hpp"
#include "fields/source_cells.hpp"

namespace thalweg::fields {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse_values(const std::string& why) {
  throw Error(THALWEG_ERROR_CONFIG, why);
}

std::vector<double> in_memory_order_of(const Field& field, const HeldField& held, int box, const put::Field& array) {
  const Box& cells = held.boxes[static_cast<std::size_t>(box)];
  const Sample sample(array, put::checked_view(held.variable, array, cells), cells.count, held.variable.rules);
  const std::vector<double> none = field.missing_values();
  const bool is_single = field.has_single_values() || array.type == Type::float32;
  std::vector<double> values;
  sample.for_each_strip([&](std::int64_t, std::span<const double> strip) {
    for (const double value : strip) {
      const bool is_none = !none.empty() && with_missing(none, is_single, [&](const auto& is) { return is(value); });
      values.push_back(is_none ? no_value : value);
    }
  });
  return values;
}

}  // namespace

std::vector<double> StaticValues::of_cells(int number) const {
  const Field& field = fields_.at(number);
  const HeldField held = held_alone(session_, field, fields_.dimensions());
  std::vector<double> all;
  for (int box = 0; box < static_cast<int>(held.boxes.size()); ++box) {
    const LayersOfBox layers(held.boxes[static_cast<std::size_t>(box)], held.variable.rules);
    const put::Field* array = statics_.array_of(number, box);
    if (array == nullptr)
      refuse_values(
          fmt::format("the static field '{}' was not put before collections choose; put all of it before the first "
                      "thalweg_step, thalweg_ready or thalweg_advance, and without a mask",
                      field.name));
    layers.append_layer(in_memory_order_of(field, held, box, *array), 0, all);
  }
  return all;
}

// The first one; -1: there is none.
int StaticValues::coordinate(int decomposition, bool is_latitude) const {
  const auto& dimensions = session_.core().declared.decompositions[static_cast<std::size_t>(decomposition)].dimensions;
  for (int f = 0; f < static_cast<int>(fields_.all().size()); ++f) {
    const Field& field = fields_.at(f);
    const bool lies_there = field.is_static && field.is_of_program() && field.decomposition == decomposition &&
                            split_names(field.dims) == dimensions;
    if (lies_there && (is_latitude ? fields::is_latitude(field) : is_longitude(field))) return f;
  }
  return -1;
}

std::vector<Place> StaticValues::places_of(int decomposition) const {
  const geometry::Decomposition& of = session_.core().declared.decompositions[static_cast<std::size_t>(decomposition)];
  const std::vector<std::int64_t> numbers = numbers_of_cells(of);
  std::vector<Place> places(numbers.size(), {no_value, no_value});
  const int lat = coordinate(decomposition, true), lon = coordinate(decomposition, false);
  if (lat >= 0 && lon >= 0) {
    const std::vector<double> latitudes = of_cells(lat), longitudes = of_cells(lon);
    for (std::size_t cell = 0; cell < places.size(); ++cell) places[cell] = {longitudes[cell], latitudes[cell]};
    return places;
  }
  if (of.dimensions.size() != 2)
    refuse_values(
        fmt::format("where the cells along ({}) lie is not known: there are no static fields of their latitudes "
                    "(standard_name latitude, or units degrees_north) and longitudes; define them on the same "
                    "decomposition",
                    fmt::join(of.dimensions, ",")));
  const Index sizes = of.sizes();
  const Axis first = statics_.axis_of(of.dimensions[0], sizes[0], fields_.all());
  const Axis second = statics_.axis_of(of.dimensions[1], sizes[1], fields_.all());
  if (first.is_longitude == second.is_longitude)
    refuse_values(
        fmt::format("which of '{}' and '{}' are longitudes is not known; give the one units: degrees_east, and the "
                    "other units: degrees_north",
                    of.dimensions[0], of.dimensions[1]));
  for (std::size_t cell = 0; cell < places.size(); ++cell) {
    if (numbers[cell] < 0) continue;
    const double a = first.values[static_cast<std::size_t>(numbers[cell] / sizes[1])];
    const double b = second.values[static_cast<std::size_t>(numbers[cell] % sizes[1])];
    places[cell] = first.is_longitude ? Place{a, b} : Place{b, a};
  }
  return places;
}

}  // namespace thalweg::fields
