#include "fields/kept_statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/told.hpp"
#include "fields/sample.hpp"
#include "put/field_rows.hpp"

namespace thalweg::fields {
namespace {

bool is_by_values(const std::vector<config::PartOfDimension>& parts) {
  return std::ranges::any_of(parts, &config::PartOfDimension::is_by_values);
}

bool is_along(const Field& field, const std::string& dimension) {
  return field.is_static && field.is_of_program() && field.dims == dimension && field.last_part() == dimension;
}

template <typename... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> why, Values&&... values) {
  throw Error(THALWEG_ERROR_CONFIG, fmt::format(why, std::forward<Values>(values)...));
}

void copy(const put::Field& from, std::vector<std::byte>& bytes, put::Field& to) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(from.type));
  bytes.resize(static_cast<std::size_t>(from.extent.product() * element_bytes));
  put::copy_in_order(from, bytes.data());
  to.stride = contiguous_strides(from.extent, element_bytes);
  to.data = bytes.data();
}

// Of a put along one dimension; -1: it is none.
std::int64_t begin_of(const PutTerms& terms) {
  if (!terms.start) return 0;
  return terms.start->rank() == 1 ? (*terms.start)[0] : -1;
}

bool is_of_characters(const put::Field& array, const PutTerms& terms) {
  return array.type == Type::character || (terms.mask && terms.mask->type == Type::character);
}

}  // namespace

KeptStatics::KeptStatics(const config::Settings& settings) {
  for (const auto& [name, collection] : settings.collections) {
    const config::GridSettings& grid = collection.fields.region.grid;
    if (grid.is_of_points() || !grid.by.empty() || is_by_values(collection.fields.region.parts) ||
        std::ranges::any_of(collection.fields.chosen, [&](const config::ChosenField& of) {
          return is_by_values(collection.fields.region_of(of));
        }))
      are_needed_ = true;
  }
}

void KeptStatics::keep(int field, int box, const put::Field& array, const PutTerms& terms, std::int64_t step) {
  const auto is_over = [&](const Kept& kept) {
    return kept.field == field && kept.box == box && (!kept.terms.start || kept.step != step);
  };
  if (std::ranges::any_of(kept_, is_over)) return;
  Kept& kept = kept_.emplace_back(Kept{field, box, step, array, terms, {}, {}});
  copy(array, kept.bytes, kept.array);
  if (terms.mask) copy(*terms.mask, kept.bytes_of_mask, *kept.terms.mask);
  kept.terms.is_again = true;
}

// Of a field along one dimension. The cells that have a value are noted.
void KeptStatics::read(const Kept& kept, std::vector<double>& values, std::vector<bool>& are_there) {
  const std::int64_t begin = begin_of(kept.terms);
  const std::vector<std::uint8_t> holding =
      kept.terms.mask ? Sample(*kept.terms.mask).holding() : std::vector<std::uint8_t>();
  Sample(kept.array).for_each_strip([&](std::int64_t first, std::span<const double> strip) {
    for (std::size_t i = 0; i < strip.size(); ++i) {
      const std::size_t cell = static_cast<std::size_t>(first) + i;
      if (!holding.empty() && holding[cell] == 0) continue;
      values[static_cast<std::size_t>(begin) + cell] = strip[i];
      are_there[static_cast<std::size_t>(begin) + cell] = true;
    }
  });
}

// All of it is there, whatever parts it was put in.
std::vector<double> KeptStatics::values_of(int number, const Field& field, std::int64_t size) const {
  std::vector<double> values(static_cast<std::size_t>(size));
  std::vector<bool> are_there(values.size(), false);
  for (const Kept& kept : kept_) {
    if (kept.field != number || kept.box != 0) continue;
    const std::int64_t begin = begin_of(kept.terms), count = kept.array.extent.product();
    const bool fits = kept.terms.start ? begin >= 0 && count <= size - begin : count == size;
    if (!fits || is_of_characters(kept.array, kept.terms))
      refuse("the field '{}' was put with {} values{}, but the dimension has {} cells", field.name, count,
             kept.terms.start ? fmt::format(" from {} on", told::number(begin)) : "", size);
    read(kept, values, are_there);
  }
  const auto lacking = std::ranges::count(are_there, false);
  if (lacking == size)
    refuse(
        "the field '{}', of whose values they are, was not put before collections choose; put it before the first put "
        "of any field that is not static, thalweg_ready and the first advance",
        field.name);
  if (lacking > 0)
    refuse(
        "{} of {} cells of the field '{}', of whose values they are, were not put, or left out by a mask; put all of "
        "them before collections choose",
        lacking, size, field.name);
  return values;
}

Axis KeptStatics::axis_of(const std::string& dimension, std::int64_t size, const std::vector<Field>& fields) const {
  const auto found = std::ranges::find_if(fields, [&](const Field& field) { return is_along(field, dimension); });
  if (found == fields.end())
    refuse(
        "the program has no static field '{}' along this dimension, of whose values they are; define it, or say "
        "'index'",
        dimension);
  if (std::any_of(found + 1, fields.end(), [&](const Field& field) { return is_along(field, dimension); }))
    refuse("several fields are called '{}', so that it is not known of whose values they are; say 'index'", dimension);
  if (found->decomposition >= 0)
    refuse(
        "the field '{}', of whose values they are, has a decomposition, and no rank all of its values; define it "
        "without, or say 'index'",
        found->name);
  const int number = static_cast<int>(found - fields.begin());
  Axis axis{values_of(number, *found, size), found->type == Type::float32, is_longitude(*found)};
  for (const Kept& kept : kept_)
    if (kept.field == number && kept.array.type == Type::float32) axis.is_single = true;
  if (axis.is_single)
    for (double& value : axis.values) value = static_cast<double>(static_cast<float>(value));
  return axis;
}

void KeptStatics::for_each_of(int field, const Put& use) const {
  for (const Kept& kept : kept_)
    if (kept.field == field) use(kept.field, kept.box, kept.array, kept.terms);
}

void KeptStatics::put_all(const Put& put) const {
  for (const Kept& kept : kept_) put(kept.field, kept.box, kept.array, kept.terms);
}

}  // namespace thalweg::fields
