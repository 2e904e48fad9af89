#include "fields/choices.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/log.hpp"

namespace thalweg::fields {

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
    if (!of.is_over() && !of.is_complete() && of.ends_by(time_s)) of.require_known();
}

std::optional<Error> Choices::lacking() const {
  for (const Choosing& of : choosing_) try {
      if (!of.is_over()) of.require_known();
    } catch (const Error& error) {
      return error;
    }
  return std::nullopt;
}

// One that goes on takes nothing before, so that it awaits no more than it names.
bool Choices::can_open(const Choosing& of, Call call, double time_s) {
  if (of.is_over() || !of.is_complete()) return false;
  if (call == Call::finish || (call == Call::advance && of.ends_by(time_s))) return true;
  if (of.is_empty()) return false;
  return !of.may_grow() || of.goes_on() || call == Call::ready;
}

bool Choices::open(Call call, double time_s) {
  bool any = false;
  for (Choosing& of : choosing_) {
    of.leave_out_unmade();
    if (!of.is_over() && !of.is_complete() && call != Call::step) of.say_that_it_waits();
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
    of.settle(fields_, statics_);
    of.find_grid(fields_, statics_, inputs_);
    if (!of.is_empty())
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
  for (const auto& [name, choice] : of.files()) {
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
  return refused;
}

bool Choices::are_over() const {
  return std::ranges::all_of(choosing_, &Choosing::is_over);
}

// An expression awaits the fields that it is made of.
std::vector<int> Choices::awaited() const {
  std::vector<int> all;
  for (const Choosing& of : choosing_) {
    if (of.is_over()) continue;
    all.insert(all.end(), of.choice().gathered.begin(), of.choice().gathered.end());
    if (!of.goes_on()) continue;
    all.insert(all.end(), of.choice().operands.begin(), of.choice().operands.end());
    for (const auto& [name, choice] : of.files())
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
    if (!of.is_over() && !of.goes_on()) all.insert(all.end(), of.choice().operands.begin(), of.choice().operands.end());
  return all;
}

KeptCollection Choices::about(const std::string& collection) const {
  const config::Settings& settings = session_.settings();
  const auto has = [&](const Choosing& of) { return of.files().contains(collection); };
  const Choosing& of = *std::ranges::find_if(choosing_, has);
  return kept_collection(settings, settings.collection(collection), of.files().at(collection), fields_.all(),
                         [this](const Field& field) { return dims_of(session_, field, fields_.dimensions()); });
}

void Choices::require_may_come(const Field& late) const {
  for (const Choosing& of : choosing_)
    if (of.is_over()) of.require_not_wanted(late);
}

}  // namespace thalweg::fields
