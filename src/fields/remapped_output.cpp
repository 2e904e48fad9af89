#include "fields/remapped_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "fields/field_names.hpp"
#include "fields/numbers.hpp"

namespace thalweg::fields {

std::vector<std::string> dims_on(const Remapping& grid, const Field& field) {
  std::vector<std::string> dims;
  bool has_grid = false;
  for (const std::string& name : split_names(field.dims))
    if (!is_among_names(grid.from, name))
      dims.push_back(name);
    else if (!std::exchange(has_grid, true))
      dims.insert(dims.end(), grid.grid.dims.begin(), grid.grid.dims.end());
  return dims;
}

RemappedOutput::RemappedOutput(const Remapping* to, const Field& field, const HeldField& held, const Dimensions& sizes,
                               int parts)
    : to_(to),
      name_(field.name),
      is_static_(field.is_static),
      numbers_for_none_(field.numbers_for_none()),
      kept_(held.boxes.size()) {
  for (const Box& box : held.boxes) boxes_.emplace_back(box, held.variable.rules, std::max(1, parts));
  if (to == nullptr) return;
  bool has_grid = false;
  if (parts != 0) layers_.push_back(parts);
  for (const std::string& name : split_names(field.dims)) {
    has_grid = has_grid || is_among_names(to->from, name);
    if (!has_grid) ++place_;
    if (!is_among_names(to->from, name)) layers_.push_back(sizes.at(name));
  }
  if (parts != 0) ++place_;
}

void RemappedOutput::keep(int box, const std::vector<std::byte>& values) {
  if (is_over_)
    fail(THALWEG_ERROR_STATE,
         "field '{}': it is static and on another grid, which was made with the first record; put all of it before",
         name_);
  std::vector<double>& kept = kept_[static_cast<std::size_t>(box)];
  kept.resize(values.size() / sizeof(double));
  std::memcpy(kept.data(), values.data(), kept.size() * sizeof(double));
  is_any_ = true;
}

void RemappedOutput::forget() {
  for (std::vector<double>& kept : kept_) kept.clear();
  is_any_ = false;
}

void RemappedOutput::take_over(RemappedOutput& sketched) {
  std::swap(kept_, sketched.kept_);
  std::swap(is_any_, sketched.is_any_);
}

std::vector<double> RemappedOutput::layers() const {
  std::vector<double> all;
  for (std::int64_t layer = 0; layer < layers_.product(); ++layer)
    for (std::size_t box = 0; box < boxes_.size(); ++box)
      if (!kept_[box].empty())
        boxes_[box].append_layer(kept_[box], layer, all);
      else
        all.insert(all.end(), static_cast<std::size_t>(boxes_[box].cells()), std::numeric_limits<double>::quiet_NaN());
  return all;
}

void RemappedOutput::put(session::Session& session, session::Collection& collection, const Written& written) {
  const std::vector<double> made = to_->exchange->remapped(layers(), layers_.product(), written.missing);
  forget();
  is_over_ = is_static_;
  if (made.empty()) return;
  const std::size_t element_bytes = size_of(written.type);
  std::vector<std::byte> results(made.size() * element_bytes);
  std::byte* to = results.data();
  for (const double value : made) {
    if (std::isnan(value) || !store_result(written.type, to, value, numbers_for_none_))
      std::memcpy(to, written.fill.data(), element_bytes);
    to += element_bytes;
  }
  session.put(collection, written.variable, 0, array_of(results, written.type));
}

// Results lie layer by layer; files have the grid's dimensions among those of the layers.
put::Field RemappedOutput::array_of(const std::vector<std::byte>& results, Type type) const {
  const auto element_bytes = static_cast<std::int64_t>(size_of(type));
  const bool is_one = to_->grid.dims.empty();
  const Index cells = is_one ? Index() : to_->own.count;
  const Index of_cells = contiguous_strides(cells, element_bytes);
  const Index of_layers = contiguous_strides(layers_, element_bytes * to_->exchange->cells());
  put::Field array{results.data(), type, {}, {}};
  for (int d = 0; d <= layers_.rank(); ++d) {
    if (d == place_)
      for (int c = 0; c < cells.rank(); ++c) {
        array.extent.push_back(cells[c]);
        array.stride.push_back(of_cells[c]);
      }
    if (d == layers_.rank()) break;
    array.extent.push_back(layers_[d]);
    array.stride.push_back(of_layers[d]);
  }
  return array;
}

}  // namespace thalweg::fields
