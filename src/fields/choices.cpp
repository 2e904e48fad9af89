#include "fields/choices.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "base/log.hpp"

namespace thalweg::fields {
namespace {

// Where groups of servers fail alone, all clients find out together which are lost: what is opened needs all of them.
bool are_servers_lost(session::Session& session) {
  if (!session.core().health.groups.are_survived()) return false;
  try {
    session.wait();
  } catch (const Error&) {
    if (!session.loss()) throw;
  }
  return session.loss().has_value();
}

}  // namespace

void Choices::choose(bool is_for_ready) {
  for (const auto& [name, collection] : session_.settings().collections) {
    const bool is_known = std::ranges::find(choosing_, name, &Choosing::name) != choosing_.end();
    if (!collection.fields.chosen.empty() && !is_known) choosing_.emplace_back(session_, collection);
  }
  for (Choosing& of : choosing_) {
    if (of.is_over()) continue;
    of.look(fields_, statics_);
    const bool is_opened_next = is_for_ready && can_open(of, Call::ready, 0.0);
    if (!of.goes_on() && !is_opened_next) of.sketch(fields_);
  }
  note_changes();
}

void Choices::note_changes() {
  all_.clear();
  wait_ = false;
  for (Choosing& of : choosing_) {
    wait_ = wait_ || of.waits();
    for (ChosenCollection& collection : of.collections()) all_.push_back(&collection);
  }
}

void Choices::require_known_by(double time_s) const {
  for (const Choosing& of : choosing_)
    if (!of.is_over() && !of.choice().is_complete() && of.ends_by(time_s)) of.choice().require_known(fields_);
}

std::optional<Error> Choices::lacking() const {
  for (const Choosing& of : choosing_) try {
      if (!of.is_over()) of.choice().require_known(fields_);
    } catch (const Error& error) {
      return error;
    }
  return std::nullopt;
}

// One that goes on takes nothing before, so that it awaits no more than it names. One that has nothing yet, and may
// have something, has no first record.
bool Choices::can_open(const Choosing& of, Call call, double time_s) {
  const CollectionChoice& choice = of.choice();
  if (of.is_over() || !choice.is_complete()) return false;
  if (call == Call::finish) return true;
  const bool ends = call == Call::advance && of.ends_by(time_s);
  if (choice.is_empty()) return ends && !choice.may_grow();
  return ends || !choice.may_grow() || of.goes_on() || call == Call::ready;
}

bool Choices::open(Call call, double time_s) {
  bool any = false;
  for (Choosing& of : choosing_) {
    if (!of.is_over()) of.choice().leave_out_unmade();
    if (!of.is_over() && !of.choice().is_complete() && call != Call::step) of.say_that_it_waits(fields_);
    if (call == Call::advance && !of.is_over() && of.choice().is_empty() && of.ends_by(time_s)) of.pass(time_s);
    if (of.goes_on() || !can_open(of, call, time_s)) continue;
    of.open(fields_, statics_, inputs_);
    any = true;
  }
  if (any) note_changes();
  return any;
}

// Before the run makes one itself.
void Choices::look_for_checkpoint() {
  for (const Choosing& of : choosing_)
    if (!reader_ && awaits_checkpoint(of)) reader_.emplace(session_, inputs_(), of.clock().schedule.clock().start_s());
}

Choices::GoneOn Choices::go_on(Call call, double time_s) {
  GoneOn gone;
  if (call == Call::step) return gone;
  look_for_checkpoint();
  std::vector<std::string> refused;
  for (Choosing& of : choosing_) {
    if (!of.goes_on() || !can_open(of, call, time_s)) continue;
    of.choice().settle(fields_, statics_);
    of.choice().find_grid(fields_, statics_, inputs_);
    if (!of.choice().is_empty())
      for (std::string& why : go_on(of, *reader_)) refused.push_back(std::move(why));
    of.end();
    gone.any = true;
  }
  if (gone.any) note_changes();
  if (std::ranges::none_of(choosing_, awaits_checkpoint)) reader_.reset();
  if (!refused.empty())
    gone.refused = Error(THALWEG_ERROR_STATE, fmt::format("{} (nothing of it is written, and all others are ready)",
                                                          fmt::join(refused, "; ")));
  return gone;
}

// Those that cannot are not opened: nothing of their files is touched.
std::vector<std::string> Choices::go_on(Choosing& of, CheckpointReader& reader) {
  std::vector<std::string> refused;
  for (const auto& [name, choice] : of.choice().files()) {
    if (choice.chosen.empty()) continue;
    const KeptCollection now = about(name);
    const Beginning begins = reader.beginning_of(session_.settings().collection(name), now);
    if (!begins.refused.empty()) {
      refused.push_back(begins.refused);
      continue;
    }
    session::Collection& opened = session_.definitions().open_collection(name);
    if (begins.from) session_.definitions().go_on(opened, *begins.from);
    session_.definitions().go_to(opened, of.clock());
    ChosenCollection& added = of.add(name, opened, fields_);
    if (begins.from) reader.restore(added, now, fields_.all());
  }
  for (const std::string& name : reader.files_of(of.name()))
    if (!of.choice().files().contains(name))
      refused.push_back(
          fmt::format("collection '{}': with 'append: continue' it would go on, but its field, of which the checkpoint "
                      "has what was gathered, is not defined in this run; define it before thalweg_ready",
                      name));
  return refused;
}

bool Choices::may_choose() const {
  return std::ranges::any_of(choosing_, [](const Choosing& of) { return !of.is_over() || of.succession().may_come(); });
}

// An expression awaits the fields that it is made of.
std::vector<int> Choices::awaited() const {
  std::vector<int> all;
  for (const Choosing& of : choosing_) {
    if (of.is_over()) continue;
    all.insert(all.end(), of.choice().all().gathered.begin(), of.choice().all().gathered.end());
    if (!of.goes_on()) continue;
    all.insert(all.end(), of.choice().all().operands.begin(), of.choice().all().operands.end());
    for (const auto& [name, choice] : of.choice().files())
      for (const Chosen& chosen : choice.chosen)
        for (const Gathered& each : gathered_of(chosen)) {
          all.push_back(each.field);
          if (const auto& formula = fields_.at(each.field).formula)
            all.insert(all.end(), formula->operands.begin(), formula->operands.end());
        }
  }
  return all;
}

std::vector<int> Choices::operands() const {
  std::vector<int> all;
  for (const Choosing& of : choosing_)
    if (!of.is_over() && !of.goes_on())
      all.insert(all.end(), of.choice().all().operands.begin(), of.choice().all().operands.end());
  return all;
}

KeptCollection Choices::about(const std::string& collection) const {
  const config::Settings& settings = session_.settings();
  const auto has = [&](const Choosing& of) { return of.choice().files().contains(collection); };
  const Choosing& of = *std::ranges::find_if(choosing_, has);
  return kept_collection(settings, settings.collection(collection), of.choice().files().at(collection), fields_.all(),
                         [this](const Field& field) { return dims_of(session_, field, fields_.dimensions()); });
}

void Choices::require_not_too_late(const Field& late) const {
  for (const Choosing& of : choosing_)
    if (of.is_over()) of.succession().require_not_too_late(late);
}

void Choices::note_late(const Field& late) {
  for (Choosing& of : choosing_)
    if (of.is_over()) of.succession().note_late(late);
}

bool Choices::await_next_file_of(const Field& late) const {
  return std::ranges::any_of(choosing_, [&](const Choosing& of) { return of.succession().awaits(late); });
}

bool Choices::begin_next_files() {
  const auto may_begin = [](const Choosing& of) { return of.is_over() && of.succession().may_begin(); };
  if (std::ranges::any_of(choosing_, may_begin) && are_servers_lost(session_)) {
    for (Choosing& of : choosing_) of.succession().leave_out_late();
    return false;
  }
  bool any = false;
  for (Choosing& of : choosing_)
    if (of.is_over() && of.succession().begin(fields_, statics_, inputs_)) any = true;
  if (any) note_changes();
  return any;
}

void Choices::end_earlier_files() {
  for (Choosing& of : choosing_) of.succession().end_earlier();
}

void Choices::keep_earlier_files() {
  for (Choosing& of : choosing_ | std::views::reverse) of.succession().keep_earlier();
  note_changes();
}

void Choices::say_what_never_came() const {
  for (const Choosing& of : choosing_) of.succession().say_what_never_came();
}

}  // namespace thalweg::fields
