// The part that a collection has of its fields, or of some of them: what is selected along which dimensions. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/axis.hpp"
#include "fields/field.hpp"
#include "geometry/selection.hpp"

namespace thalweg::fields {

class Region {
 public:
  struct Along {
    geometry::Selection selection;
    std::int64_t size = 0;         // of the dimension, of which that is selected
    std::vector<double> turned{};  // by how many degrees the longitude of each cell is; empty: none

    friend bool operator==(const Along&, const Along&) = default;
  };

  // Sizes that dimensions of the collection's fields have, by their names.
  using Sizes = std::map<std::string, std::set<std::int64_t>>;
  // Of a dimension of so many cells. Throws what is wrong, without saying where it was asked for.
  using AxisOf = std::function<Axis(const std::string& dimension, std::int64_t size)>;

  // What is said of the fields.
  struct Said {
    std::vector<config::PartOfDimension> parts;
    std::string place{};      // in the text; empty: the defaults say it, if anybody
    bool is_of_some = false;  // of the collection's fields, which say it themselves
  };
  static Said said_of(const config::CollectionSettings& collection) {
    return {collection.fields.region.parts, collection.fields.region.place};
  }

  Region() = default;  // all
  // Errors: CONFIG, for dimensions that none of the fields has, unless fields may be missing or the defaults say them;
  // and where nothing is selected or what there is not.
  Region(const config::CollectionSettings& collection, const Said& said, const Sizes& sizes, const AxisOf& axis_of);

  // Beside fields of which the collection has another part: dimensions of which it has not the same one are called
  // otherwise. other: what is said of those fields. Errors: CONFIG for a name that there is.
  void set_apart(const std::vector<config::PartOfDimension>& own, const std::vector<config::PartOfDimension>& other,
                 const std::string& ending, const Sizes& sizes);

  // Null: all of the dimension.
  const Along* find(const std::string& dimension) const {
    const auto found = along_.find(dimension);
    return found == along_.end() ? nullptr : &found->second;
  }
  bool has_any(const std::vector<std::string>& dimensions) const {
    return std::ranges::any_of(dimensions, [this](const std::string& of) { return find(of) != nullptr; });
  }
  // What files call a dimension of a field.
  std::string name_of(const std::string& dimension) const {
    return apart_.contains(dimension) ? dimension + ending_ : dimension;
  }
  // By how many degrees longitudes are turned along the field's first dimension: of its coordinate, or the bounds of
  // that. Null: they are not.
  const std::vector<double>* turned(const Field& field, const std::vector<Field>& fields) const;
  // Dimensions that none of its fields has.
  const std::vector<std::string>& absent() const { return absent_; }
  // Along each of these, which have these sizes.
  std::vector<geometry::Selection> selections(const std::vector<std::string>& dimensions, const Index& sizes) const;

  friend bool operator==(const Region&, const Region&) = default;

 private:
  std::map<std::string, Along> along_;
  std::set<std::string> apart_;  // dimensions of which other fields have another part
  std::string ending_;           // of the names of these
  std::vector<std::string> absent_;
};

// Dimensions of which two regions have not the same part.
std::set<std::string> dimensions_apart(const std::vector<config::PartOfDimension>& own,
                                       const std::vector<config::PartOfDimension>& other);

}  // namespace thalweg::fields
