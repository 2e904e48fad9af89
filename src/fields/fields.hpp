// The fields of a session: the program puts each once, and collections have of it what the configuration chooses.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fields/checkpoint_reader.hpp"
#include "fields/chosen_collection.hpp"
#include "fields/derived_fields.hpp"
#include "fields/early_coordinates.hpp"
#include "fields/field_state.hpp"
#include "fields/files_of_choice.hpp"
#include "fields/step_of_time.hpp"

namespace thalweg::fields {

class Fields {
 public:
  // The session outlives this. inputs: of it, the first time of which is collective.
  Fields(session::Session& session, std::function<read::Inputs&()> inputs);

  // ---- definitions; every client makes the same. Errors: STATE once collections have chosen.
  void define_dimension(const std::string& name, std::int64_t size);
  // The number of the field. Errors: NAME, ARGUMENT.
  int define(Field field);
  void define_attribute(int field, catalog::Attribute attribute);

  // Collections choose, with the first of the calls below. Local, the same on every client. Errors: CONFIG.
  void choose();
  // Definitions end. Those that go on from a checkpoint do, before the first put of a field of theirs. Collective.
  // Errors: STATE for some that cannot, when all others are ready.
  void ready();

  // ---- the run
  // Errors: STATE once a value was put.
  void require_no_puts(const char* call) const;
  // Before the puts of a step: it ends then. Errors: ARGUMENT, STATE.
  void step(double end_s);
  // Whether anybody wants what is put of it now.
  bool begin_put(int field) {
    ++states_[static_cast<std::size_t>(field)].puts;
    return is_wanted(field);
  }
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
  void require_choosable(const std::string& what) const;
  void open_chosen();
  void choose_of(const config::CollectionSettings& collection);
  ChosenCollection& add(const std::string& collection, const Choice& choice);
  void add_use(int field, Output& output, std::size_t of);
  std::optional<Error> open_awaited();
  KeptCollection about(const std::string& collection) const;
  void take(FieldState& state, int box, const PutSample& put, const JoiningRule& rule = {});
  void put_numbers(int field, int box, const put::Field& array, const PutTerms& terms);
  void put_early();
  void end_repeated_puts();

  session::Session& session_;
  std::function<read::Inputs&()> inputs_;
  ChosenCollection::Clients clients_ = [this]() -> const roles::Circle& { return inputs_().around().circle; };
  Dimensions dimensions_;
  std::vector<Field> fields_;
  std::deque<FieldState> states_;          // of the fields
  std::map<std::string, Choice> choices_;  // of collections
  std::list<ChosenCollection> collections_;
  DerivedFields derived_;
  EarlyCoordinates early_;
  std::set<std::string> awaited_;
  Checkpoint checkpoint_{session_};
  bool has_chosen_ = false;
  std::optional<Error> choice_failed_;
  StepOfTime step_{session_};
};

}  // namespace thalweg::fields
