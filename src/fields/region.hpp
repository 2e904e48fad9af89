// The part of its fields that a collection has: what is selected along which dimensions. Pure.
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
#include "geometry/selection.hpp"

namespace thalweg::fields {

class Region {
 public:
  struct Along {
    geometry::Selection selection;
    std::int64_t size = 0;  // of the dimension, of which that is selected
  };

  // Sizes that dimensions of the collection's fields have, by their names.
  using Sizes = std::map<std::string, std::set<std::int64_t>>;
  // Of a dimension of so many cells. Throws what is wrong, without saying where it was asked for.
  using AxisOf = std::function<Axis(const std::string& dimension, std::int64_t size)>;

  Region() = default;  // all
  // What the collection says. Errors: CONFIG, for dimensions that none of its fields has, unless fields may be missing
  // or the defaults say them; and where nothing is selected or what there is not.
  Region(const config::CollectionSettings& collection, const Sizes& sizes, const AxisOf& axis_of);

  // Null: all of the dimension.
  const Along* find(const std::string& dimension) const {
    const auto found = along_.find(dimension);
    return found == along_.end() ? nullptr : &found->second;
  }
  bool has_any(const std::vector<std::string>& dimensions) const {
    return std::ranges::any_of(dimensions, [this](const std::string& of) { return find(of) != nullptr; });
  }
  // Dimensions that none of its fields has.
  const std::vector<std::string>& absent() const { return absent_; }
  // Along each of these, which have these sizes.
  std::vector<geometry::Selection> selections(const std::vector<std::string>& dimensions, const Index& sizes) const;

 private:
  std::map<std::string, Along> along_;
  std::vector<std::string> absent_;
};

}  // namespace thalweg::fields
