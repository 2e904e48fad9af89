// What a variable gathers over the intervals of its collection: of which steps, of which interval each is, and what
// becomes of the results when one ends.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "fields/gathered_boxes.hpp"
#include "fields/output_variable.hpp"
#include "fields/sample.hpp"
#include "fields/sampling.hpp"
#include "fields/step_of_time.hpp"

namespace thalweg::fields {

class GatheredOutput {
 public:
  // The first two outlive this.
  GatheredOutput(const session::Session& session, OutputVariable& variable, const std::vector<Field>& fields);

  // What that one has taken of the same is this one's: all that a sketch has, or what is gathered where a file ends.
  void take_over(GatheredOutput& earlier);

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

  // The step ends: results that wait for that are put.
  void end_step();
  // The interval ends: its results are in the record. Whether there are any.
  bool end_interval();
  // The run ends: says where an expression had no value.
  void say_faults() const;

 private:
  // Of an interval that ends within the step whose puts come.
  struct Ended {
    bool has_results = false;
    std::map<int, std::vector<std::byte>> waiting{};  // results of boxes, until the step ends
  };
  void end_within_step();

  const session::Session& session_;
  OutputVariable& variable_;
  Sampling sampling_;
  GatheredBoxes gathered_;             // of this interval
  std::optional<GatheredBoxes> next_;  // of the next one, where it has parts of steps
  std::optional<Ended> ended_;
};

}  // namespace thalweg::fields
