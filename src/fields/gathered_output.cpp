#include "fields/gathered_output.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "base/log.hpp"
#include "base/names.hpp"

namespace thalweg::fields {
namespace {

const files::RecordInterval& interval_of(const OutputVariable& variable) {
  return *variable.collection().schedule.interval();
}

Sampling sampling_of(const session::Session& session, const OutputVariable& variable) {
  const Chosen& chosen = variable.chosen();
  return {variable.collection().declaration.settings(), session.settings(), chosen.sample, chosen.sample_offset};
}

}  // namespace

GatheredOutput::GatheredOutput(const session::Session& session, OutputVariable& variable,
                               const std::vector<Field>& fields)
    : session_(session), variable_(variable), sampling_(sampling_of(session, variable)) {
  const config::FieldSettings& settings = variable.collection().declaration.settings().fields;
  std::vector<std::int64_t> cells;
  for (const Box& box : variable.held().boxes) cells.push_back(box.count.product());
  gathered_ = GatheredBoxes(variable.chosen(), fields, settings, session.settings().reference_date, cells);
  if (settings.straddle == config::Straddle::split) next_ = gathered_;
}

void GatheredOutput::take_over(GatheredOutput& earlier) {
  gathered_.take_over(earlier.gathered_);
  if (next_) next_->take_over(*earlier.next_);
  if (earlier.variable_.collection().is_sketch()) ended_ = std::move(earlier.ended_);
}

// Nobody knows when a step ends of which the program has not said it.
bool GatheredOutput::takes_step(const StepOfTime& step) const {
  const files::RecordInterval& interval = interval_of(variable_);
  if (step.is_known() && !interval.takes(step.end_s())) return false;
  return sampling_.takes_each_step() || !step.is_known() ||
         sampling_.takes(step.begin_s(), step.end_s(), interval.run_start_s());
}

void GatheredOutput::join_takers(std::vector<Weighed>& takers, std::size_t of, int own_box, const StepOfTime& step,
                                 const SampleWeight& weight) {
  const files::RecordInterval& interval = interval_of(variable_);
  const double begin_s = step.begin_s(), end_s = step.end_s(), length_s = end_s - begin_s;
  const bool is_beyond = interval.is_before(end_s);
  if (is_beyond && !next_ && !ended_) end_within_step();
  if (!gathered_.takes(of, begin_s + length_s / 2)) return;
  const double whole = sampling_.takes_each_step() ? weight.by_time : weight.by_count;
  const double part = is_beyond && next_ ? (interval.end_s() - begin_s) / length_s : 1.0;  // that is within it
  const auto box = static_cast<std::size_t>(own_box);
  takers.push_back({&gathered_.of(of)[box], whole * part});
  if (part < 1.0) takers.push_back({&next_->of(of)[box], whole * (1.0 - part)});
}

// Any thread may be the first that puts in the step, and none but one may put into records.
void GatheredOutput::end_within_step() {
  Ended ended;
  const auto [type, fill] = variable_.kept_as();
  ended.has_results = gathered_.end(
      type, fill, [&](int box, std::vector<std::byte> results) { ended.waiting[box] = std::move(results); });
  ended_ = std::move(ended);
}

void GatheredOutput::join_beginners(std::vector<Weighed>& takers, std::size_t of, int own_box) {
  if (!takes_beginning(of)) return;
  takers.push_back({&gathered_.of(of)[static_cast<std::size_t>(own_box)], 1.0});
}

void GatheredOutput::begin_run() {
  for (std::size_t of = 0; of < gathered_of(variable_.chosen()).size(); ++of)
    for (Accumulator& each : gathered_.of(of))
      if (takes_beginning(of) && each.has_samples()) each.clear();
}

// A run that goes on within an interval has the value at its begin.
bool GatheredOutput::takes_beginning(std::size_t of) const {
  if (gathered_of(variable_.chosen())[of].operation != config::Operation::difference) return false;
  const double slack_s = files::tolerance_of(session_.settings().time_step_s);
  return std::abs(interval_of(variable_).begin_s() - session_.now_s()) <= slack_s;
}

void GatheredOutput::end_step() {
  if (!ended_) return;
  for (const auto& [box, results] : std::exchange(ended_->waiting, {})) variable_.put(box, results);
}

// Boxes without results are as of a variable that was not put, which `when-not-put` speaks of.
bool GatheredOutput::end_interval() {
  const auto end_now = [this] {
    const auto [type, fill] = variable_.kept_as();
    return gathered_.end(type, fill,
                         [this](int box, const std::vector<std::byte>& results) { variable_.put(box, results); });
  };
  const bool has_results = ended_ ? ended_->has_results : end_now();
  ended_.reset();
  if (next_) std::swap(gathered_, *next_);
  return has_results;
}

void GatheredOutput::say_faults() const {
  const std::int64_t faults = gathered_.faults() + (next_ ? next_->faults() : 0);
  if (faults == 0) return;
  const Chosen& chosen = variable_.chosen();
  log::warning("rank {}, collection '{}', variable '{}': {} of '{}' had no finite result, and are missing",
               session_.roles().rank, variable_.collection().name, chosen.variable, counted(faults, "cell"),
               chosen.expression);
}

}  // namespace thalweg::fields
