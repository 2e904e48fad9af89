// The fields of a session: the program puts each once, and collections have of it what the configuration chooses.
#pragma once

#include <deque>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fields/chosen_collection.hpp"
#include "fields/derived_fields.hpp"

namespace thalweg::fields {

class Fields {
 public:
  // The session outlives this.
  explicit Fields(session::Session& session);

  // ---- definitions; every client makes the same. Errors: STATE once collections have chosen.
  void define_dimension(const std::string& name, std::int64_t size);
  // The number of the field. Errors: NAME, ARGUMENT.
  int define(Field field);
  void define_attribute(int field, catalog::Attribute attribute);

  // Collections choose, with the first of the calls below. Local, the same on every client. Errors: CONFIG.
  void choose();

  // ---- the run
  // Errors: STATE once a value was put.
  void require_no_puts(const char* call) const;
  // Before the puts of a step: it ends then. Errors: ARGUMENT, STATE.
  void step(double end_s);
  // Local. Errors: those of thalweg_put; ARGUMENT for terms that cannot be.
  void put(int field, int box, const put::Field& array, const PutTerms& terms = {});
  bool is_wanted(int field);
  // In the step that is being computed.
  bool is_wanted_now(int field);
  void advance(double time_s);
  // Intervals that the end of the run cuts are closed.
  void finish();

 private:
  // A variable that a field goes into; of: which of the things that are gathered for it.
  struct Use {
    Output* output;
    std::size_t of;
  };
  struct State {
    std::vector<Use> uses;
    HeldField held;  // once there are uses, or a derived field that has it
    bool is_gathered = false;
    bool is_single = false;  // missing values are compared as float32 has them
    struct PutInStep {
      std::int64_t step = -1;
      bool is_whole = false;
      std::vector<Box> parts;  // in the order of memory
    };
    std::vector<PutInStep> put;  // of each box

    // Its arrays go into the output, as they are or by way of an expression.
    void hold(const Field& field, const Output& output, int rank);
  };
  // What comes of a put.
  struct Taken {
    const Strips& sample;
    std::span<const std::uint8_t> holding;  // empty: all cells hold values
    const Part* part;                       // null: all of the box
    bool is_first;                          // of the step
    bool is_single;
    double weight;
  };

  void require_choosable(const std::string& what) const;
  void open_chosen();
  void add(const std::string& collection, const Choice& choice);
  void add_use(int field, Output& output, std::size_t of);
  void require_end_of_step(double time_s) const;
  void end_step();
  void put_numbers(int field, int box, const put::Field& array, const PutTerms& terms);
  bool begin_sample(State& state, int box, const Part* part);
  void take_sample(State& state, int box, const Taken& taken);
  void take_derived(int field, int box, const Strips& values, double weight);
  // The next advance stands at the start, so that what is put before it is of no step.
  bool is_before_steps() const;
  double end_of_step() const;
  double weight() const;  // of a sample of the step

  session::Session& session_;
  Dimensions dimensions_;
  std::vector<Field> fields_;
  std::deque<State> states_;  // of the fields
  std::list<ChosenCollection> collections_;
  DerivedFields derived_;
  bool has_chosen_ = false;
  std::optional<Error> choice_failed_;
  bool has_samples_ = false;
  bool has_sample_of_step_ = false;
  std::optional<double> step_end_s_;
  std::int64_t steps_ = 0;
};

}  // namespace thalweg::fields
