// Which records of a time series give the field at a time, and with which weight. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/calendar.hpp"
#include "config/forcing_settings.hpp"
#include "formats/record_times.hpp"

namespace thalweg::forcing {

// The field is lower + weight * (upper - lower), weight from 0 (included) to 1 (excluded); both are one record where
// one alone gives it.
struct Bracket {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  double weight = 0.0;
  std::optional<std::int64_t> next;  // wanted after these, as time goes on

  friend bool operator==(const Bracket&, const Bracket&) = default;
};

class Timeline {
 public:
  // times_s: of the records, in seconds since the reference; NaN for a record that the calendar has no date for, which
  // is left out. name: of the series, for messages. Errors: FORMAT for times that do not ascend, or that are of more
  // than a cycle.
  Timeline(const std::vector<double>& times_s, const config::ForcingSettings& settings, const formats::RunStart& start,
           std::string name);

  // Errors: NAME for a time outside.
  Bracket at(double time_s) const;

 private:
  // A record in one of its cycles.
  struct Moment {
    double time_s = 0.0;
    std::int64_t record = 0;
  };

  void require_order() const;
  void require_one_cycle() const;
  std::int64_t years() const { return settings_.cycle.months / 12; }
  std::int64_t cycle_of(double time_s) const;
  void add_cycle(std::int64_t number, std::vector<Moment>& moments) const;
  const std::vector<Moment>& moments_around(double time_s) const;
  Bracket between(const std::vector<Moment>& moments, std::size_t lower, double time_s) const;

  std::vector<Moment> records_;
  config::ForcingSettings settings_;
  formats::RunStart start_;
  std::string name_;
  std::vector<Date> dates_;                 // of the records, with a cycle of years
  mutable std::vector<Moment> moments_;     // all, or those of a cycle and of the ones beside it
  mutable std::optional<std::int64_t> of_;  // that cycle
};

}  // namespace thalweg::forcing
