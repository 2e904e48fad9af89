#include "fields/files_of_choice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/title.hpp"
#include "fields/field_names.hpp"
#include "fields/grid_of_choice.hpp"

namespace thalweg::fields {
namespace {

bool has_variable(const Choice& choice, const std::string& name) {
  return std::ranges::find(choice.chosen, name, &Chosen::variable) != choice.chosen.end();
}

// It alone; its region is the first one.
Choice alone(Chosen chosen, const Choice& of) {
  Choice made;
  made.regions = {of.regions[std::exchange(chosen.region, 0)]};
  made.chosen = {std::move(chosen)};
  return made;
}

// Static fields by which others say where they are: those of a dimension's name, and those in `coordinates`, `bounds`
// and `grid_mapping`. (source: CF conventions, chapters 5 and 7) Fields of another region have their own.
class Coordinates {
 public:
  Coordinates(const config::GridSettings& grid, const std::vector<Field>& fields, const DividedDimensions& divided)
      : grid_(grid), fields_(fields), names_(fields), divided_(divided) {}

  Choice with_coordinates(Choice choice) const {
    std::set<std::string> taken;
    for (const Chosen& chosen : choice.chosen) taken.insert(chosen.variable);
    for (std::size_t c = 0; c < choice.chosen.size(); ++c) {  // what is added may need others
      const std::size_t region = choice.chosen[c].region;
      const Field& field = fields_[static_cast<std::size_t>(choice.chosen[c].field)];
      for (const std::string& name : needed_by(field, choice)) {
        const int found = field.levels && field.levels->name == name ? variable_of(field.levels) : find(name, field);
        const std::size_t of = found < 0 || !is_apart(found, choice, region) ? 0 : region;
        const std::string variable = name + ending_of_region(of);
        if (of != 0) choice.regions[of].names[name] = variable;
        if (found < 0 || is_left(found, field) || !taken.insert(variable).second) continue;
        choice.chosen.push_back({.field = found,
                                 .operation = config::Operation::once,
                                 .variable = variable,
                                 .type = fields_[static_cast<std::size_t>(found)].type,
                                 .region = of});
      }
    }
    return choice;
  }

 private:
  // It is of cells that the other grid has not.
  bool is_left(int found, const Field& by) const {
    const std::vector<std::string> left = dimensions_left(grid_, divided_(by));
    const std::vector<std::string> dims = split_names(fields_[static_cast<std::size_t>(found)].dims);
    return !left.empty() && (dims.empty() || have_any_in_common(dims, left));
  }

  // Measures of cells are cut with the field where they are chosen.
  static std::vector<std::string> needed_by(const Field& field, const Choice& choice) {
    std::vector<std::string> needed = split_names(field.dims);
    for (const char* attribute : {"coordinates", "bounds", "grid_mapping", "cell_measures"})
      if (const catalog::Attribute* found = catalog::find(field.attributes, attribute))
        for (std::string& word : words_of(found->text))
          if (attribute != std::string_view("cell_measures") || has_variable(choice, word))
            needed.push_back(std::move(word));
    return needed;
  }

  // It has dimensions of which the region has another part than the first one.
  bool is_apart(int field, const Choice& choice, std::size_t region) const {
    const std::set<std::string> apart = dimensions_apart(choice.regions[region].parts, choice.regions[0].parts);
    return std::ranges::any_of(split_names(fields_[static_cast<std::size_t>(field)].dims),
                               [&](const std::string& dimension) { return apart.contains(dimension); });
  }

  int variable_of(const std::shared_ptr<const Levels>& levels) const {
    const auto is_theirs = [&](const Field& of) { return of.levels == levels && !of.formula; };
    return static_cast<int>(std::ranges::find_if(fields_, is_theirs) - fields_.begin());
  }

  // Of the component of the field that needs it, if several have it; -1: it is none.
  int find(const std::string& name, const Field& of) const {
    std::vector<int> found = names_.named(of.name.substr(0, of.name.rfind('/') + 1) + name);
    if (found.empty()) found = names_.named(name);
    const bool is_one = found.size() == 1 && fields_[static_cast<std::size_t>(found.front())].is_static;
    return is_one ? found.front() : -1;
  }

  const config::GridSettings& grid_;
  const std::vector<Field>& fields_;
  const FieldNames names_;
  const DividedDimensions& divided_;
};

// Each file knows its own variable alone. What is not defined yet may be among those that are chosen later.
void require_configured(const config::CollectionSettings& collection, const FilesOfChoice& files) {
  std::vector<std::string> known = files.without_file;
  for (const auto& [name, choice] : files.collections)
    for (const Chosen& chosen : choice.chosen) known.push_back(chosen.variable);
  for (const auto& [name, settings] : collection.variables) {
    const auto is_time = name == collection.record_dimension || name == collection.record_dimension + "_bnds";
    if (!is_time && settings.enabled && std::ranges::find(known, name) == known.end())
      fail(THALWEG_ERROR_CONFIG, "{}: variable '{}' is configured, but none is chosen that is called so{}",
           config::title_of(collection), name, name_hint(name, known));
  }
}

}  // namespace

FilesOfChoice files_of(const config::CollectionSettings& collection, const Choice& choice,
                       const std::vector<Field>& fields, const DividedDimensions& divided) {
  const Coordinates coordinates(collection.fields.region.grid, fields, divided);
  FilesOfChoice files;
  if (!collection.has_files_of_variables()) {
    files.collections.emplace(collection.name, coordinates.with_coordinates(choice));
    return files;
  }
  std::vector<Chosen> fixed;
  for (const Chosen& chosen : choice.chosen)
    if (chosen.operation == config::Operation::once)
      fixed.push_back(chosen);
    else if (is_enabled(collection, chosen))
      files.collections.emplace(collection.name_for(chosen.variable),
                                coordinates.with_coordinates(alone(chosen, choice)));
  for (const Chosen& chosen : fixed)
    if (std::ranges::none_of(files.collections,
                             [&](const auto& file) { return has_variable(file.second, chosen.variable); }))
      files.without_file.push_back(chosen.variable);
  if (choice.unknown.empty()) require_configured(collection, files);
  return files;
}

}  // namespace thalweg::fields
