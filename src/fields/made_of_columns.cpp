#include "fields/made_of_columns.hpp"

#include <optional>
#include <utility>

#include "fields/whole_columns.hpp"

namespace thalweg::fields {

MadeOfColumns::MadeOfColumns(std::shared_ptr<const Levels> levels, std::vector<Index> extents, int along)
    : levels_(std::move(levels)),
      extents_(std::move(extents)),
      along_(along),
      found_(std::make_shared<std::vector<Found>>(extents_.size())) {}

void MadeOfColumns::join(const MadeOfColumns& other) {
  if (other.levels_ == levels_ && other.along_ == along_ && other.extents_ == extents_) found_ = other.found_;
}

Columns MadeOfColumns::columns_of(const KeptValues& values, int box) const {
  const Index& extent = extents_[static_cast<std::size_t>(box)];
  put::Field array = values.array(extent);
  const bool is_of_one_column = values.cells() != extent.product();
  for (int d = 0; d < extent.rank() && is_of_one_column; ++d)
    array.stride[d] = d == along_ ? static_cast<std::int64_t>(size_of(array.type)) : 0;
  return {array, along_};
}

const LevelPlaces& MadeOfColumns::places(int box, const Other& coordinate) const {
  Found& found = (*found_)[static_cast<std::size_t>(box)];
  if (found.step == coordinate.step) return found.places;
  found.step = coordinate.step;
  found.places.find(columns_of(*coordinate.values, box), *levels_, coordinate.is_single);
  return found.places;
}

void MadeOfColumns::make(int box, const Columns& field, const std::vector<double>& missing, bool is_single,
                         const Other& other, std::span<double> results) const {
  if (!levels_->whole) return places(box, other).interpolate(field, missing, is_single, results);
  std::optional<Columns> weights;
  if (other.values != nullptr) weights = columns_of(*other.values, box);
  make_of_columns(*levels_->whole, field, missing, is_single, weights, results);
}

void MadeOfColumns::leave_out(const KeptValues& of, int box, std::size_t cells, CellsPut& put) const {
  const bool is_of_all_columns = of.cells() == extents_[static_cast<std::size_t>(box)].product();
  if (is_of_all_columns && !of.put_cells().empty())
    leave_put(put, put_at_levels(of.put_cells(), columns_of(of, box), cells));
}

}  // namespace thalweg::fields
