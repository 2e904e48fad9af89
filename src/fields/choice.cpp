#include "fields/choice.hpp"

#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/title.hpp"
#include "fields/operation.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;

class Chooser {
 public:
  Chooser(const config::CollectionSettings& collection, const std::vector<Field>& fields)
      : collection_(collection), fields_(fields) {}

  Choice all() {
    for (const config::ChosenField& wanted : collection_.fields.chosen) choose(wanted);
    require_one_kind();
    add_coordinates();
    return std::move(choice_);
  }

 private:
  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
    fail(THALWEG_ERROR_CONFIG, "{}: {}", config::title_of(collection_),
         fmt::format(text, std::forward<Values>(values)...));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Field& field : fields_) names.push_back(field.name);
    return names;
  }

  // The whole name counts before the last part of it.
  std::vector<int> named(const std::string& name) const {
    std::vector<int> whole, last;
    for (int f = 0; f < static_cast<int>(fields_.size()); ++f) {
      const Field& field = fields_[static_cast<std::size_t>(f)];
      if (field.name == name) whole.push_back(f);
      if (field.last_part() == name) last.push_back(f);
    }
    return whole.empty() ? last : whole;
  }

  std::vector<int> like(const config::ChosenField& wanted) const {
    const std::string& pattern = wanted.from;
    std::vector<int> found;
    const bool is_whole = pattern.find('/') != std::string::npos;
    for (int f = 0; f < static_cast<int>(fields_.size()); ++f) {
      const Field& field = fields_[static_cast<std::size_t>(f)];
      const std::string name = is_whole ? field.name : field.last_part();
      if (field.is_static && wanted.operation.value_or(Operation::once) != Operation::once) continue;
      if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) found.push_back(f);
    }
    return found;
  }

  void choose(const config::ChosenField& wanted) {
    const bool is_pattern = wanted.from.find_first_of("*?") != std::string::npos;
    const std::vector<int> found = is_pattern ? like(wanted) : named(wanted.from);
    if (found.empty()) return note_missing(wanted.from, is_pattern);
    if (!is_pattern && found.size() > 1) refuse_several(wanted.from, found);
    for (const int field : found) add(wanted, field);
  }

  void note_missing(const std::string& name, bool is_pattern) {
    if (collection_.fields.is_optional) return choice_.missing.push_back(name);
    if (fields_.empty()) refuse("field '{}' is chosen, but the program defines no fields (thalweg_define_field)", name);
    if (is_pattern) refuse("no field is like '{}'; fields are {}", name, fmt::join(names(), ", "));
    refuse("field '{}' is chosen, but the program does not define it{}; with 'optional: true' it is left out", name,
           name_hint(name, names()));
  }

  [[noreturn]] void refuse_several(const std::string& name, const std::vector<int>& found) const {
    std::vector<std::string> whole;
    for (const int f : found) whole.push_back(fields_[static_cast<std::size_t>(f)].name);
    refuse("'{}' are several fields: {}; say which one", name, fmt::join(whole, ", "));
  }

  void add(const config::ChosenField& wanted, int number) {
    const Field& field = fields_[static_cast<std::size_t>(number)];
    Operation operation = wanted.operation.value_or(collection_.fields.operation);
    if (field.is_static && wanted.operation.value_or(Operation::once) != Operation::once)
      refuse("field '{}' is static, and has no {} in time; leave its operation out", field.name, name_of(operation));
    if (field.is_static) operation = Operation::once;
    const Type type = wanted.type.value_or(type_of_result(operation, field.type));
    if (config::is_statistic(operation) && !can_have(operation, type))
      refuse("the {} of field '{}' cannot be of type {}; set type: {}", name_of(operation), field.name, name_of(type),
             name_of(type_of_result(operation, Type::float64)));
    choice_.chosen.push_back({number, operation, variable_for(wanted, field, operation), type});
  }

  std::string variable_for(const config::ChosenField& wanted, const Field& field, Operation operation) {
    std::string name = wanted.name.empty() ? field.last_part() : wanted.name;
    if (wanted.name.empty() && taken_.contains(name)) name += "_" + std::string(name_of(operation));
    if (!taken_.insert(name).second)
      refuse("two of its variables would be called '{}'; give one of them another 'name'", name);
    return name;
  }

  void require_one_kind() const {
    const auto is = [](bool gathered) {
      return [gathered](const Chosen& of) {
        return of.operation != Operation::once && config::is_statistic(of.operation) == gathered;
      };
    };
    const auto gathered = std::ranges::find_if(choice_.chosen, is(true));
    const auto instant = std::ranges::find_if(choice_.chosen, is(false));
    if (gathered == choice_.chosen.end() || instant == choice_.chosen.end()) return;
    refuse(
        "'{}' is an instant and '{}' is gathered over intervals, whose times are not the same; put the instants into "
        "a collection of their own",
        instant->variable, gathered->variable);
  }

  // Static fields by which others say where they are: those of a dimension's name, and those in `coordinates`,
  // `bounds` and `grid_mapping`. (source: CF conventions, chapters 5 and 7)
  void add_coordinates() {
    for (std::size_t c = 0; c < choice_.chosen.size(); ++c) {  // what is added may need others
      const Field& field = fields_[static_cast<std::size_t>(choice_.chosen[c].field)];
      std::vector<std::string> needed = split_names(field.dims);
      for (const char* attribute : {"coordinates", "bounds", "grid_mapping"})
        if (const catalog::Attribute* found = catalog::find(field.attributes, attribute))
          for (std::string& word : words_of(found->text)) needed.push_back(std::move(word));
      for (const std::string& name : needed) add_coordinate(name, field);
    }
  }

  static std::vector<std::string> words_of(const std::string& text) {
    std::string list = text;
    std::ranges::replace(list, ' ', ',');
    std::vector<std::string> words = split_names(list);
    std::erase(words, "");
    for (std::string& word : words)
      if (word.ends_with(':')) word.pop_back();  // as in "crs: lat lon"
    return words;
  }

  // Of the component of the field that needs it, if several have it.
  void add_coordinate(const std::string& name, const Field& of) {
    if (taken_.contains(name)) return;
    std::vector<int> found = named(of.name.substr(0, of.name.size() - of.last_part().size()) + name);
    if (found.empty()) found = named(name);
    if (found.size() != 1) return;
    const Field& field = fields_[static_cast<std::size_t>(found.front())];
    if (!field.is_static) return;
    taken_.insert(name);
    choice_.chosen.push_back({found.front(), Operation::once, name, field.type});
  }

  const config::CollectionSettings& collection_;
  const std::vector<Field>& fields_;
  std::set<std::string> taken_;
  Choice choice_;
};

}  // namespace

Choice choose(const config::CollectionSettings& collection, const std::vector<Field>& fields) {
  return Chooser(collection, fields).all();
}

}  // namespace thalweg::fields
