#include "fields/source_cells.hpp"

#include <algorithm>

#include "fields/sample.hpp"

namespace thalweg::fields {
namespace {

// Calls use with the place in memory of each cell, row by row.
template <typename Use>
void for_each_place(const Index& count, const Index& stride, const Use& use) {
  const std::int64_t all = count.product();
  for (std::int64_t cell = 0; cell < all; ++cell) {
    std::int64_t left = cell, place = 0;
    for (int d = count.rank() - 1; d >= 0; --d) {
      place += left % count[d] * stride[d];
      left /= count[d];
    }
    use(place);
  }
}

}  // namespace

std::vector<std::int64_t> numbers_of_cells(const geometry::Decomposition& of) {
  std::vector<std::int64_t> numbers;
  if (of.list != nullptr) {
    numbers.assign(static_cast<std::size_t>(of.boxes.empty() ? 0 : of.list->count), -1);
    for (const geometry::IndexRun& run : of.list->runs)
      for (std::int64_t i = 0; i < run.length; ++i) numbers[static_cast<std::size_t>(run.local + i)] = run.global + i;
    return numbers;
  }
  const Index stride = contiguous_strides(of.shape, 1);
  for (const Box& box : of.boxes) {
    std::int64_t first = 0;
    for (int d = 0; d < box.rank(); ++d) first += box.start[d] * stride[d];
    for_each_place(box.count, stride, [&](std::int64_t place) { numbers.push_back(first + place); });
  }
  return numbers;
}

LayersOfBox::LayersOfBox(const Box& box, const put::FieldRules& rules, std::int64_t leading) {
  const Index in_memory = in_memory_order(box.count, rules), stride = contiguous_strides(in_memory, 1);
  std::vector<int> order;  // of dimensions of the box, as those of the decomposition follow each other
  layers_.push_back(leading);
  strides_of_layers_.push_back(box.count.product());
  for (int d = 0; d < box.rank(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (rules.decomposed[at] >= 0) {
      order.push_back(d);
      continue;
    }
    layers_.push_back(box.count[d]);
    strides_of_layers_.push_back(stride[rules.memory_place[at]]);
  }
  std::ranges::sort(order, {}, [&](int d) { return rules.decomposed[static_cast<std::size_t>(d)]; });
  for (const int d : order) {
    cells_.push_back(box.count[d]);
    strides_of_cells_.push_back(stride[rules.memory_place[static_cast<std::size_t>(d)]]);
  }
}

void LayersOfBox::append_layer(const std::vector<double>& values, std::int64_t layer, std::vector<double>& to) const {
  std::int64_t left = layer, first = 0;
  for (int d = layers_.rank() - 1; d >= 0; --d) {
    first += left % layers_[d] * strides_of_layers_[d];
    left /= layers_[d];
  }
  for_each_place(cells_, strides_of_cells_,
                 [&](std::int64_t place) { to.push_back(values[static_cast<std::size_t>(first + place)]); });
}

}  // namespace thalweg::fields
