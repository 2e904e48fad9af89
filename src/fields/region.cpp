#include "fields/region.hpp"

#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/region_values.hpp"
#include "config/title.hpp"

namespace thalweg::fields {
namespace {

using geometry::Selection;

// What is said of one dimension.
class Selecting {
 public:
  Selecting(const config::CollectionSettings& collection, const config::PartOfDimension& part)
      : collection_(collection), part_(part) {}

  Region::Along along(std::int64_t size, const Region::AxisOf& axis_of) {
    size_ = size;
    if (part_.is_by_values()) try {
        axis_ = axis_of(part_.dimension, size);
      } catch (const Error& error) {
        refuse("{}", error.what());
      }
    return {std::visit(*this, part_.part), size};
  }

  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
    const std::string& place = collection_.fields.region.place;
    fail(THALWEG_ERROR_CONFIG, "{}: region '{}: {}': {}",
         place.empty() ? config::title_of(collection_) : fmt::format("{}: collection '{}'", place, collection_.name),
         part_.dimension, text_of(part_), fmt::format(text, std::forward<Values>(values)...));
  }

  Selection operator()(const config::IndexRange& range) const {
    const std::int64_t to = range.to.value_or(size_ - 1);
    for (const std::int64_t end : {range.from, to}) require_within(end);
    return Selection({{range.from, range.step, (to - range.from) / range.step + 1}});
  }

  Selection operator()(const config::IndexList& list) const {
    for (const std::int64_t index : list) require_within(index);
    return Selection::of(list);
  }

  Selection operator()(const config::ValueRange& range) const {
    if (range.to < range.from && !axis_.is_longitude)
      refuse("the values end before they begin; that goes for longitudes alone (units: degrees_east)");
    Selection found = axis_.between(range.from, range.to);
    if (found.is_empty()) refuse("no cell has a value in it; the coordinate is {}", axis_.range());
    return found;
  }

  Selection operator()(const config::ValueList& list) const {
    std::map<std::int64_t, double> values;  // by the cells
    for (const double value : list) {
      const std::optional<std::int64_t> cell = axis_.nearest(value);
      if (!cell) refuse("the value {} is outside; the coordinate is {}", value, axis_.range());
      const auto [at, is_new] = values.emplace(*cell, value);
      if (!is_new)
        refuse("the values {} and {} are nearest to the same cell, {}; leave one of them out", at->second, value,
               *cell);
    }
    std::vector<std::int64_t> cells;
    for (const auto& [cell, value] : values) cells.push_back(cell);
    return Selection::of(cells);
  }

 private:
  void require_within(std::int64_t index) const {
    if (index >= size_) refuse("there is no index {}; the dimension has {} cells, 0 to {}", index, size_, size_ - 1);
  }

  const config::CollectionSettings& collection_;
  const config::PartOfDimension& part_;
  std::int64_t size_ = 0;
  Axis axis_;
};

}  // namespace

Region::Region(const config::CollectionSettings& collection, const Sizes& sizes, const AxisOf& axis_of) {
  const config::RegionSettings& said = collection.fields.region;
  std::vector<std::string> known;
  for (const auto& [name, of] : sizes) known.push_back(name);
  for (const config::PartOfDimension& part : said.parts) {
    Selecting selecting(collection, part);
    const auto found = sizes.find(part.dimension);
    if (found == sizes.end() && (said.place.empty() || collection.fields.is_optional)) {
      absent_.push_back(part.dimension);
      continue;
    }
    if (found == sizes.end()) selecting.refuse("no field of it has this dimension{}", name_hint(part.dimension, known));
    if (found->second.size() != 1)
      selecting.refuse("fields of it have this dimension with {} cells; put them into collections of their own",
                       fmt::join(found->second, " and "));
    along_.emplace(part.dimension, selecting.along(*found->second.begin(), axis_of));
  }
}

std::vector<Selection> Region::selections(const std::vector<std::string>& dimensions, const Index& sizes) const {
  std::vector<Selection> all;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const Along* along = find(dimensions[d]);
    all.push_back(along != nullptr ? along->selection : Selection::all(sizes[static_cast<int>(d)]));
  }
  return all;
}

}  // namespace thalweg::fields
