// The calls that say what is in an input.
#include <algorithm>

#include "api/funnel.hpp"
#include "api/inputs.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "thalweg.h"

using namespace thalweg;
using profile::MpiPhase;

namespace {

const read::Input& input_of(const thalweg_input* handle) {
  return api::required_handle(handle).input->first();
}

// What a message calls them, and they are.
struct Attributes {
  std::string where;
  const std::vector<catalog::Attribute>& all;
};

Attributes attributes_of(const thalweg_input* handle, const char* variable) {
  const read::Input& input = input_of(handle);
  const std::string name = api::text_or_empty(variable);
  if (name.empty()) return {fmt::format("input '{}'", input.path()), input.contents().attributes};
  return {fmt::format("input '{}', variable '{}'", input.path(), name), input.variable(name).attributes};
}

template <typename Named>
const char* name_of_number(const std::vector<Named>& all, int number, const std::string& where, const char* what) {
  if (number >= 0 && number < std::ssize(all)) return all[static_cast<std::size_t>(number)].name.c_str();
  fail(THALWEG_ERROR_ARGUMENT, "{} has {}: there is no number {}; numbers count from {}", where,
       counted(std::ssize(all), what), told::number(number), told::first());
}

const catalog::Attribute& attribute_named(const Attributes& attributes, const std::string& name) {
  if (const catalog::Attribute* found = catalog::find(attributes.all, name)) return *found;
  std::vector<std::string> names;
  for (const catalog::Attribute& attribute : attributes.all) names.push_back(attribute.name);
  fail(THALWEG_ERROR_NAME, "{} has no attribute '{}'{}", attributes.where, name, name_hint(name, names));
}

}  // namespace

int thalweg_input_variables(const thalweg_input* input, int* number) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(number, "number") = 0;
    *number = static_cast<int>(input_of(input).contents().variables.size());
  });
}

int thalweg_input_variable_name(const thalweg_input* input, int number, const char** name) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(name, "name") = "";
    const read::Input& of = input_of(input);
    *name = name_of_number(of.contents().variables, number, fmt::format("input '{}'", of.path()), "variable");
  });
}

int thalweg_input_dimensions(const thalweg_input* input, const char* variable, int* number, const char** names) {
  return api::funnel(MpiPhase::reading, [&] {
    const read::InputVariable& found = api::variable_of(input, variable);
    if (number != nullptr) *number = found.all_dimensions();
    if (names == nullptr) return;
    if (found.has_records) *names++ = input_of(input).contents().record_dimension.c_str();
    for (const std::string& name : found.dimensions) *names++ = name.c_str();
  });
}

int thalweg_input_packing(const thalweg_input* input, const char* variable, int* is_packed, double* scale,
                          double* offset) {
  return api::funnel(MpiPhase::reading, [&] {
    const read::Packing& packing = api::variable_of(input, variable).packing;
    if (is_packed != nullptr) *is_packed = packing.packs() ? 1 : 0;
    if (scale != nullptr) *scale = packing.scale.value_or(1.0);
    if (offset != nullptr) *offset = packing.offset.value_or(0.0);
  });
}

int thalweg_input_attributes(const thalweg_input* input, const char* variable, int* number) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(number, "number") = 0;
    *number = static_cast<int>(attributes_of(input, variable).all.size());
  });
}

int thalweg_input_attribute_name(const thalweg_input* input, const char* variable, int number, const char** name) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(name, "name") = "";
    const Attributes attributes = attributes_of(input, variable);
    *name = name_of_number(attributes.all, number, attributes.where, "attribute");
  });
}

int thalweg_input_attribute(const thalweg_input* input, const char* variable, const char* name, thalweg_type* type,
                            int* count, const void** values) {
  return api::funnel(MpiPhase::reading, [&] {
    const std::string wanted = api::required_text(name, "name");
    const catalog::Attribute& found = attribute_named(attributes_of(input, variable), wanted);
    if (type != nullptr) *type = static_cast<thalweg_type>(found.element_type());
    if (count != nullptr) *count = static_cast<int>(found.bytes().size() / size_of(found.element_type()));
    if (values != nullptr) *values = found.type ? static_cast<const void*>(found.values.data()) : found.text.c_str();
  });
}

int thalweg_input_times(const thalweg_input* input, double* times_s) {
  return api::funnel(MpiPhase::reading, [&] {
    const forcing::Series& of = *api::required_handle(input).input;
    if (of.records() == 0) return;
    api::required(times_s, "times_s");
    std::ranges::copy(of.times(), times_s);
  });
}
