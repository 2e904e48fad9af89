// A variable of a collection that takes what is put of a field: as it comes, or gathered over an interval.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fields/changed_cells.hpp"
#include "fields/choice.hpp"
#include "fields/dimensions_of_fields.hpp"
#include "fields/gathered_boxes.hpp"
#include "fields/remapped_output.hpp"
#include "fields/repeated_puts.hpp"
#include "fields/sample.hpp"
#include "fields/sampling.hpp"
#include "fields/step_of_time.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

class Output {
 public:
  // Where the variable is on another grid: how the field is held, and what becomes of it.
  struct OnGrid {
    HeldField held;
    RemappedOutput remapped;
  };
  // The variable is defined in the collection, and has what the region has of the field. All outlive this.
  Output(session::Session& session, session::Collection& collection, const std::vector<Field>& fields, Chosen chosen,
         const Region& region, std::optional<OnGrid> grid = std::nullopt);

  const Chosen& chosen() const { return chosen_; }
  const session::Collection& collection() const { return collection_; }
  const Region& region() const { return region_; }
  bool is_gathered() const { return config::is_statistic(chosen_.operation); }
  // What it has of the field, where that is not all: then its own boxes are those of the region.
  const std::optional<FieldInRegion>& part() const { return part_; }
  // By the collection's variable, but for its parts of the day; on another grid by the field.
  const HeldField& of_variable() const { return held_; }

  // What that one has taken of the same is this one's: all that a sketch has, or what is gathered where a file ends.
  void take_over(Output& earlier);

  // Its values of this step go into a file. Of what is gathered takes_step says that.
  bool wants_now() const;

  // Instants, and what is put once. Errors, before anything is done: SHAPE for an array that cannot be the box.
  void require(int box, const put::Field& array) const;
  void put(int box, const put::Field& array);
  // The same of its own box, where some cells hold no value, or of a part of the box, in two steps: what there is of
  // the box until the step ends, filled before the first put; and the values that come to it. The second may be done by
  // several threads at once, of parts that do not meet.
  std::vector<std::byte>& joined(int own_box);
  void join(std::vector<std::byte>& joined, const PutSample& put) const;
  bool takes(int own_box) const;
  // The step ends: what waits for that is put.
  void end_step();

  // ---- of what is gathered
  // What is put in the step is a sample of it.
  bool takes_step(const StepOfTime& step) const;
  // Those that take a sample of the step join the takers; what was gathered of an interval that has ended before waits
  // for the end of the step. Where not each step is a sample, one stands for the time between two of them.
  void join_takers(std::vector<Weighed>& takers, std::size_t of, int own_box, const StepOfTime& step,
                   const SampleWeight& weight);
  // What is put before the advance that stands at the start: differences that begin there are counted from it.
  bool takes_beginning(std::size_t of) const;
  void join_beginners(std::vector<Weighed>& takers, std::size_t of, int own_box);
  // That advance comes.
  void begin_run();
  // Of each thing that is gathered, by its place among those of the choice, and each own box.
  std::span<Accumulator> accumulators(std::size_t of) { return gathered_.of(of); }
  // The interval ends: its results are in the record. Whether there are any.
  bool end_interval();
  // Of a variable on another grid, what it has for the coming record; null: it is on the model's.
  RemappedOutput* remapped() { return remapped_ ? &*remapped_ : nullptr; }
  // The run ends: says where an expression had no value.
  void say_faults() const;

 private:
  void put_own(int own_box, const put::Field& array);
  void put_bytes(int box, const std::vector<std::byte>& bytes);

  session::Session& session_;
  session::Collection& collection_;
  Chosen chosen_;
  const Region& region_;
  Sampling sampling_;
  GatheredBoxes gathered_;             // of this interval
  std::optional<GatheredBoxes> next_;  // of the next one, where it has parts of steps
  HeldField held_;                     // of the variable
  std::optional<FieldInRegion> part_;  // where it has not all of the field
  std::optional<RemappedOutput> remapped_;
  bool has_ended_ = false;    // the interval, and its results are in the record or wait for the step's end
  bool has_results_ = false;  // of these there are any
  ChangedCells changed_;
  std::vector<bool> was_put_;                      // of each box, of what is put once
  std::map<int, std::vector<std::byte>> waiting_;  // boxes that are put when the step ends
};

}  // namespace thalweg::fields
