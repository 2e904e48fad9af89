#include "fields/choosing.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/log.hpp"

namespace thalweg::fields {

namespace {

void take_over(std::list<ChosenCollection>& collections, std::list<ChosenCollection> sketches,
               session::Definitions& definitions) {
  for (ChosenCollection& sketch : sketches) {
    for (ChosenCollection& of : collections) of.take_over(sketch);
    definitions.drop(sketch.collection());
  }
}

}  // namespace

Choosing::Choosing(session::Session& session, const config::CollectionSettings& settings)
    : session_(session), clock_(&session.definitions().sketch(settings.name)) {
  choices_.emplace_back(session, settings);
}

void Choosing::look(DefinedFields& fields, const KeptStatics& statics) {
  choice().look(fields);
  choice().settle(fields, statics, waits());
}

// A sketch grows, unless something that it has has become another thing. What it has gathered stays with it where
// another one cannot be made in its place.
void Choosing::sketch(const DefinedFields& fields) {
  std::list<ChosenCollection> earlier;
  const bool may_grow = std::ranges::all_of(collections_, [&](const ChosenCollection& of) {
    const auto file = choice().files().find(of.name());
    return file != choice().files().end() && of.may_grow_to(file->second, fields);
  });
  if (!may_grow) earlier.swap(collections_);
  std::map<std::string, ChosenCollection*> sketches;
  for (ChosenCollection& sketch : collections_) sketches.emplace(sketch.name(), &sketch);
  try {
    for (const auto& [name, choice] : choice().files()) {
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

void Choosing::open(const DefinedFields& fields, const KeptStatics& statics, const CollectionChoice::Inputs& inputs) {
  choice().settle(fields, statics);
  choice().find_grid(fields, statics, inputs);
  std::list<ChosenCollection> sketches = std::exchange(collections_, {});
  for (const auto& [name, choice] : choice().files()) {
    if (choice.chosen.empty()) continue;
    session::Collection& opened = session_.definitions().open_collection(name);
    session_.definitions().go_to(opened, *clock_);
    add(name, opened, fields);
  }
  take_over(collections_, std::move(sketches), session_.definitions());
  end();
}

ChosenCollection& Choosing::add(const std::string& name, session::Collection& collection, const DefinedFields& fields) {
  OtherGrid* const grid = collection.is_sketch() ? nullptr : choice().grid();
  return collections_.emplace_back(session_, collection, choice().files().at(name), fields, grid);
}

void Choosing::end() {
  is_over_ = true;
  session_.definitions().drop(*std::exchange(clock_, nullptr));
  if (session_.roles().speaks_for_clients()) choice().say_what_is_left_out();
}

bool Choosing::goes_on() const {
  return choice().settings().append == config::Append::go_on && choice().settings().has_statistics();
}

bool Choosing::ends_by(double time_s) const {
  const auto& interval = clock_->schedule.interval();
  return interval ? interval->ends_by(time_s) : clock_->schedule.upcoming().due;
}

void Choosing::pass(double time_s) {
  if (clock_->schedule.interval()) clock_->schedule.close(time_s, files::Closing::interval);
}

void Choosing::say_that_it_waits(const DefinedFields& fields) {
  if (std::exchange(has_said_, true) || !session_.roles().speaks_for_clients()) return;
  log::warning("collection '{}' waits for fields until its first record: {}", name(),
               fmt::format("{}", fmt::join(faults_of(choice().all(), fields.all()), "; ")));
}

}  // namespace thalweg::fields
