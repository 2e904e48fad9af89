#include "fields/collection_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/title.hpp"
#include "fields/regions_of_choice.hpp"

namespace thalweg::fields {

void CollectionChoice::look(DefinedFields& fields) {
  const DividedDimensions divided = [this](const Field& field) { return divided_by(session_, field); };
  choice_ = choose(settings_, fields.all(), divided);
  if (settings_.fields.is_optional) choice_.gathered.clear();  // nobody awaits what need not come
  files_ = files_of(settings_, choice_, fields.all(), divided);
  for (const auto& [name, of] : files_.collections)
    if (name != settings_.name && session_.settings().collections.contains(name))
      fail(THALWEG_ERROR_CONFIG, "{}: what it has in a file of its own would be the collection '{}', which there is",
           config::title_of(settings_), name);
}

// Of fields that are to come there may be dimensions that those that it has have not.
void CollectionChoice::settle(const DefinedFields& fields, const KeptStatics& statics, bool may_lack_some) {
  if (is_empty()) return;
  config::CollectionSettings settings = settings_;
  settings.fields.is_optional = settings.fields.is_optional || may_lack_some;
  absent_ = fields::find_regions(
      settings, files_, fields.all(),
      [&](const Field& field) { return sizes_of(session_, field, fields.dimensions()); },
      [&](const std::string& dimension, std::int64_t size) { return statics.axis_of(dimension, size, fields.all()); });
}

void CollectionChoice::find_grid(const DefinedFields& fields, const KeptStatics& statics, const Inputs& inputs) {
  if (settings_.fields.region.grid.is_none()) return;
  grid_.emplace(session_, inputs(), settings_, fields, statics);
  bool is_any = false;
  for (const auto& [name, choice] : files())
    for (const Chosen& chosen : choice.chosen) {
      grid_->of(fields.at(chosen.field));
      is_any = true;
    }
  if (is_any) grid_->require_use();
}

bool CollectionChoice::may_grow() const {
  return !choice_.missing.empty() || std::ranges::any_of(settings_.fields.chosen, is_pattern);
}

std::string CollectionChoice::wants(const Field& field) const {
  const auto& list = settings_.fields.chosen;
  const auto like = std::ranges::find_if(
      list, [&](const config::ChosenField& wanted) { return is_pattern(wanted) && is_like(wanted, field); });
  if (like != list.end()) return like->from;
  const auto missing = std::ranges::find_if(
      choice_.missing, [&](const std::string& name) { return name == field.name || name == field.last_part(); });
  return missing == choice_.missing.end() ? "" : *missing;
}

void CollectionChoice::leave_out_unmade() {
  if (!settings_.fields.is_optional || choice_.unmade.empty()) return;
  std::vector<config::ChosenField>& entries = settings_.fields.chosen;
  std::vector<std::string> texts;
  for (auto number = choice_.unmade.rbegin(); number != choice_.unmade.rend(); ++number) {
    const auto entry = entries.begin() + static_cast<std::ptrdiff_t>(*number);
    texts.push_back(entry->expression->text);
    entries.erase(entry);
  }
  choice_.unmade.clear();
  if (session_.roles().speaks_for_clients())
    log::warning(
        "collection '{}': not all that they are made of is defined at the first ready, step or advance, so that these "
        "are left out, also if it comes: {}",
        settings_.name, fmt::format("{}", fmt::join(texts, "; ")));
}

void CollectionChoice::say_what_is_left_out() const {
  if (!choice_.missing.empty())
    log::warning(
        "collection '{}': fields that the program does not define are left out: {}{}", settings_.name,
        fmt::format("{}", fmt::join(choice_.missing, ", ")),
        choice_.left_out.empty() ? "" : fmt::format("; and what needs them: {}", fmt::join(choice_.left_out, ", ")));
  if (!absent_.empty())
    log::note("collection '{}': its region has dimensions that none of its fields has: {}", settings_.name,
              fmt::format("{}", fmt::join(absent_, ", ")));
  if (!files_.without_file.empty())
    log::warning(
        "collection '{}': static fields have no file of their own where 'file' has the name of a variable (%v), and "
        "are left out: {}; choose them in another collection",
        settings_.name, fmt::format("{}", fmt::join(files_.without_file, ", ")));
}

}  // namespace thalweg::fields
