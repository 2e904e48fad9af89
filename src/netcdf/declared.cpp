#include "netcdf/declared.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/told.hpp"

namespace thalweg::netcdf {
namespace {

bool is_same(const catalog::Attribute& a, const catalog::Attribute& b) {
  return a.name == b.name && a.type == b.type && a.text == b.text && a.values == b.values;
}

// Attributes of `now` that `before` has not, or other ones of that name; nothing: one cannot be had so.
std::optional<std::vector<catalog::Attribute>> changed(const std::vector<catalog::Attribute>& before,
                                                       const std::vector<catalog::Attribute>& now) {
  std::vector<catalog::Attribute> changes;
  for (const catalog::Attribute& attribute : before)
    if (catalog::find(now, attribute.name) == nullptr) return std::nullopt;
  for (const catalog::Attribute& attribute : now) {
    if (std::ranges::any_of(before, [&](const auto& earlier) { return is_same(earlier, attribute); })) continue;
    if (attribute.name == "_FillValue") return std::nullopt;  // blocks are planned with it
    changes.push_back(attribute);
  }
  return changes;
}

// As netCDF refuses it.
void require_fill(const Variable& variable, const catalog::Attribute& attribute) {
  if (attribute.name != "_FillValue") return;
  if (attribute.element_type() != variable.type || attribute.bytes().size() != size_of(variable.type))
    fail(THALWEG_ERROR_SHAPE, "variable '{}': its {} is no fill value; give one value of its type {}", variable.name,
         catalog::text_of(attribute), name_of(variable.type));
}

template <typename Named>
int find_in(const std::vector<Named>& all, const std::string& name, const char* what) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found != all.end()) return static_cast<int>(found - all.begin());
  std::vector<std::string> names;
  for (const Named& of : all) names.push_back(of.name);
  fail(THALWEG_ERROR_NAME, "there is no {} '{}'{}", what, name, name_hint(name, names));
}

template <typename Named>
const Named& at(const std::vector<Named>& all, int number, const char* what) {
  if (number < 0 || number >= std::ssize(all))
    fail(THALWEG_ERROR_NAME, "there is no {} with the number {}; {} are defined", what, told::number(number),
         all.size());
  return all[static_cast<std::size_t>(number)];
}

template <typename Named>
void require_new(const std::vector<Named>& all, const std::string& name, const char* what) {
  if (name.empty()) fail(THALWEG_ERROR_NAME, "a {} without a name", what);
  if (name.find('/') != std::string::npos)
    fail(THALWEG_ERROR_NAME, "{} '{}': names in netCDF files have no '/'; give another one", what, name);
  if (std::ranges::find(all, name, &Named::name) != all.end())
    fail(THALWEG_ERROR_NAME, "{} '{}' is defined already", what, name);
}

}  // namespace

int Declared::define_dimension(const std::string& name, std::int64_t size) {
  require_new(dimensions_, name, "dimension");
  if (size == THALWEG_UNLIMITED) {
    if (record_dimension_ >= 0)
      fail(THALWEG_ERROR_SHAPE,
           "a second unlimited dimension, '{}' beside '{}'; a file has one, so give '{}' the size that it will have",
           name, dimension(record_dimension_).name, name);
    record_dimension_ = static_cast<int>(dimensions_.size());
  } else if (size < 1) {
    fail(THALWEG_ERROR_SHAPE, "dimension '{}' has {} elements; give at least 1, or unlimited", name, size);
  }
  dimensions_.push_back({name, size});
  return static_cast<int>(dimensions_.size()) - 1;
}

int Declared::define_variable(const std::string& name, Type type, const std::vector<int>& dimensions) {
  require_new(variables_, name, "variable");
  Variable made{name, type, false, {}};
  for (const int number : dimensions) {
    const catalog::Dimension& of = dimension(number);
    if (number != record_dimension_) {
      made.dimensions.push_back(number);
      continue;
    }
    if (number != dimensions.front() || made.has_record)
      fail(THALWEG_ERROR_SHAPE,
           "variable '{}': its unlimited dimension '{}' has to be the slowest one (first in C, last in Fortran)", name,
           of.name);
    made.has_record = true;
  }
  if (std::ssize(made.dimensions) >= max_rank)
    fail(THALWEG_ERROR_SHAPE, "variable '{}' has {} dimensions; {} are possible beside the unlimited one", name,
         made.dimensions.size(), max_rank - 1);
  variables_.push_back(std::move(made));
  return static_cast<int>(variables_.size()) - 1;
}

void Declared::set_deflate(int number, const Deflate& deflate) {
  variable(number);
  variables_[static_cast<std::size_t>(number)].deflate = deflate;
}

void Declared::give(int variable, catalog::Attribute attribute) {
  std::vector<catalog::Attribute>& all = to_change(variable);
  if (variable != whole_file) require_fill(this->variable(variable), attribute);
  const auto found = std::ranges::find(all, attribute.name, &catalog::Attribute::name);
  if (found == all.end())
    all.push_back(std::move(attribute));
  else
    *found = std::move(attribute);
}

std::vector<catalog::Attribute>& Declared::to_change(int number) {
  if (number == whole_file) return attributes_;
  variable(number);
  return variables_[static_cast<std::size_t>(number)].attributes;
}

const std::vector<catalog::Attribute>& Declared::attributes_of(int number) const {
  return number == whole_file ? attributes_ : variable(number).attributes;
}

const catalog::Attribute& Declared::attribute(int variable, int number) const {
  return at(attributes_of(variable), number, "attribute");
}

const catalog::Attribute& Declared::attribute(int variable, const std::string& name) const {
  const std::vector<catalog::Attribute>& all = attributes_of(variable);
  return all[static_cast<std::size_t>(find_in(all, name, "attribute"))];
}

int Declared::find_dimension(const std::string& name) const {
  return find_in(dimensions_, name, "dimension");
}

int Declared::find_variable(const std::string& name) const {
  return find_in(variables_, name, "variable");
}

const catalog::Dimension& Declared::dimension(int number) const {
  return at(dimensions_, number, "dimension");
}

const Variable& Declared::variable(int number) const {
  return at(variables_, number, "variable");
}

Index Declared::shape(int number) const {
  Index shape;
  for (const int d : variable(number).dimensions) shape.push_back(dimension(d).size);
  return shape;
}

std::vector<int> Declared::dimensions_of(int number) const {
  const Variable& of = variable(number);
  std::vector<int> all = of.dimensions;
  if (of.has_record) all.insert(all.begin(), record_dimension_);
  return all;
}

std::string Declared::names_of_dimensions(int number) const {
  std::string names;
  for (const int d : dimensions_of(number)) names += (names.empty() ? "" : ",") + dimension(d).name;
  return names;
}

std::string Declared::description() const {
  std::string text;
  for (const catalog::Dimension& of : dimensions_) text += fmt::format("dimension {} of {}\n", of.name, of.size);
  for (int v = 0; v < std::ssize(variables_); ++v) {
    const Variable& of = variable(v);
    text += fmt::format("variable {} {}({}; slowest first)", name_of(of.type), of.name, names_of_dimensions(v));
    if (of.deflate) text += fmt::format(", deflate {} shuffle {}", of.deflate->level, of.deflate->shuffle);
    text += "\n";
    for (const catalog::Attribute& attribute : of.attributes)
      text += fmt::format("attribute of {}: {}\n", of.name, catalog::text_of(attribute));
  }
  for (const catalog::Attribute& attribute : attributes_)
    text += fmt::format("attribute: {}\n", catalog::text_of(attribute));
  return text;
}

std::optional<std::vector<Change>> changes_between(const Declared& before, const Declared& now) {
  const auto is_same_dimension = [](const auto& a, const auto& b) { return a.name == b.name && a.size == b.size; };
  const auto is_same_variable = [](const Variable& a, const Variable& b) {
    return a.name == b.name && a.type == b.type && a.has_record == b.has_record && a.dimensions == b.dimensions &&
           a.deflate == b.deflate;
  };
  if (!std::ranges::equal(before.dimensions(), now.dimensions(), is_same_dimension)) return std::nullopt;
  if (!std::ranges::equal(before.variables(), now.variables(), is_same_variable)) return std::nullopt;
  std::vector<Change> changes;
  const auto add = [&](const std::string& owner, const auto& attributes) {
    if (!attributes) return false;
    for (const catalog::Attribute& attribute : *attributes) changes.push_back({owner, attribute});
    return true;
  };
  if (!add("", changed(before.attributes(), now.attributes()))) return std::nullopt;
  for (std::size_t v = 0; v < now.variables().size(); ++v)
    if (!add(now.variables()[v].name, changed(before.variables()[v].attributes, now.variables()[v].attributes)))
      return std::nullopt;
  return changes;
}

}  // namespace thalweg::netcdf
