// The fields of a session: the program puts each once, and collections have of it what the configuration chooses.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fields/choices.hpp"
#include "fields/field_state.hpp"
#include "fields/last_choice.hpp"
#include "fields/puts_in_step.hpp"
#include "fields/step_of_time.hpp"

namespace thalweg::fields {

class Fields {
 public:
  // The session outlives this. inputs: of it, the first time of which is collective.
  Fields(session::Session& session, std::function<read::Inputs&()> inputs);

  // ---- definitions; every client makes the same between two calls that all make.
  void define_dimension(const std::string& name, std::int64_t size) { defined_.define_dimension(name, size); }
  // The number of the field. Errors: NAME, ARGUMENT; STATE for one of which a collection that has all of its like has
  // ended its definitions.
  int define(Field field);
  // Errors: STATE once the field was put, or a collection that has it has ended its definitions.
  void define_attribute(int field, catalog::Attribute attribute);

  // Definitions end of the collections that have what they name. Those that go on from a checkpoint do, before the
  // first put of a field of theirs. Collective. Errors: STATE for some that cannot, when all others are ready.
  void ready();

  // ---- the run
  // Errors: STATE once a value was put.
  void require_no_puts(const char* call) const;
  // Before the puts of a step: it ends then. Errors: ARGUMENT, STATE.
  void step(double end_s);
  // Puts of parts (a start among the terms) and questions whether something is wanted are made by any threads at once,
  // between other calls.
  // Whether anybody wants what is put of it now.
  bool begin_put(int field);
  // Local. Errors: those of thalweg_put; ARGUMENT for terms that cannot be.
  void put(int field, int box, const put::Field& array, const PutTerms& terms = {});
  bool is_wanted(int field);
  // In the step that is being computed.
  bool is_wanted_now(int field);
  void advance(double time_s);
  // Keeps what is gathered, between two steps. Collective. Errors: STATE, and those of records.
  void checkpoint();
  // Intervals that the end of the run cuts are closed. Returns what became of each field, on the first client.
  std::vector<profile::FieldReport> finish();

 private:
  // Collections choose of what is defined, by which fields may be made, so that no reference to one outlives it. Local,
  // the same on every client. Errors: CONFIG, each time until something else is defined.
  void choose(bool is_for_ready = false);
  void choose_alone(bool is_for_ready);  // while others wait
  bool have_chosen() const { return last_choice_.is_of(defined_.changes()); }
  void begin_next_files();
  std::optional<Error> meet(Choices::Call call, double time_s);
  void connect();
  void add_use(int field, Output& output, std::size_t of);
  // It is kept now; else collections have chosen. So many puts of it are counted.
  bool keeps(int field, int puts);
  // By a collection, or one may have it yet.
  bool is_had(int field) const;
  bool keeps_put(int field, int box, const put::Field& array, const PutTerms& terms);
  void keep_static(int field, int box, const put::Field& array, const PutTerms& terms);
  void put_chosen(int field, int box, const put::Field& array, const PutTerms& terms);

  session::Session& session_;
  std::function<read::Inputs&()> inputs_;
  ChosenCollection::Clients clients_ = [this]() -> const roles::Circle& { return inputs_().around().circle; };
  DefinedFields defined_;
  std::deque<FieldState> states_;  // of the fields
  KeptStatics statics_;
  Choices choices_;
  Checkpoint checkpoint_{session_};
  LastChoice last_choice_;
  StepOfTime step_{session_};
  PutsInStep puts_;
};

}  // namespace thalweg::fields
