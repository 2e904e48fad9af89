#include "fields/succession.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <span>

#include "base/error.hpp"
#include "base/log.hpp"

namespace thalweg::fields {
namespace {

const std::vector<Chosen>& chosen_in(const CollectionChoice& choice, const std::string& file) {
  static const std::vector<Chosen> none;
  const auto found = choice.files().find(file);
  return found == choice.files().end() ? none : found->second.chosen;
}

}  // namespace

bool Succession::may_come() const {
  return !collections_.empty() && !collections_.front().collection().is_sketch() && choices_.back().may_grow() &&
         collections_.front().collection().declaration.settings().makes_series();
}

void Succession::require_not_too_late(const Field& late) const {
  const CollectionChoice& choice = choices_.back();
  if (may_come() || choice.settings().fields.is_optional) return;
  if (const std::string wanted = choice.wants(late); !wanted.empty())
    fail(THALWEG_ERROR_STATE,
         "field '{}': the definitions of collection '{}', which has all that is like '{}', have ended with "
         "thalweg_ready or its first record, so that its file would not have it, behind which no other one comes; "
         "define it before, let the collection name the fields that it has, or have it begin other files ('new-file')",
         late.name, choice.settings().name, wanted);
}

// What others need, as a coordinate, is not wanted by its name.
void Succession::note_late(const Field& late) {
  has_new_ = has_new_ || may_come();
  if (choices_.back().wants(late).empty()) return;
  if (may_come()) {
    late_.push_back(late.name);
  } else if (session_.roles().speaks_for_clients()) {
    log::warning(
        "collection '{}': field '{}' is defined behind the end of its definitions, with thalweg_ready or its first "
        "record, and is not in its file, behind which no other one comes; define it before",
        choices_.back().settings().name, late.name);
  }
}

bool Succession::awaits(const Field& late) const {
  return std::ranges::find(late_, late.name) != late_.end();
}

void Succession::say_what_is_late() {
  if (said_ == late_.size()) return;
  if (session_.roles().speaks_for_clients())
    log::warning(
        "collection '{}': these fields are defined behind the end of its definitions, with thalweg_ready or its first "
        "record, so that its open file does not have them, but the next one: {}",
        choices_.back().settings().name, fmt::format("{}", fmt::join(std::span(late_).subspan(said_), ", ")));
  said_ = late_.size();
}

bool Succession::may_begin() const {
  return has_new_ && std::ranges::any_of(collections_, &ChosenCollection::begins_next_file);
}

void Succession::leave_out_late() {
  if (!late_.empty() && session_.roles().speaks_for_clients())
    log::warning(
        "collection '{}': a group of servers is lost, and what is left of its files goes on without what was defined "
        "behind the end of its definitions: {}",
        choices_.back().settings().name, fmt::format("{}", fmt::join(late_, ", ")));
  forget_late();
}

// No run ends for a field that comes in the midst of it.
bool Succession::begin(DefinedFields& fields, const KeptStatics& statics, const CollectionChoice::Inputs& inputs) {
  say_what_is_late();
  if (!may_begin()) return false;
  CollectionChoice& next = choices_.emplace_back(session_, choices_.back().settings());
  try {
    next.look(fields);
    next.settle(fields, statics);
    const std::vector<std::string> files = changed_files();
    has_new_ = !files.empty();
    if (!can_begin(files)) {
      choices_.pop_back();
      return false;
    }
    next.find_grid(fields, statics, inputs);
    open(files, fields);
  } catch (const Error& error) {
    drop_next();
    if (error.code() != THALWEG_ERROR_CONFIG) throw;
    if (session_.roles().speaks_for_clients())
      log::warning("{}; the collection goes on without what was defined behind the end of its definitions: {}",
                   error.what(), fmt::format("{}", fmt::join(late_, ", ")));
    forget_late();
    return false;
  }
  if (session_.roles().speaks_for_clients()) say_what_is_more();
  return true;
}

std::vector<std::string> Succession::changed_files() const {
  const CollectionChoice& earlier = *std::prev(choices_.end(), 2);
  std::vector<std::string> files;
  for (const auto& [file, choice] : choices_.back().files())
    if (choice.chosen != chosen_in(earlier, file)) files.push_back(file);
  return files;
}

// A file that only begins goes with the next ones of the others.
bool Succession::can_begin(const std::vector<std::string>& files) const {
  const auto ends = [this](const std::string& file) {
    const auto known = std::ranges::find(collections_, file, &ChosenCollection::name);
    return known == collections_.end() || known->begins_next_file();
  };
  return !files.empty() && std::ranges::all_of(files, ends);
}

void Succession::open(const std::vector<std::string>& files, const DefinedFields& fields) {
  CollectionChoice& choice = choices_.back();
  const session::Collection& any = collections_.front().collection();
  std::list<ChosenCollection> next;
  for (const std::string& file : files) {
    const auto known = std::ranges::find(collections_, file, &ChosenCollection::name);
    const session::Collection& before = known == collections_.end() ? any : known->collection();
    opened_.push_back(&session_.definitions().succeed(before, file));
    next.emplace_back(session_, *opened_.back(), choice.files().at(file), fields, choice.grid());
  }
  while (!next.empty()) {
    const auto known = std::ranges::find(collections_, next.front().name(), &ChosenCollection::name);
    if (known != collections_.end()) {
      next.front().take_over(*known);
      earlier_.splice(earlier_.end(), collections_, known);
    }
    collections_.splice(collections_.end(), next, next.begin());
  }
}

void Succession::end_earlier() {
  if (opened_.empty()) return;
  for (ChosenCollection& earlier : earlier_) {
    earlier.say_faults();
    session_.close_file(earlier.collection(), session::Session::Behind::nothing);
  }
  earlier_.clear();
  opened_.clear();
  forget_late();
  if (!choices_.back().settings().has_files_of_variables()) choices_.erase(choices_.begin(), std::prev(choices_.end()));
}

void Succession::forget_late() {
  late_.clear();
  said_ = 0;
  has_new_ = false;
}

void Succession::keep_earlier() {
  if (opened_.empty()) return;
  drop_next();
  forget_late();
}

void Succession::drop_next() {
  for (ChosenCollection& earlier : earlier_)
    earlier.take_over(*std::ranges::find(collections_, earlier.name(), &ChosenCollection::name));
  collections_.remove_if(
      [this](ChosenCollection& of) { return std::ranges::find(opened_, &of.collection()) != opened_.end(); });
  collections_.splice(collections_.begin(), earlier_);
  for (session::Collection* opened : opened_ | std::views::reverse)
    if (!opened->has_failed) session_.definitions().give_up(*opened);
  opened_.clear();
  choices_.pop_back();
}

// A variable that has files of its own has no earlier ones.
void Succession::say_what_is_more() const {
  const CollectionChoice& earlier = *std::prev(choices_.end(), 2);
  std::vector<std::string> more;
  for (const auto& [file, choice] : choices_.back().files()) {
    const std::vector<Chosen>& before = chosen_in(earlier, file);
    if (before.empty()) more.push_back(file);
    for (const Chosen& chosen : choice.chosen)
      if (!before.empty() && std::ranges::find(before, chosen.variable, &Chosen::variable) == before.end())
        more.push_back(chosen.variable);
  }
  log::note("collection '{}': from '{}' on it has also {}", choices_.back().settings().name,
            collections_.back().upcoming().file_name, fmt::format("{}", fmt::join(more, ", ")));
}

void Succession::say_what_never_came() const {
  if (late_.empty() || !session_.roles().speaks_for_clients()) return;
  log::warning(
      "collection '{}': no file has begun since these fields were defined, behind the end of its definitions, so that "
      "none has them: {}",
      choices_.back().settings().name, fmt::format("{}", fmt::join(late_, ", ")));
}

}  // namespace thalweg::fields
