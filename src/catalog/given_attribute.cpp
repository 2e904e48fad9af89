#include "catalog/given_attribute.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::catalog {

void set_attribute(std::vector<Attribute>& attributes, Attribute attribute) {
  const auto known = std::ranges::find(attributes, attribute.name, &Attribute::name);
  if (known == attributes.end())
    attributes.push_back(std::move(attribute));
  else
    *known = std::move(attribute);
}

}  // namespace thalweg::catalog
