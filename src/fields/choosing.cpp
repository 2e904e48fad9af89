#include "fields/choosing.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/title.hpp"
#include "fields/regions_of_choice.hpp"

namespace thalweg::fields {

namespace {

bool speaks(const session::Session& session) {
  return session.roles().rank == session.roles().first_client;
}

void take_over(std::list<ChosenCollection>& collections, std::list<ChosenCollection> sketches,
               session::Definitions& definitions) {
  for (ChosenCollection& sketch : sketches) {
    for (ChosenCollection& of : collections) of.take_over(sketch);
    definitions.drop(sketch.collection());
  }
}

}  // namespace

Choosing::Choosing(session::Session& session, config::CollectionSettings settings)
    : session_(session), settings_(std::move(settings)), clock_(&session.definitions().sketch(settings_.name)) {}

void Choosing::look(DefinedFields& fields, const KeptStatics& statics) {
  const DividedDimensions divided = [this](const Field& field) { return divided_by(session_, field); };
  choice_ = choose(settings_, fields.all(), divided);
  if (settings_.fields.is_optional) choice_.gathered.clear();  // nobody awaits what need not come
  files_ = files_of(settings_, choice_, fields.all(), divided);
  for (const auto& [name, of] : files_.collections)
    if (name != settings_.name && session_.settings().collections.contains(name))
      fail(THALWEG_ERROR_CONFIG, "{}: what it has in a file of its own would be the collection '{}', which there is",
           config::title_of(settings_), name);
  settle(fields, statics, waits());
}

// Of fields that are to come there may be dimensions that those that it has have not.
void Choosing::settle(const DefinedFields& fields, const KeptStatics& statics, bool may_lack_some) {
  if (is_empty()) return;
  config::CollectionSettings settings = settings_;
  settings.fields.is_optional = settings.fields.is_optional || may_lack_some;
  absent_ = fields::find_regions(
      settings, files_, fields.all(),
      [&](const Field& field) { return sizes_of(session_, field, fields.dimensions()); },
      [&](const std::string& dimension, std::int64_t size) { return statics.axis_of(dimension, size, fields.all()); });
}

// A sketch grows, unless something that it has has become another thing. What it has gathered stays with it where
// another one cannot be made in its place.
void Choosing::sketch(const DefinedFields& fields) {
  std::list<ChosenCollection> earlier;
  const bool may_grow = std::ranges::all_of(collections_, [&](const ChosenCollection& of) {
    const auto file = files().find(of.name());
    return file != files().end() && of.may_grow_to(file->second, fields);
  });
  if (!may_grow) earlier.swap(collections_);
  std::map<std::string, ChosenCollection*> sketches;
  for (ChosenCollection& sketch : collections_) sketches.emplace(sketch.name(), &sketch);
  try {
    for (const auto& [name, choice] : files()) {
      if (choice.chosen.empty()) continue;
      if (const auto known = sketches.find(name); known != sketches.end())
        known->second->grow(choice, fields);
      else
        add_sketch(name, fields);
    }
  } catch (...) {
    if (may_grow) throw;
    earlier.swap(collections_);
    for (ChosenCollection& made : earlier) session_.definitions().drop(made.collection());
    throw;
  }
  take_over(collections_, std::move(earlier), session_.definitions());
}

// All of it or nothing.
void Choosing::add_sketch(const std::string& name, const DefinedFields& fields) {
  session::Collection& sketch = session_.definitions().sketch(name);
  try {
    session_.definitions().go_to(sketch, *clock_);
    add(name, sketch, fields);
  } catch (...) {
    session_.definitions().drop(sketch);
    throw;
  }
}

void Choosing::find_grid(const DefinedFields& fields, const KeptStatics& statics, const Inputs& inputs) {
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

void Choosing::open(const DefinedFields& fields, const KeptStatics& statics, const Inputs& inputs) {
  settle(fields, statics);
  find_grid(fields, statics, inputs);
  std::list<ChosenCollection> sketches = std::exchange(collections_, {});
  for (const auto& [name, choice] : files()) {
    if (choice.chosen.empty()) continue;
    session::Collection& opened = session_.definitions().open_collection(name);
    session_.definitions().go_to(opened, *clock_);
    add(name, opened, fields);
  }
  take_over(collections_, std::move(sketches), session_.definitions());
  end();
}

ChosenCollection& Choosing::add(const std::string& name, session::Collection& collection, const DefinedFields& fields) {
  OtherGrid* const grid = grid_ && !collection.is_sketch() ? &*grid_ : nullptr;
  return collections_.emplace_back(session_, collection, files().at(name), fields, grid);
}

void Choosing::end() {
  is_over_ = true;
  session_.definitions().drop(*std::exchange(clock_, nullptr));
  if (speaks(session_)) say_what_is_left_out();
}

bool Choosing::may_grow() const {
  return !choice_.missing.empty() || std::ranges::any_of(settings_.fields.chosen, is_pattern);
}

bool Choosing::goes_on() const {
  return settings_.append == config::Append::go_on && settings_.has_statistics();
}

bool Choosing::ends_by(double time_s) const {
  const auto& interval = clock_->schedule.interval();
  return interval ? interval->ends_by(time_s) : clock_->schedule.upcoming().due;
}

void Choosing::leave_out_unmade() {
  if (is_over_ || !settings_.fields.is_optional || choice_.unmade.empty()) return;
  std::vector<config::ChosenField>& entries = settings_.fields.chosen;
  std::vector<std::string> texts;
  for (auto number = choice_.unmade.rbegin(); number != choice_.unmade.rend(); ++number) {
    const auto entry = entries.begin() + static_cast<std::ptrdiff_t>(*number);
    texts.push_back(entry->expression->text);
    entries.erase(entry);
  }
  choice_.unmade.clear();
  if (speaks(session_))
    log::warning(
        "collection '{}': not all that they are made of is defined at the first ready, step or advance, so that these "
        "are left out, also if it comes: {}",
        settings_.name, fmt::format("{}", fmt::join(texts, "; ")));
}

void Choosing::say_that_it_waits(const DefinedFields& fields) {
  if (std::exchange(has_said_, true) || !speaks(session_)) return;
  log::warning("collection '{}' waits for fields until its first record: {}", settings_.name,
               fmt::format("{}", fmt::join(faults_of(choice_, fields.all()), "; ")));
}

void Choosing::say_what_is_left_out() const {
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

void Choosing::require_not_wanted(const Field& late) const {
  const auto& list = settings_.fields.chosen;
  const auto like = std::ranges::find_if(
      list, [&](const config::ChosenField& wanted) { return is_pattern(wanted) && is_like(wanted, late); });
  if (like != list.end() && !settings_.fields.is_optional)
    fail(THALWEG_ERROR_STATE,
         "field '{}': the definitions of collection '{}', which has all that is like '{}', have ended with "
         "thalweg_ready or its first record, so that its files would not have it; define it before, or let the "
         "collection name the fields that it has",
         late.name, settings_.name, like->from);
  const bool is_missing = std::ranges::any_of(
      choice_.missing, [&](const std::string& name) { return name == late.name || name == late.last_part(); });
  if (speaks(session_) && (like != list.end() || is_missing))
    log::warning(
        "collection '{}': field '{}' is defined behind the end of its definitions, with thalweg_ready or its first "
        "record, and is not in its files; define it before",
        settings_.name, late.name);
}

}  // namespace thalweg::fields
