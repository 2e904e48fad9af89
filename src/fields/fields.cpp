#include "fields/fields.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fields/end_of_fields.hpp"
#include "fields/error_of_choosing.hpp"
#include "fields/put_terms.hpp"
#include "transport/agreement.hpp"

namespace thalweg::fields {
namespace {

put::Field array_of_levels(const std::vector<double>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()), Type::float64, Index{std::ssize(values)},
          Index{static_cast<std::int64_t>(sizeof(double))}};
}

bool is_put_into_any(const FieldState& state) {
  return !state.uses.empty() || state.is_operand;
}

// It, and what is made of it.
std::vector<int> with_made_of(int field, const std::vector<Field>& fields) {
  std::vector<int> numbers{field};
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (const auto& formula = fields[f].formula)
      if (std::ranges::find(formula->operands, field) != formula->operands.end())
        numbers.push_back(static_cast<int>(f));
  return numbers;
}

// Sketches may have gone that fields are put into.
void clear_uses(std::deque<FieldState>& states) {
  for (FieldState& state : states) state.clear_uses();
}

// Returns what was not put, where the session has gone on. A rank is told so alone, and makes what all make behind the
// step, as the others do.
std::optional<Error> not_put_by(session::Session& session, double time_s) {
  try {
    session.advance(time_s);
  } catch (const Error& error) {
    if (session.now_s() != time_s) throw;
    return error;
  }
  return std::nullopt;
}

struct EndOfChoices {
  Choices& of;
  ~EndOfChoices() { of.end(); }
};

}  // namespace

Fields::Fields(session::Session& session, std::function<read::Inputs&()> inputs)
    : session_(session),
      inputs_(std::move(inputs)),
      statics_(session.settings()),
      choices_(session, defined_, statics_, inputs_),
      puts_(session.roles().rank, defined_, states_, step_) {}

int Fields::define(Field field) {
  choices_.require_not_too_late(field);
  const int number = defined_.define(std::move(field));
  states_.resize(defined_.all().size());
  choices_.note_late(defined_.at(number));
  return number;
}

void Fields::define_attribute(int field, catalog::Attribute attribute) {
  const FieldState& state = states_[static_cast<std::size_t>(field)];
  if (state.is_operand && state.puts > 0)
    fail(
        THALWEG_ERROR_STATE,
        "field '{}', attribute '{}': collections have computed with what was put of it; define it before the first put",
        defined_.at(field).name, attribute.name);
  for (const int number : with_made_of(field, defined_.all()))
    for (const FieldUse& use : states_[static_cast<std::size_t>(number)].uses)
      if (state.puts > 0 || !use.output->collection().is_sketch())
        fail(THALWEG_ERROR_STATE,
             "field '{}', attribute '{}': collection '{}' has the field already, since its first put, thalweg_ready or "
             "the first advance; define it before",
             defined_.at(field).name, attribute.name, use.output->collection().name);
  defined_.define_attribute(field, std::move(attribute));
  states_[static_cast<std::size_t>(field)].repeated.clear();
  puts_.derived().define_missing(field, defined_.at(field).missing_values());
}

void Fields::choose(bool is_for_ready) {
  if (have_chosen()) return;
  const auto turn = last_choice_.wait();
  choose_alone(is_for_ready);
}

void Fields::choose_alone(bool is_for_ready) {
  last_choice_.make(defined_.changes(), [&] {
    try {
      choices_.choose(is_for_ready);
      connect();
    } catch (...) {
      clear_uses(states_);
      throw;
    }
  });
}

// Returns why some cannot go on.
std::optional<Error> Fields::meet(Choices::Call call, double time_s) {
  Choices::GoneOn gone;
  try {
    const bool any = choices_.open(call, time_s);
    gone = choices_.go_on(call, time_s);
    if (any || gone.any) connect();
  } catch (const Error& error) {
    clear_uses(states_);
    last_choice_.fail(error);
    throw;
  }
  if (gone.any && call != Choices::Call::ready) session_.ready();
  return gone.refused;
}

void Fields::ready() {
  choose(true);
  choices_.require_of_known_components();
  const std::optional<Error> refused = meet(Choices::Call::ready, session_.now_s());
  session_.ready();
  if (refused) throw *refused;
}

// Whatever collections have chosen is put into them, and static fields that were put before.
void Fields::connect() {
  const std::vector<Field>& fields = defined_.all();
  states_.resize(fields.size());
  clear_uses(states_);
  for (ChosenCollection* collection : choices_.all())
    for (Output& output : collection->outputs()) {
      const std::vector<Gathered> gathers = gathered_of(output.chosen());
      for (std::size_t of = 0; of < gathers.size(); ++of) add_use(gathers[of].field, output, of);
    }
  const std::vector<int> operands = choices_.operands();
  for (const int field : operands) {
    FieldState& state = states_[static_cast<std::size_t>(field)];
    state.is_operand = true;
    if (!state.is_held())
      state.hold(defined_.at(field), session_.roles().rank,
                 held_alone(session_, defined_.at(field), defined_.dimensions()));
  }
  puts_.derived().await(operands, fields,
                        [this](int each) -> const HeldField& { return states_[static_cast<std::size_t>(each)].held; });
  for (const int field : choices_.awaited()) states_[static_cast<std::size_t>(field)].is_awaited = true;
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (const auto& levels = fields[f].levels; levels && !fields[f].formula)
      statics_.keep(static_cast<int>(f), 0, array_of_levels(levels->said), {}, step_.number());
  statics_.put_all([this](int field, int box, const put::Field& array, const PutTerms& terms) {
    const FieldState& state = states_[static_cast<std::size_t>(field)];
    if (!state.is_awaited && is_put_into_any(state)) put_chosen(field, box, array, terms);
  });
  if (!choices_.may_choose()) statics_.clear();
}

// A field of an expression has the boxes of those that it is made of; one at levels has theirs but for the columns.
void Fields::add_use(int number, Output& output, std::size_t of) {
  const Field& field = defined_.at(number);
  FieldState& state = states_[static_cast<std::size_t>(number)];
  state.hold(field, output, session_.roles().rank, output.part() ? output.part()->whole : output.variable().held());
  const JoiningRule rule = field.formula || field.is_static
                               ? JoiningRule{}
                               : joining_rule_of(output.collection().declaration.settings().fields);
  state.add_use(output, of, rule);
  if (rule != JoiningRule{}) state.repeated.try_emplace(rule, rule, field.missing_values(), state.held.boxes);
  if (!field.formula) return;
  for (const int number_of_operand : field.formula->operands) {
    const Field& operand = defined_.at(number_of_operand);
    FieldState& of_operand = states_[static_cast<std::size_t>(number_of_operand)];
    of_operand.hold(
        operand, output, session_.roles().rank,
        field.levels ? held_in_columns(session_, state.held, field, operand, defined_.dimensions()) : state.held);
    of_operand.is_operand = true;
  }
  puts_.derived().add(
      number, defined_.all(),
      [this](int each) -> const HeldField& { return states_[static_cast<std::size_t>(each)].held; },
      field.levels ? place_in_boxes(session_, defined_.at(field.formula->operands.front()), field.levels->dimension)
                   : -1);
}

void Fields::require_no_puts(const char* call) const {
  if (step_.had_samples()) fail(THALWEG_ERROR_STATE, "{} comes before the first put of a field, which was made", call);
}

void Fields::step(double end_s) {
  choose();
  step_.require_end(end_s);
  meet(Choices::Call::step, end_s);
  for (const ChosenCollection* collection : choices_.all()) collection->require_step(end_s);
  step_.say_end(end_s);
}

void Fields::put(int field, int box, const put::Field& array, const PutTerms& terms) {
  if (keeps_put(field, box, array, terms)) return;
  choose();
  const Field& of = defined_.at(field);
  const FieldState& state = states_[static_cast<std::size_t>(field)];
  if (state.is_awaited)
    fail(
        THALWEG_ERROR_STATE,
        "field '{}': a collection that has it takes nothing yet: it goes on from a checkpoint ('append: continue'), "
        "which "
        "is looked for when definitions end, or has it in an operation within an expression, of which another field is "
        "not defined; call thalweg_ready before its first put{}",
        of.name, choices_.wait() ? ", when all fields that the collection names are defined" : "");
  if (is_put_into_any(state)) put_chosen(field, box, array, terms);
  if (!of.is_static || !choices_.may_choose()) return;
  const auto turn = last_choice_.wait();
  keep_static(field, box, array, terms);
}

// Until collections choose; a choice may have failed for want of it.
bool Fields::keeps_put(int field, int box, const put::Field& array, const PutTerms& terms) {
  if (have_chosen()) return false;
  const auto turn = last_choice_.wait();
  if (have_chosen() || !statics_.decides(defined_.at(field))) return false;
  last_choice_.forget();
  statics_.keep(field, box, array, terms, step_.number());
  return true;
}

// Of one that no collection has, what cannot be put is refused as well.
void Fields::keep_static(int field, int box, const put::Field& array, const PutTerms& terms) {
  const Field& of = defined_.at(field);
  FieldState& state = states_[static_cast<std::size_t>(field)];
  const auto sizes = sizes_of(session_, of, defined_.dimensions());
  const bool has_sizes = std::ranges::none_of(sizes, [](const auto& size) { return size.second == 0; });
  if (!state.is_held() && has_sizes)
    state.hold(of, session_.roles().rank, held_alone(session_, of, defined_.dimensions()));
  if (state.is_held()) {
    const put::PutVariable& variable = state.held.variable;
    require_terms(variable, array, terms, false);
    if (!put::require_held(variable, state.held.boxes.size())) return;
    put::require_box(variable, box, state.held.boxes.size());
    const Box& cells = state.held.boxes[static_cast<std::size_t>(box)];
    if (terms.are_plain())
      put::view_field(array, cells, variable.rules, variable.where);
    else
      part_of(variable, in_memory_order(cells.count, variable.rules), sample_of(variable, cells, array, terms),
              terms.start);
  }
  statics_.keep(field, box, array, terms, step_.number());
}

void Fields::put_chosen(int field, int box, const put::Field& array, const PutTerms& terms) {
  FieldState& state = states_[static_cast<std::size_t>(field)];
  const put::PutVariable& of = state.held.variable;
  require_terms(of, array, terms, !state.repeated.empty());
  const bool is_computed_with = state.is_computed_with() || !terms.are_plain();
  if (is_computed_with) {
    defined_.at(field).require_as_packed(array.type, of.where);
    if (!put::require_held(of, state.held.boxes.size())) return;
    put::require_box(of, box, state.held.boxes.size());
    puts_.put(field, box, array, terms);
  }
  if (!terms.are_plain()) return;
  for (const FieldUse& use : state.uses)
    if (!use.output->is_gathered() && use.rule == JoiningRule{}) use.output->put(box, array);
}

bool Fields::keeps(int field, int puts) {
  const auto count = [&] { states_[static_cast<std::size_t>(field)].puts.fetch_add(puts, std::memory_order_relaxed); };
  if (have_chosen()) {
    count();
    return false;
  }
  const auto turn = last_choice_.wait();
  count();
  if (!have_chosen() && statics_.decides(defined_.at(field))) return true;
  choose_alone(false);
  return false;
}

bool Fields::is_had(int field) const {
  const FieldState& state = states_[static_cast<std::size_t>(field)];
  return is_put_into_any(state) || state.is_awaited || (defined_.at(field).is_static && choices_.may_choose());
}

bool Fields::begin_put(int field) {
  return keeps(field, 1) || is_had(field);
}

bool Fields::is_wanted(int field) {
  return keeps(field, 0) || is_had(field) || choices_.await_next_file_of(defined_.at(field));
}

bool Fields::is_wanted_now(int field) {
  if (keeps(field, 0)) return true;
  const FieldState& state = states_[static_cast<std::size_t>(field)];
  return state.is_awaited || puts_.want(field) ||
         (defined_.at(field).is_static && state.puts == 0 && choices_.may_choose());
}

void Fields::advance(double time_s) {
  choose();
  step_.require_advance(time_s);
  choices_.require_known_by(time_s);
  if (const std::optional<Error> refused = meet(Choices::Call::advance, time_s)) throw *refused;
  for (const ChosenCollection* collection : choices_.all()) collection->require_step(time_s);
  puts_.end();
  for (ChosenCollection* collection : choices_.all()) {
    if (step_.is_before_steps()) collection->begin_run();
    collection->end_step(clients_);
    collection->advance(time_s, clients_);
  }
  const std::optional<Error> not_put = not_put_by(session_, time_s);
  step_.end();
  puts_.derived().begin_step();
  begin_next_files();
  if (not_put) throw *not_put;
}

// The step is over, and nothing is put of the next one.
void Fields::begin_next_files() {
  try {
    if (!choices_.begin_next_files()) return;
    connect();
    session_.ready();
  } catch (const Error& error) {
    choices_.keep_earlier_files();
    connect();
    if (error.code() != THALWEG_ERROR_MEMORY) throw;
    if (session_.roles().speaks_for_clients())
      log::warning(
          "files go on without the fields that were defined behind their first records, for which there is no room; "
          "thalweg_finish says so once more: {}",
          error.what());
    return;
  }
  choices_.end_earlier_files();
}

void Fields::checkpoint() {
  choose();
  if (const std::optional<Error> refused = meet(Choices::Call::checkpoint, session_.now_s())) throw *refused;
  const roles::Circle& clients = clients_();
  transport::together(clients, [&] {
    if (step_.has_sample())
      fail(THALWEG_ERROR_STATE,
           "thalweg_checkpoint within a step, of which fields were put that ends at {} s; call it behind its advance, "
           "before the puts of the next",
           step_.end_s());
  });
  std::vector<Gathering> all;
  for (ChosenCollection* collection : choices_.all())
    if (collection->interval() != nullptr && !collection->collection().is_sketch())
      all.push_back({collection, choices_.about(collection->collection().name)});
  checkpoint_.write(clients, all, defined_.all(), defined_.dimensions());
}

std::vector<profile::FieldReport> Fields::finish() {
  const EndOfChoices end{choices_};
  choose();
  // Then no other one is opened any more, in whose place an earlier file may lie.
  const std::optional<Error> lacking = choices_.lacking();
  std::optional<Error> failed = lacking;
  if (!lacking) failed = meet(Choices::Call::finish, session_.now_s());
  if (step_.has_sample() && session_.roles().speaks_for_clients())
    log::warning(
        "fields were put behind the last advance, to {} s: intervals that the end of the run cuts have these values, "
        "too",
        session_.now_s());
  puts_.end();
  for (ChosenCollection* collection : choices_.all())
    if (!collection->collection().is_sketch()) collection->finish(session_.now_s(), clients_);
  puts_.derived().say_faults();
  choices_.say_what_never_came();
  // All clients put the same fields, so that one speaks for all.
  std::vector<profile::FieldReport> reports;
  if (session_.roles().speaks_for_clients()) reports = reports_of(defined_.all(), states_);
  say(reports);
  if (failed) throw *failed;
  return reports;
}

}  // namespace thalweg::fields
