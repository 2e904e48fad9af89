#include "fields/kept_statics.hpp"

#include <algorithm>

#include "base/error.hpp"
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

}  // namespace

KeptStatics::KeptStatics(const config::Settings& settings) {
  for (const auto& [name, collection] : settings.collections) {
    const config::GridSettings& grid = collection.fields.region.grid;
    are_places_needed_ = are_places_needed_ || grid.is_of_points();
    if (!grid.by.empty()) weighing_.insert(grid.by);
    if (grid.is_of_points() || is_by_values(collection.fields.region.parts) ||
        std::ranges::any_of(collection.fields.chosen, [&](const config::ChosenField& of) {
          return is_by_values(collection.fields.region_of(of));
        }))
      are_coordinates_needed_ = true;
  }
}

bool KeptStatics::decides(const Field& field) const {
  if (!field.is_static) return false;
  if (are_coordinates_needed_ && field.decomposition < 0) return true;
  if (are_places_needed_ && (is_latitude(field) || is_longitude(field))) return true;
  return weighing_.contains(field.name) || weighing_.contains(field.last_part());
}

// A second put changes nothing.
void KeptStatics::keep(int field, int box, const put::Field& array) {
  if (kept_of(field, box) != nullptr) return;
  const auto element_bytes = static_cast<std::int64_t>(size_of(array.type));
  Kept& kept = kept_.emplace_back(Kept{field, box, array, {}});
  kept.array.stride = contiguous_strides(array.extent, element_bytes);
  kept.bytes.resize(static_cast<std::size_t>(array.extent.product() * element_bytes));
  kept.array.data = kept.bytes.data();
  put::copy_in_order(array, kept.bytes.data());
}

const KeptStatics::Kept* KeptStatics::kept_of(int field, int box) const {
  const auto found =
      std::ranges::find_if(kept_, [&](const Kept& kept) { return kept.field == field && kept.box == box; });
  return found == kept_.end() ? nullptr : &*found;
}

Axis KeptStatics::axis_of(const std::string& dimension, std::int64_t size, const std::vector<Field>& fields) const {
  const auto found = std::ranges::find_if(fields, [&](const Field& field) { return is_along(field, dimension); });
  const auto refuse = [](const std::string& why) { throw Error(THALWEG_ERROR_CONFIG, why); };
  if (found == fields.end())
    refuse(
        fmt::format("the program has no static field '{}' along this dimension, of whose values they are; define "
                    "it, or say 'index'",
                    dimension));
  if (std::any_of(found + 1, fields.end(), [&](const Field& field) { return is_along(field, dimension); }))
    refuse(fmt::format("several fields are called '{}', so that it is not known of whose values they are; say 'index'",
                       dimension));
  if (found->decomposition >= 0)
    refuse(
        fmt::format("the field '{}', of whose values they are, has a decomposition, and no rank all of its values; "
                    "define it without, or say 'index'",
                    found->name));
  const Kept* kept = kept_of(static_cast<int>(found - fields.begin()), 0);
  if (kept == nullptr)
    refuse(
        fmt::format("the field '{}', of whose values they are, was not put before collections choose; put it before "
                    "the first put of any field that is not static, thalweg_ready and the first advance",
                    found->name));
  if (kept->array.extent.product() != size || kept->array.type == Type::character)
    refuse(fmt::format("the field '{}' was put with {} values, but the dimension has {} cells", found->name,
                       kept->array.extent.product(), size));
  Axis axis{{}, found->type == Type::float32 || kept->array.type == Type::float32, is_longitude(*found)};
  Sample(kept->array).for_each_strip([&](std::int64_t, std::span<const double> values) {
    for (const double value : values)
      axis.values.push_back(axis.is_single ? static_cast<double>(static_cast<float>(value)) : value);
  });
  return axis;
}

void KeptStatics::put_all(const Put& put) const {
  for (const Kept& kept : kept_) put(kept.field, kept.box, kept.array);
}

}  // namespace thalweg::fields
