#include "fields/columns_of_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/names.hpp"
#include "fields/field_names.hpp"

namespace thalweg::fields {

std::string text_of_attribute(const std::vector<catalog::Attribute>& attributes, const char* name) {
  const catalog::Attribute* found = catalog::find(attributes, name);
  return found == nullptr ? "" : found->text;
}

bool has_dimension(const Field& field, const std::string& dimension) {
  return is_among_names(split_names(field.dims), dimension);
}

bool is_along_one_column(const Field& field) {
  return field.decomposition < 0 && split_names(field.dims).size() == 1;
}

void require_numbers(const Field& field, const RefuseColumns& refuse) {
  if (field.type == Type::character)
    refuse(fmt::format(
        "vertical: field '{}' is of characters, with which nothing is computed; say 'vertical: none' of it, "
        "or leave it out",
        field.name));
  if (field.is_packed())
    refuse(
        fmt::format("vertical: what is put of field '{}' are packed values (scale_factor, add_offset), with which "
                    "nothing is computed; put it unpacked",
                    field.name));
}

void require_whole_columns(const Field& field, const std::string& dimension, const DividedDimensions& divided,
                           const RefuseColumns& refuse) {
  if (is_among_names(divided(field), dimension))
    refuse(
        fmt::format("vertical: the decomposition of '{}' divides '{}', but each rank needs whole columns; decompose "
                    "the other dimensions alone",
                    field.name, dimension));
}

std::string standard_name_along(const std::string& dimension, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    if (!field.is_static || field.dims != dimension || field.last_part() != dimension) continue;
    if (std::string name = text_of_attribute(field.attributes, "standard_name"); !name.empty()) return name;
  }
  return "";
}

// Of methods as in "depth: lat: mean (comment) time: maximum" those along the dimension alone, and else its name, are
// left out. (source: CF conventions, section 7.3)
std::string without_method_along(const std::string& text, const std::string& dimension) {
  std::string made, names, method;
  bool is_along_it = false;
  const auto end_method = [&] {
    if (!names.empty() || !is_along_it) made += (made.empty() ? "" : " ") + names + method;
    names = method = "";
    is_along_it = false;
  };
  int depth = 0;  // of brackets, in which no names of dimensions are
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool is_name = depth == 0 && word.ends_with(':');
    if (is_name && !method.empty()) end_method();
    if (is_name && word == dimension + ":")
      is_along_it = true;
    else if (is_name)
      names += word + " ";
    else
      method += (method.empty() ? "" : " ") + word;
    depth += static_cast<int>(std::ranges::count(word, '(') - std::ranges::count(word, ')'));
  }
  end_method();
  return made;
}

void leave_columns(std::vector<catalog::Attribute>& attributes, const std::string& dimension,
                   const std::vector<Field>& fields) {
  std::erase_if(attributes, [](const catalog::Attribute& of) {
    return of.name.starts_with("flag_") || of.name == "actual_range" ||
           (of.name == "cell_measures" && of.text.find("volume:") != std::string::npos);
  });
  for (catalog::Attribute& attribute : attributes)
    if (attribute.name == "coordinates")
      attribute.text = without_fields_along(attribute.text, {dimension}, fields);
    else if (attribute.name == "cell_methods")
      attribute.text = without_method_along(attribute.text, dimension);
  std::erase_if(attributes, [](const catalog::Attribute& of) {
    return (of.name == "coordinates" || of.name == "cell_methods") && of.text.empty();
  });
}

}  // namespace thalweg::fields
