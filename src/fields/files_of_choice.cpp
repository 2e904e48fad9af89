#include "fields/files_of_choice.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "config/title.hpp"
#include "fields/field_names.hpp"

namespace thalweg::fields {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::string list = text;
  std::ranges::replace(list, ' ', ',');
  std::vector<std::string> words = split_names(list);
  std::erase(words, "");
  for (std::string& word : words)
    if (word.ends_with(':')) word.pop_back();  // as in "crs: lat lon"
  return words;
}

// Static fields by which others say where they are: those of a dimension's name, and those in `coordinates`, `bounds`
// and `grid_mapping`. (source: CF conventions, chapters 5 and 7)
class Coordinates {
 public:
  explicit Coordinates(const std::vector<Field>& fields) : fields_(fields) {}

  Choice with_coordinates(Choice choice) const {
    std::set<std::string> taken;
    for (const Chosen& chosen : choice.chosen) taken.insert(chosen.variable);
    for (std::size_t c = 0; c < choice.chosen.size(); ++c) {  // what is added may need others
      const Field& field = fields_[static_cast<std::size_t>(choice.chosen[c].field)];
      for (const std::string& name : needed_by(field))
        if (const int found = taken.contains(name) ? -1 : find(name, field); found >= 0) {
          taken.insert(name);
          choice.chosen.push_back(
              {found, config::Operation::once, name, fields_[static_cast<std::size_t>(found)].type});
        }
    }
    return choice;
  }

 private:
  static std::vector<std::string> needed_by(const Field& field) {
    std::vector<std::string> needed = split_names(field.dims);
    for (const char* attribute : {"coordinates", "bounds", "grid_mapping"})
      if (const catalog::Attribute* found = catalog::find(field.attributes, attribute))
        for (std::string& word : words_of(found->text)) needed.push_back(std::move(word));
    return needed;
  }

  // Of the component of the field that needs it, if several have it; -1: it is none.
  int find(const std::string& name, const Field& of) const {
    std::vector<int> found = named(fields_, of.name.substr(0, of.name.size() - of.last_part().size()) + name);
    if (found.empty()) found = named(fields_, name);
    const bool is_one = found.size() == 1 && fields_[static_cast<std::size_t>(found.front())].is_static;
    return is_one ? found.front() : -1;
  }

  const std::vector<Field>& fields_;
};

bool has_variable(const Choice& choice, const std::string& name) {
  return std::ranges::find(choice.chosen, name, &Chosen::variable) != choice.chosen.end();
}

// Each file knows its own variable alone.
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
                       const std::vector<Field>& fields) {
  const Coordinates coordinates(fields);
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
                                coordinates.with_coordinates(Choice{.chosen = {chosen}, .missing = {}}));
  for (const Chosen& chosen : fixed)
    if (std::ranges::none_of(files.collections,
                             [&](const auto& file) { return has_variable(file.second, chosen.variable); }))
      files.without_file.push_back(chosen.variable);
  require_configured(collection, files);
  return files;
}

}  // namespace thalweg::fields
