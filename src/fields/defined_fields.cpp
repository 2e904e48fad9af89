#include "fields/defined_fields.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::fields {

void DefinedFields::define_dimension(const std::string& name, std::int64_t size) {
  if (name.empty()) fail(THALWEG_ERROR_ARGUMENT, "a dimension of fields needs a name");
  if (size < 1)
    fail(THALWEG_ERROR_ARGUMENT, "dimension '{}' of fields: its size is {}, but must be at least 1", name, size);
  const auto [at, is_new] = dimensions_.try_emplace(name, size);
  if (!is_new && at->second != size)
    fail(THALWEG_ERROR_NAME, "dimension '{}' of fields has the size {} already, and cannot have {}", name, at->second,
         size);
  ++changes_;
}

int DefinedFields::define(Field field) {
  if (field.last_part().empty() || field.name.front() == '/')
    fail(THALWEG_ERROR_NAME, "field '{}': a name is 'temp', or 'ocean/temp' with the component before", field.name);
  if (field.name.find_first_of("*?, ") != std::string::npos)
    fail(THALWEG_ERROR_NAME, "field '{}': a name has no *, ?, comma or blank", field.name);
  const auto is_same = [&](const Field& of) { return of.is_of_program() && of.name == field.name; };
  if (std::ranges::any_of(fields_, is_same)) fail(THALWEG_ERROR_NAME, "field '{}' is defined already", field.name);
  fields_.push_back(std::move(field));
  ++changes_;
  return static_cast<int>(fields_.size()) - 1;
}

void DefinedFields::define_attribute(int field, catalog::Attribute attribute) {
  Field& of = fields_[static_cast<std::size_t>(field)];
  std::erase_if(of.attributes, [&](const catalog::Attribute& given) { return given.name == attribute.name; });
  of.attributes.push_back(std::move(attribute));
  ++of.revision;
  ++changes_;
}

}  // namespace thalweg::fields
