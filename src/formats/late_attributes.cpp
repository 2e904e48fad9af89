#include "formats/late_attributes.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {

namespace {

constexpr std::array reserved_names = {"_NCProperties",  "_Netcdf4Dimid",  "_Netcdf4Coordinates",
                                       "_nc3_strict",    "CLASS",          "NAME",
                                       "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS"};
constexpr std::size_t longest_name = 256;

bool is_permitted(const std::string& name) {
  if (name.empty() || name.size() > longest_name || name.back() == ' ') return false;
  const auto is_plain = [](unsigned char c) { return c >= 0x20 && c != 0x7f && c != '/'; };
  const auto begins = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; };
  return begins(static_cast<unsigned char>(name.front())) && std::ranges::all_of(name, is_plain);
}

}  // namespace

void check_late_name(const std::string& name, const std::string& owner) {
  if (std::ranges::find(reserved_names, name) != reserved_names.end())
    fail(THALWEG_ERROR_NAME, "attribute '{}' of {}: netCDF-4 has this name for itself; give it another one", name,
         owner);
  if (!is_permitted(name))
    fail(THALWEG_ERROR_NAME,
         "attribute '{}' of {}: netCDF takes no such name: a letter, a digit or '_' first, no '/', no control "
         "character, no blank at its end, at most {} bytes",
         name, owner, longest_name);
}

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
