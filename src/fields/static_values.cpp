#include "fields/static_values.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/names.hpp"
#include "fields/field_names.hpp"
#include "fields/missing_values.hpp"
#include "fields/put_terms.hpp"
#include "fields/sample.hpp"
#include "fields/source_cells.hpp"

namespace thalweg::fields {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse_values(const std::string& why) {
  throw Error(THALWEG_ERROR_CONFIG, why);
}

// Sets the values of a box, in the order of memory, that are there.
void take_values(const Field& field, const HeldField& held, int box, const put::Field& array, const PutTerms& terms,
                 std::vector<double>& values) {
  const Box& cells = held.boxes[static_cast<std::size_t>(box)];
  const Sample sample = sample_of(held.variable, cells, array, terms);
  const std::vector<std::uint8_t> holding =
      terms.mask ? sample_of(held.variable, cells, *terms.mask, terms).holding() : std::vector<std::uint8_t>();
  const Part part = part_of(held.variable, in_memory_order(cells.count, held.variable.rules), sample, terms.start);
  const std::vector<double> none = field.missing_values();
  const bool is_single = field.has_single_values() || array.type == Type::float32;
  const PutSample put{sample, holding, terms.start ? &part : nullptr, is_single, {}};
  put.for_each_run([&](std::int64_t cell, std::span<const double> run, std::span<const std::uint8_t> holds) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const bool is_none =
          !none.empty() && with_missing(none, is_single, [&](const auto& is_one) { return is_one(run[i]); });
      if (!is_none && (holds.empty() || holds[i] != 0)) values[static_cast<std::size_t>(cell) + i] = run[i];
    }
  });
}

}  // namespace

std::vector<double> StaticValues::of_cells(int number) const {
  const Field& field = fields_.at(number);
  const HeldField held = held_alone(session_, field, fields_.dimensions());
  std::vector<std::vector<double>> boxes;
  for (const Box& box : held.boxes) boxes.emplace_back(static_cast<std::size_t>(box.count.product()), nowhere);
  bool is_there = boxes.empty();
  statics_.for_each_of(number, [&](int, int box, const put::Field& array, const PutTerms& terms) {
    if (boxes.empty()) return;  // a rank without cells puts an array without elements
    take_values(field, held, box, array, terms, boxes[static_cast<std::size_t>(box)]);
    is_there = true;
  });
  if (!is_there)
    refuse_values(
        fmt::format("the static field '{}' was not put before collections choose; put it before the first put "
                    "of any field that is not static, thalweg_ready and the first advance",
                    field.name));
  std::vector<double> all;
  for (std::size_t box = 0; box < boxes.size(); ++box)
    LayersOfBox(held.boxes[box], held.variable.rules).append_layer(boxes[box], 0, all);
  return all;
}

// Of several, as of a staggered grid, the one that the field names, or else the first.
int StaticValues::coordinate_of(const Field& field, bool is_latitude) const {
  const auto& dimensions =
      session_.core().declared.decompositions[static_cast<std::size_t>(field.decomposition)].dimensions;
  const catalog::Attribute* said = catalog::find(field.attributes, "coordinates");
  const std::vector<std::string> named = said == nullptr ? std::vector<std::string>() : words_of(said->text);
  int first = -1;
  for (int f = 0; f < static_cast<int>(fields_.all().size()); ++f) {
    const Field& of = fields_.at(f);
    const bool lies_there = of.is_static && of.is_of_program() && of.decomposition == field.decomposition &&
                            split_names(of.dims) == dimensions;
    if (!lies_there || !(is_latitude ? fields::is_latitude(of) : is_longitude(of))) continue;
    if (is_among_names(named, of.name) || is_among_names(named, of.last_part())) return f;
    if (first < 0) first = f;
  }
  return first;
}

StaticValues::Coordinates StaticValues::coordinates_of(const Field& field) const {
  return {coordinate_of(field, false), coordinate_of(field, true)};
}

std::vector<Place> StaticValues::places_of(int decomposition, const Coordinates& coordinates) const {
  const geometry::Decomposition& of = session_.core().declared.decompositions[static_cast<std::size_t>(decomposition)];
  const std::vector<std::int64_t> numbers = numbers_of_cells(of);
  std::vector<Place> places(numbers.size(), {nowhere, nowhere});
  if (coordinates.latitude >= 0 && coordinates.longitude >= 0) {
    const std::vector<double> latitudes = of_cells(coordinates.latitude), longitudes = of_cells(coordinates.longitude);
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
