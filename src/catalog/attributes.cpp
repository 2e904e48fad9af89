#include "catalog/attributes.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "catalog/encoding.hpp"
#include "catalog/given_attribute.hpp"

namespace thalweg::catalog {
std::size_t Attributes::number_of_owner(const std::string& variable, const std::string& attribute) const {
  const int number = variables_.find(variable);
  if (number < 0)
    fail(THALWEG_ERROR_NAME, "collection '{}': attribute '{}' of unknown variable '{}'{}", settings_.name, attribute,
         variable, name_hint(variable, variables_.names()));
  return static_cast<std::size_t>(number);
}

const Attribute* Attributes::find(const std::string& variable, const std::string& name) const {
  return catalog::find(
      variable.empty() ? definition_.attributes : definition_.variables[number_of_owner(variable, name)].attributes,
      name);
}

void Attributes::define(const std::string& variable, Attribute attribute) {
  if (variable.empty()) return set_attribute(definition_.attributes, std::move(attribute));
  if (variable == settings_.record_dimension && variables_.find(variable) < 0)
    return set_attribute(early_, std::move(attribute));
  Variable& owner = definition_.variables[number_of_owner(variable, attribute.name)];
  if (attribute.name == "_FillValue" &&
      (attribute.element_type() != owner.type || attribute.bytes().size() != size_of(owner.type)))
    fail(THALWEG_ERROR_SHAPE, "collection '{}', variable '{}': _FillValue must be one value of the variable's type {}",
         settings_.name, variable, name_of(owner.type));
  set_attribute(owner.attributes, std::move(attribute));
}

void Attributes::give_early() {
  const std::string& coordinate = settings_.record_dimension;
  for (Attribute& attribute : std::exchange(early_, {})) {
    const auto owner = static_cast<int>(number_of_owner(coordinate, attribute.name));
    if (owner == variables_.own_coordinate()) require_changeable(coordinate, attribute.name);
    define(coordinate, std::move(attribute));
  }
}

void Attributes::change(const std::string& variable, Attribute attribute, std::int64_t header_growth) {
  require_changeable(variable, attribute.name);
  define(variable, std::move(attribute));
  least_reserve_ = std::min(least_reserve_, definition_.header_reserve);
  definition_.header_reserve -= header_growth;
  ++changes_;
}

void Attributes::add(std::int64_t file, const std::string& variable, const Attribute& attribute, std::int64_t bytes) {
  require_changeable(variable, attribute.name);
  take_from_reserve(file, variable, attribute.name, bytes);
  ++added_.count;
  added_.last = attribute.name;
  added_.all.add(static_cast<std::uint64_t>(file));
  for (const std::string& text : {variable, attribute.name}) added_.all.add(text);
}

// Whatever of the file's own it replaces: that may have begun with other attributes than the next one will.
void Attributes::take_from_reserve(std::int64_t file, const std::string& variable, const std::string& name,
                                   std::int64_t bytes) {
  if (std::exchange(added_.file, file) != file) added_.bytes.clear();
  std::int64_t& own = added_.bytes[variable + '\n' + name];
  std::int64_t left = std::min(least_reserve_, definition_.header_reserve) + own;
  for (const auto& [of, taken] : added_.bytes) left -= taken;
  if (bytes > left)
    fail(THALWEG_ERROR_FORMAT,
         "collection '{}': attribute '{}' needs {} bytes of the header of the open file, and {} are left; give "
         "header-reserve at least {} more bytes",
         settings_.name, name, bytes, left, bytes - left);
  own = bytes;
}

std::string Attributes::description_of_added() const {
  return added_.count == 0
             ? ""
             : fmt::format("collection '{}' after {} attributes of open files, the last one '{}' ({:x})\n",
                           settings_.name, added_.count, added_.last, added_.all.value());
}

void Attributes::require_changeable(const std::string& variable, const std::string& name) const {
  if (const char* reason = reason_to_keep(variable, name))
    fail(THALWEG_ERROR_NAME, "collection '{}', variable '{}': attribute '{}' does not change: {}", settings_.name,
         variable, name, reason);
}

// Null: the model may change it. Otherwise what it says is true of all files of the collection.
const char* Attributes::reason_to_keep(const std::string& variable, const std::string& name) const {
  if (variable.empty()) return nullptr;
  if (name == "_FillValue") return "it was settled with the definitions what holes are filled with";
  const auto number = static_cast<int>(number_of_owner(variable, name));
  const Variable& owner = definition_.variable(number);
  if (owner.takes_checksum && (name == checksum_name || name == "missing_value"))
    return "with checksum-attributes it is settled with the definitions what is summed";
  if (number == variables_.own_coordinate() && (name == "units" || name == "calendar"))
    return "Thalweg puts this variable, in seconds since 'reference-date'; define it in the model, and put it, to say "
           "the time in other units";
  if (!variables_.model_side(number).is_held) return "it says how values of other variables are rounded";
  if (!owner.encoding.rounds()) return nullptr;
  for (const RoundingWords& words : {bit_round_words, granular_bit_round_words})
    if (name == "quantization" || name == words.kept_for_netcdf || name == words.kept_for_cf)
      return "it says how values are rounded, which 'compression' sets";
  return nullptr;
}

}  // namespace thalweg::catalog
