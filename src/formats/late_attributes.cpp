#include "formats/late_attributes.hpp"

#include "formats/registry.hpp"

namespace thalweg::formats {

void add_attributes(catalog::Definition& definition, std::span<const catalog::GivenAttribute> given) {
  for (const catalog::GivenAttribute& of : given) {
    std::vector<catalog::Attribute>& owner = of.owner_in(definition);
    const catalog::Attribute* before = catalog::find(owner, of.attribute.name);
    definition.header_reserve += before == nullptr ? 0 : header_bytes(definition.format, *before);
    definition.header_reserve -= header_bytes(definition.format, of.attribute);
    catalog::set_attribute(owner, of.attribute);
  }
}

}  // namespace thalweg::formats
