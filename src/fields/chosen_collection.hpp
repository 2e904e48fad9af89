// A collection whose variables are fields that the configuration chooses.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fields/defined_fields.hpp"
#include "fields/other_grid.hpp"
#include "fields/output.hpp"
#include "fields/record_times.hpp"
#include "fields/region.hpp"
#include "fields/variable_definitions.hpp"
#include "roles/circle.hpp"

namespace thalweg::fields {

class ChosenCollection {
 public:
  // Defines what the collection has of the fields. Every client does the same. Errors: CONFIG, and those of
  // definitions.
  // grid: another one on which its fields are; null: there is none, or nobody knows it yet. It outlives this.
  ChosenCollection(session::Session& session, session::Collection& collection, const Choice& choice,
                   const DefinedFields& fields, OtherGrid* grid = nullptr);

  const std::string& name() const { return collection_.name; }
  // Nothing that a sketch has of this choice has become another thing since.
  bool may_grow_to(const Choice& choice, const DefinedFields& fields) const;
  // What the choice has more is the collection's, too.
  void grow(const Choice& choice, const DefinedFields& fields, OtherGrid* grid = nullptr);

  std::list<Output>& outputs() { return outputs_; }
  // Over which a record is gathered; null: its records are closed by the model's clock.
  const files::RecordInterval* interval() const;

  // Its coming record.
  const files::Upcoming& upcoming() const { return collection_.upcoming_share().schedule.upcoming(); }
  session::Collection& collection() { return collection_; }
  const session::Collection& collection() const { return collection_; }
  // Behind an advance: it begins a file behind others, and what it gathers for that.
  bool begins_next_file() const;

  // What a sketch of it has taken is the collection's from now on, or what one has gathered that ends with its file.
  void take_over(ChosenCollection& earlier);

  // A step that ends then can be made. Errors: STATE.
  void require_step(double end_s) const;
  // The first advance stands at the start.
  void begin_run() {
    for (Output& output : outputs_)
      if (output.is_gathered()) output.gathered()->begin_run();
  }
  // Who agree on whether there is a record, where it may be left out. The first time is collective.
  using Clients = std::function<const roles::Circle&()>;
  // Before time goes on.
  void end_step(const Clients& clients);
  // Time goes on to then: closes the record if its interval has ended.
  void advance(double time_s, const Clients& clients);
  // The run ends then: closes the record of an interval that has begun, if that is kept.
  void finish(double time_s, const Clients& clients);
  // Where expressions had no values.
  void say_faults() {
    for (Output& output : outputs_)
      if (output.is_gathered()) output.gathered()->say_faults();
  }

 private:
  // A variable as it was chosen, and the revisions of its fields then.
  struct Had {
    Chosen chosen;
    int revisions = 0;
  };
  const DayParts* day_parts_of(const Chosen& chosen) const { return times_ ? times_->day_parts_of(chosen) : nullptr; }
  std::optional<OutputVariable::OnGrid> on_grid(const Chosen& chosen, const DefinedFields& fields,
                                                const Remapping* grid) const;
  void finish_interval(double time_s, const Clients& clients);
  void close(double end_s, const Clients& clients);
  void put_remapped(const Clients& clients);
  void leave_out(double end_s);

  session::Session& session_;
  session::Collection& collection_;
  VariableDefinitions definitions_{session_, collection_};
  std::deque<ChosenRegion> regions_;  // of its fields
  std::optional<RecordTimes> times_;  // nothing: it gathers nothing
  bool is_at_edge_ = false;           // of two intervals, since the last advance
  std::list<Output> outputs_;
  std::unordered_map<std::string, Had> had_;  // variables
};

}  // namespace thalweg::fields
