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
  Selecting(const config::CollectionSettings& collection, const Region::Said& said, const config::PartOfDimension& part)
      : collection_(collection), said_(said), part_(part) {}

  Region::Along along(std::int64_t size, const Region::AxisOf& axis_of) {
    size_ = size;
    if (part_.is_by_values()) try {
        axis_ = axis_of(part_.dimension, size);
      } catch (const Error& error) {
        refuse("{}", error.what());
      }
    Selection selection = std::visit(*this, part_.part);
    return {std::move(selection), size, std::move(turned_)};
  }

  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
    const std::string& place = said_.place;
    fail(THALWEG_ERROR_CONFIG, "{}: {}region '{}: {}': {}",
         place.empty() ? config::title_of(collection_) : fmt::format("{}: collection '{}'", place, collection_.name),
         said_.is_of_some ? "fields: " : "", part_.dimension, text_of(part_),
         fmt::format(text, std::forward<Values>(values)...));
  }

  Selection operator()(const config::IndexRange& range) {
    const std::int64_t to = range.to.value_or(size_ - 1);
    for (const std::int64_t end : {range.from, to}) require_within(end);
    return Selection({{range.from, range.step, (to - range.from) / range.step + 1}});
  }

  Selection operator()(const config::IndexList& list) {
    for (const std::int64_t index : list) require_within(index);
    return Selection::of(list);
  }

  Selection operator()(const config::ValueRange& range) {
    if (range.to < range.from && !axis_.is_longitude)
      refuse("the values end before they begin; that goes for longitudes alone (units: degrees_east)");
    Axis::Part found = axis_.between(range.from, range.to);
    if (found.cells.is_empty()) refuse("no cell has a value in it; the coordinate is {}", axis_.range());
    turned_ = std::move(found.turned);
    return std::move(found.cells);
  }

  Selection operator()(const config::ValueList& list) {
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
  const Region::Said& said_;
  const config::PartOfDimension& part_;
  std::vector<double> turned_;
  std::int64_t size_ = 0;
  Axis axis_;
};

}  // namespace

Region::Region(const config::CollectionSettings& collection, const Said& said, const Sizes& sizes,
               const AxisOf& axis_of) {
  std::vector<std::string> known;
  for (const auto& [name, of] : sizes) known.push_back(name);
  for (const config::PartOfDimension& part : said.parts) {
    Selecting selecting(collection, said, part);
    const auto found = sizes.find(part.dimension);
    const bool is_usual = said.place.empty() && !said.is_of_some;
    if (found == sizes.end() && (is_usual || collection.fields.is_optional)) {
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

// A dimension of which these fields have all is one of their own as well.
void Region::set_apart(const std::vector<config::PartOfDimension>& own,
                       const std::vector<config::PartOfDimension>& other, const std::string& ending,
                       const Sizes& sizes) {
  ending_ = ending;
  for (const std::string& dimension : dimensions_apart(own, other)) {
    const auto found = sizes.find(dimension);
    if (found == sizes.end()) continue;
    apart_.insert(dimension);
    along_.try_emplace(dimension, Along{Selection::all(*found->second.begin()), *found->second.begin()});
  }
}

const std::vector<double>* Region::turned(const Field& field, const std::vector<Field>& fields) const {
  const std::vector<std::string> dims = split_names(field.dims);
  const Along* along = !field.is_static || dims.empty() || field.decomposition >= 0 ? nullptr : find(dims.front());
  if (along == nullptr || along->turned.empty()) return nullptr;
  const auto is_coordinate = [&](const Field& of) { return of.dims == dims.front() && of.last_part() == of.dims; };
  const auto is_of_it = [&](const Field& coordinate) {
    if (!coordinate.is_static || !is_coordinate(coordinate)) return false;
    const catalog::Attribute* bounds = catalog::find(coordinate.attributes, "bounds");
    return coordinate.name == field.name || (bounds != nullptr && bounds->text == field.last_part());
  };
  return std::ranges::any_of(fields, is_of_it) ? &along->turned : nullptr;
}

std::set<std::string> dimensions_apart(const std::vector<config::PartOfDimension>& own,
                                       const std::vector<config::PartOfDimension>& other) {
  std::set<std::string> apart;
  const auto add = [&](const auto& these, const auto& those) {
    for (const config::PartOfDimension& part : these)
      if (std::ranges::find(those, part) == those.end()) apart.insert(part.dimension);
  };
  add(own, other);
  add(other, own);
  return apart;
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
