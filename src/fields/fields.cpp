#include "fields/fields.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "config/title.hpp"
#include "fields/end_of_fields.hpp"
#include "fields/error_of_choosing.hpp"
#include "fields/put_terms.hpp"
#include "fields/regions_of_choice.hpp"
#include "transport/agreement.hpp"

namespace thalweg::fields {
namespace {

// An expression awaits the fields that it is made of.
void await_field(std::deque<FieldState>& states, const std::vector<Field>& fields, int field) {
  states[static_cast<std::size_t>(field)].is_awaited = true;
  const Field& of = fields[static_cast<std::size_t>(field)];
  if (!of.formula) return;
  for (const int operand : of.formula->operands) states[static_cast<std::size_t>(operand)].is_awaited = true;
}

void await_fields(std::deque<FieldState>& states, const std::vector<Field>& fields, const Choice& choice) {
  for (const Chosen& chosen : choice.chosen)
    for (const Gathered& each : gathered_of(chosen)) await_field(states, fields, each.field);
}

put::Field array_of_levels(const std::vector<double>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()), Type::float64, Index{std::ssize(values)},
          Index{static_cast<std::int64_t>(sizeof(double))}};
}

bool is_plain(const PutTerms& terms) {
  return !terms.mask && !terms.start;
}

}  // namespace

Fields::Fields(session::Session& session, std::function<read::Inputs&()> inputs)
    : session_(session),
      inputs_(std::move(inputs)),
      derived_(
          session.roles().rank, [this](int field) { return is_wanted_now(field); },
          [this](int field, int box, const Strips& values, const SampleWeight& weight) {
            take(states_[static_cast<std::size_t>(field)], box, {values, {}, nullptr, false, weight});
          }),
      early_(session.settings()) {}

void Fields::require_choosable(const std::string& what) const {
  if (has_chosen_)
    fail(THALWEG_ERROR_STATE,
         "{}: collections have chosen their fields, with thalweg_ready or the first put of a field or advance; define "
         "it before",
         what);
}

void Fields::define_dimension(const std::string& name, std::int64_t size) {
  require_choosable(fmt::format("dimension '{}' of fields", name));
  if (name.empty()) fail(THALWEG_ERROR_ARGUMENT, "a dimension of fields needs a name");
  if (size < 1)
    fail(THALWEG_ERROR_ARGUMENT, "dimension '{}' of fields: its size is {}, but must be at least 1", name, size);
  const auto [at, is_new] = dimensions_.try_emplace(name, size);
  if (!is_new && at->second != size)
    fail(THALWEG_ERROR_NAME, "dimension '{}' of fields has the size {} already, and cannot have {}", name, at->second,
         size);
}

int Fields::define(Field field) {
  require_choosable(fmt::format("field '{}'", field.name));
  if (field.last_part().empty() || field.name.front() == '/')
    fail(THALWEG_ERROR_NAME, "field '{}': a name is 'temp', or 'ocean/temp' with the component before", field.name);
  if (field.name.find_first_of("*?, ") != std::string::npos)
    fail(THALWEG_ERROR_NAME, "field '{}': a name has no *, ?, comma or blank", field.name);
  if (std::ranges::find(fields_, field.name, &Field::name) != fields_.end())
    fail(THALWEG_ERROR_NAME, "field '{}' is defined already", field.name);
  fields_.push_back(std::move(field));
  states_.emplace_back();
  return static_cast<int>(fields_.size()) - 1;
}

void Fields::define_attribute(int field, catalog::Attribute attribute) {
  Field& of = fields_[static_cast<std::size_t>(field)];
  require_choosable(fmt::format("field '{}', attribute '{}'", of.name, attribute.name));
  std::erase_if(of.attributes, [&](const catalog::Attribute& given) { return given.name == attribute.name; });
  of.attributes.push_back(std::move(attribute));
}

// What fails here fails each time: no collection is written beside others that could not choose.
void Fields::choose() {
  if (choice_failed_) throw *choice_failed_;
  if (has_chosen_) return;
  has_chosen_ = true;
  early_.end();
  try {
    open_chosen();
  } catch (...) {
    choice_failed_ = error_of_choosing();
    throw *choice_failed_;
  }
  put_early();
}

void Fields::put_early() {
  early_.put([this](int field) { return !states_[static_cast<std::size_t>(field)].is_awaited; },
             [this](int field, int box, const put::Field& array) { put(field, box, array); });
}

void Fields::open_chosen() {
  for (const auto& [name, collection] : session_.settings().collections)
    if (!collection.fields.chosen.empty()) choose_of(collection);
  states_.resize(fields_.size());
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (const auto& levels = fields_[f].levels; levels && !fields_[f].formula)
      early_.keep(static_cast<int>(f), 0, array_of_levels(levels->said));
  for (const auto& [name, choice] : choices_) {
    const config::CollectionSettings of = session_.settings().collection(name);
    if (choice.chosen.empty()) continue;
    if (of.append != config::Append::go_on || !of.has_statistics()) {
      add(name, choice);
      continue;
    }
    awaited_.insert(name);
    await_fields(states_, fields_, choice);
  }
}

void Fields::choose_of(const config::CollectionSettings& collection) {
  const Choice choice = fields::choose(collection, fields_, [this](const Field& field) {
    if (field.decomposition < 0) return std::vector<std::string>{};
    return session_.core().declared.decompositions[static_cast<std::size_t>(field.decomposition)].dimensions;
  });
  FilesOfChoice files = files_of(collection, choice, fields_);
  for (const auto& [name, of] : files.collections)
    if (name != collection.name && session_.settings().collections.contains(name))
      fail(THALWEG_ERROR_CONFIG, "{}: what it has in a file of its own would be the collection '{}', which there is",
           config::title_of(collection), name);
  const std::vector<std::string> absent = find_regions(
      collection, files, fields_, [this](const Field& field) { return sizes_of(session_, field, dimensions_); },
      [this](const std::string& dimension, std::int64_t size) { return early_.axis_of(dimension, size, fields_); });
  choices_.merge(files.collections);
  if (session_.roles().rank != session_.roles().first_client) return;
  if (!choice.missing.empty())
    log::warning(
        "collection '{}': fields that the program does not define are left out: {}{}", collection.name,
        fmt::format("{}", fmt::join(choice.missing, ", ")),
        choice.left_out.empty() ? "" : fmt::format("; and what needs them: {}", fmt::join(choice.left_out, ", ")));
  if (!absent.empty())
    log::note("collection '{}': its region has dimensions that none of its fields has: {}", collection.name,
              fmt::format("{}", fmt::join(absent, ", ")));
  if (!files.without_file.empty())
    log::warning(
        "collection '{}': static fields have no file of their own where 'file' has the name of a variable (%v), and "
        "are "
        "left out: {}; choose them in another collection",
        collection.name, fmt::format("{}", fmt::join(files.without_file, ", ")));
}

void Fields::ready() {
  choose();
  std::optional<Error> refused;
  if (!awaited_.empty()) try {
      refused = open_awaited();
    } catch (const Error& error) {
      choice_failed_ = error;
      throw;
    }
  put_early();
  session_.ready();
  if (refused) throw *refused;
}

// Those that cannot go on are not opened: nothing of their files is touched.
std::optional<Error> Fields::open_awaited() {
  CheckpointReader reader(session_, inputs_());
  std::vector<std::string> refused;
  for (const std::string& name : std::exchange(awaited_, {})) {
    const KeptCollection now = about(name);
    const Beginning begins = reader.beginning_of(session_.settings().collection(name), now);
    if (!begins.refused.empty()) {
      refused.push_back(begins.refused);
      continue;
    }
    ChosenCollection& added = add(name, choices_.at(name));
    if (!begins.from) continue;
    session_.definitions().go_on(added.collection(), *begins.from);
    reader.restore(added, now, fields_);
  }
  for (FieldState& state : states_) state.is_awaited = false;
  if (refused.empty()) return std::nullopt;
  return Error(THALWEG_ERROR_STATE,
               fmt::format("{} (nothing of it is written, and all others are ready)", fmt::join(refused, "; ")));
}

KeptCollection Fields::about(const std::string& collection) const {
  const config::Settings& settings = session_.settings();
  return kept_collection(settings, settings.collection(collection), choices_.at(collection), fields_,
                         [this](const Field& field) { return dims_of(session_, field, dimensions_); });
}

ChosenCollection& Fields::add(const std::string& collection, const Choice& choice) {
  ChosenCollection& added = collections_.emplace_back(session_, collection, choice, fields_, dimensions_);
  for (Output& output : added.outputs()) {
    const std::vector<Gathered> gathers = gathered_of(output.chosen());
    for (std::size_t of = 0; of < gathers.size(); ++of) add_use(gathers[of].field, output, of);
  }
  return added;
}

// A field of an expression has the boxes of those that it is made of; one at levels has theirs but for the columns.
void Fields::add_use(int number, Output& output, std::size_t of) {
  const Field& field = fields_[static_cast<std::size_t>(number)];
  FieldState& state = states_[static_cast<std::size_t>(number)];
  state.hold(field, output, session_.roles().rank, output.part() ? output.part()->whole : output.of_variable());
  const JoiningRule rule = field.formula || field.is_static
                               ? JoiningRule{}
                               : joining_rule_of(output.collection().declaration.settings().fields);
  state.add_use(output, of, rule);
  if (rule != JoiningRule{}) state.repeated.try_emplace(rule, rule, field.missing_values(), state.held.boxes);
  if (!field.formula) return;
  for (const int number_of_operand : field.formula->operands) {
    const Field& operand = fields_[static_cast<std::size_t>(number_of_operand)];
    FieldState& of_operand = states_[static_cast<std::size_t>(number_of_operand)];
    of_operand.hold(operand, output, session_.roles().rank,
                    field.levels ? held_in_columns(session_, state.held, field, operand, dimensions_) : state.held);
    of_operand.is_operand = true;
  }
  derived_.add(
      number, fields_, [this](int each) -> const HeldField& { return states_[static_cast<std::size_t>(each)].held; },
      field.levels ? place_of_levels(session_, field) : -1);
}

void Fields::require_no_puts(const char* call) const {
  if (step_.had_samples()) fail(THALWEG_ERROR_STATE, "{} comes before the first put of a field, which was made", call);
}

void Fields::step(double end_s) {
  choose();
  step_.require_end(end_s);
  for (const ChosenCollection& collection : collections_) collection.require_step(end_s);
  step_.say_end(end_s);
}

void Fields::put(int field, int box, const put::Field& array, const PutTerms& terms) {
  if (is_plain(terms) && early_.keeps(fields_[static_cast<std::size_t>(field)])) return early_.keep(field, box, array);
  choose();
  FieldState& state = states_[static_cast<std::size_t>(field)];
  if (state.is_awaited)
    fail(
        THALWEG_ERROR_STATE,
        "field '{}': a collection that has it goes on from a checkpoint ('append: continue'), which is looked for when "
        "definitions end; call thalweg_ready before its first put",
        fields_[static_cast<std::size_t>(field)].name);
  if (!is_wanted(field)) return;
  const put::PutVariable& of = state.held.variable;
  require_terms(of, array, terms, !state.repeated.empty());
  const bool is_computed_with = state.is_computed_with() || !is_plain(terms);
  if (is_computed_with) {
    fields_[static_cast<std::size_t>(field)].require_as_packed(array.type, of.where);
    if (!put::require_held(of, state.held.boxes.size())) return;
    put::require_box(of, box, state.held.boxes.size());
    put_numbers(field, box, array, terms);
  }
  if (!is_plain(terms)) return;
  for (const FieldUse& use : state.uses)
    if (!use.output->is_gathered() && use.rule == JoiningRule{}) use.output->put(box, array);
}

void Fields::put_numbers(int field, int box, const put::Field& array, const PutTerms& terms) {
  FieldState& state = states_[static_cast<std::size_t>(field)];
  const put::PutVariable& of = state.held.variable;
  const Box& cells = state.held.boxes[static_cast<std::size_t>(box)];
  const Sample sample = sample_of(of, cells, array, terms);
  const std::vector<std::uint8_t> holding =
      terms.mask ? sample_of(of, cells, *terms.mask, terms).holding() : std::vector<std::uint8_t>();
  const Part part = part_of(of, in_memory_order(cells.count, of.rules), sample, terms.start);
  const bool is_all = is_plain(terms);
  if (is_all)
    for (const FieldUse& use : state.uses) use.output->require(box, array);
  const Part* const own_part = terms.start ? &part : nullptr;
  const bool is_single = state.is_single || array.type == Type::float32;
  const SampleWeight weight{terms.weight.value_or(step_.weight()), terms.weight.value_or(1.0)};
  if (state.is_operand) derived_.require_weight(field, box, weight.by_time);
  const bool is_once = fields_[static_cast<std::size_t>(field)].is_static && is_all;
  PutSample put{sample, holding, own_part, is_single, weight};
  if (!terms.start) put.array = &sample;
  if (step_.is_before_steps())
    state.take_beginning(box, put);
  else if (!is_once)
    state.take_sample(step_, box, put, state.begin_sample(step_, box, own_part));
  for (auto& [rule, repeated] : state.repeated) repeated.put(box, put);
  if (state.is_operand) derived_.put(field, box, put);
  if (!is_all) state.put_instants(box, put);
}

// What is one sample of the step.
void Fields::take(FieldState& state, int box, const PutSample& put, const JoiningRule& rule) {
  if (step_.is_before_steps())
    state.take_beginning(box, put, rule);
  else
    state.take_sample(step_, box, put, true, rule);
  state.put_instants(box, put, rule);
}

// Before records are closed.
void Fields::end_repeated_puts() {
  for (FieldState& state : states_)
    for (auto& [rule, repeated] : state.repeated)
      repeated.end_step([&](int box, const PutSample& put) { take(state, box, put, rule); });
}

bool Fields::is_wanted(int field) {
  if (early_.keeps(fields_[static_cast<std::size_t>(field)])) return true;
  choose();
  const FieldState& state = states_[static_cast<std::size_t>(field)];
  return state.is_awaited || !state.uses.empty() || state.is_operand;
}

bool Fields::is_wanted_now(int field) {
  if (early_.keeps(fields_[static_cast<std::size_t>(field)])) return true;
  choose();
  const FieldState& state = states_[static_cast<std::size_t>(field)];
  const auto wants = [this](const FieldUse& use) {
    if (!use.output->is_gathered()) return use.output->wants_now();
    return step_.is_before_steps() ? use.output->takes_beginning(use.of) : use.output->takes_step(step_);
  };
  return state.is_awaited || std::ranges::any_of(state.uses, wants) || derived_.want(field);
}

void Fields::advance(double time_s) {
  choose();
  if (!awaited_.empty()) ready();
  step_.require_advance(time_s);
  for (const ChosenCollection& collection : collections_) collection.require_step(time_s);
  derived_.end_step();
  end_repeated_puts();
  for (ChosenCollection& collection : collections_) {
    if (step_.is_before_steps()) collection.begin_run();
    collection.end_step();
    collection.advance(time_s, clients_);
  }
  // Also where the session has gone on and says that something was not put.
  struct EndOfStep {
    Fields* of;
    double time_s;
    ~EndOfStep() {
      if (of->session_.now_s() != time_s) return;
      of->step_.end();
      of->derived_.begin_step();
    }
  } const end{this, time_s};
  session_.advance(time_s);
}

void Fields::checkpoint() {
  choose();
  if (!awaited_.empty()) ready();
  const roles::Circle& clients = clients_();
  transport::together(clients, [&] {
    if (step_.has_sample())
      fail(THALWEG_ERROR_STATE,
           "thalweg_checkpoint within a step, of which fields were put that ends at {} s; call it behind its advance, "
           "before the puts of the next",
           step_.end_s());
  });
  std::vector<Gathering> all;
  for (ChosenCollection& collection : collections_)
    if (collection.interval() != nullptr) all.push_back({&collection, about(collection.collection().name)});
  checkpoint_.write(clients, all, fields_, dimensions_);
}

std::vector<profile::FieldReport> Fields::finish() {
  choose();
  if (!awaited_.empty()) ready();
  if (step_.has_sample() && session_.roles().rank == session_.roles().first_client)
    log::warning(
        "fields were put behind the last advance, to {} s: intervals that the end of the run cuts have these values, "
        "too",
        session_.now_s());
  derived_.end_step();
  end_repeated_puts();
  for (ChosenCollection& collection : collections_) collection.finish(session_.now_s(), clients_);
  derived_.say_faults();
  // All clients put the same fields, so that one speaks for all.
  if (session_.roles().rank != session_.roles().first_client) return {};
  std::vector<profile::FieldReport> reports = reports_of(fields_, states_);
  say(reports);
  return reports;
}

}  // namespace thalweg::fields
