#include "forcing/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/told.hpp"

namespace thalweg::forcing {
Timeline::Timeline(const std::vector<double>& times_s, const config::ForcingSettings& settings,
                   const formats::RunStart& start, std::string name)
    : settings_(settings), start_(start), name_(std::move(name)) {
  for (std::size_t i = 0; i < times_s.size(); ++i)
    if (!std::isnan(times_s[i])) records_.push_back({times_s[i], static_cast<std::int64_t>(i)});
  if (records_.empty()) fail(THALWEG_ERROR_FORMAT, "'{}' has no records", name_);
  require_order();
  if (years() > 0)
    for (const Moment& of : records_) dates_.push_back(date_after(start_.calendar, start_.reference, of.time_s));
  if (settings_.has_cycle())
    require_one_cycle();
  else
    moments_ = records_;
}

void Timeline::require_order() const {
  for (std::size_t i = 1; i < records_.size(); ++i)
    if (!(records_[i].time_s > records_[i - 1].time_s))
      fail(THALWEG_ERROR_FORMAT,
           "the times of '{}' do not ascend: record {} is at {} s, and record {} at {} s since the reference date",
           name_, told::number(records_[i - 1].record), records_[i - 1].time_s, told::number(records_[i].record),
           records_[i].time_s);
}

void Timeline::require_one_cycle() const {
  const double first_s = records_.front().time_s;
  const double end_s = years() > 0
                           ? seconds_between(start_.calendar, start_.reference,
                                             add_months(start_.calendar, dates_.front(), settings_.cycle.months))
                           : first_s + settings_.cycle.seconds;
  if (records_.back().time_s < end_s - formats::time_slack_s) return;
  fail(THALWEG_ERROR_FORMAT,
       "the records of '{}' do not fit into its cycle: the first is at {} s and the last at {} s since the reference "
       "date, but the first comes again at {} s; 'cycle' of the forcing says how long it is",
       name_, first_s, records_.back().time_s, end_s);
}

// The one that has the time, or begins behind it by less than a cycle.
std::int64_t Timeline::cycle_of(double time_s) const {
  if (years() == 0)
    return static_cast<std::int64_t>(std::floor((time_s - records_.front().time_s) / settings_.cycle.seconds));
  const Date date = date_after(start_.calendar, start_.reference, time_s);
  return floor_div(date.year - dates_.front().year, years());
}

// A date that its year in that cycle lacks, 29 February or the 31st in months of 30 days, is left out.
void Timeline::add_cycle(std::int64_t number, std::vector<Moment>& moments) const {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Moment& of = records_[i];
    if (years() == 0) {
      moments.push_back({of.time_s + static_cast<double>(number) * settings_.cycle.seconds, of.record});
      continue;
    }
    Date date = dates_[i];
    date.year += number * years();
    if (date.day <= days_in_month(start_.calendar, date.year, date.month))
      moments.push_back({seconds_between(start_.calendar, start_.reference, date), of.record});
  }
}

const std::vector<Timeline::Moment>& Timeline::moments_around(double time_s) const {
  if (!settings_.has_cycle()) return moments_;
  const std::int64_t cycle = cycle_of(time_s);
  if (of_ == cycle) return moments_;
  moments_.clear();
  for (const std::int64_t number : {cycle - 1, cycle, cycle + 1}) add_cycle(number, moments_);
  of_ = cycle;
  return moments_;
}

Bracket Timeline::at(double time_s) const {
  if (!is_model_time(start_.calendar, start_.reference, time_s))
    fail(THALWEG_ERROR_ARGUMENT, "forcing '{}': {} s is no time", name_, time_s);
  const std::vector<Moment>& moments = moments_around(time_s);
  if (moments.empty())
    fail(THALWEG_ERROR_NAME, "forcing '{}' has nothing at {} s: none of the years around has one of its dates", name_,
         time_s);
  const auto later = std::ranges::upper_bound(moments, time_s + formats::time_slack_s, {}, &Moment::time_s);
  if (later != moments.begin()) {
    const auto lower = static_cast<std::size_t>(later - moments.begin()) - 1;
    const bool is_behind = time_s > moments.back().time_s + formats::time_slack_s;
    if (!is_behind || settings_.outside == config::Outside::hold) return between(moments, lower, time_s);
  } else if (settings_.outside == config::Outside::hold) {
    const std::int64_t first = moments.front().record;
    return {first, first, 0.0, moments.size() > 1 ? std::optional(moments[1].record) : std::nullopt};
  }
  fail(THALWEG_ERROR_NAME,
       "forcing '{}' has nothing at {} s since the reference date: its first record is at {} s, its last at {} s; "
       "'outside: hold' in its settings keeps these beyond, and 'cycle' begins again",
       name_, time_s, moments.front().time_s, moments.back().time_s);
}

Bracket Timeline::between(const std::vector<Moment>& moments, std::size_t lower, double time_s) const {
  const auto record_at = [&](std::size_t at) {
    return at < moments.size() ? std::optional(moments[at].record) : std::nullopt;
  };
  const Moment& before = moments[lower];
  const bool is_exact = time_s - before.time_s <= formats::time_slack_s;
  if (is_exact || lower + 1 == moments.size() || settings_.interpolation == config::Interpolation::step)
    return {before.record, before.record, 0.0, record_at(lower + 1)};
  const Moment& after = moments[lower + 1];
  const double weight = (time_s - before.time_s) / (after.time_s - before.time_s);
  if (settings_.interpolation == config::Interpolation::linear)
    return {before.record, after.record, weight, record_at(lower + 2)};
  const std::size_t nearest = weight < 0.5 ? lower : lower + 1;
  return {moments[nearest].record, moments[nearest].record, 0.0, record_at(nearest + 1)};
}

}  // namespace thalweg::forcing
