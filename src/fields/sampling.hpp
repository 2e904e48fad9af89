// Of which steps a variable takes what is put. Pure; the same on every rank.
//
// Rule: times of samples are whole numbers of `sample` after the anchor, and later by the offset. A step (begin, end]
// is taken if one of them lies in it; one that ends within the tolerance of steps before such a time meets it.
#pragma once

#include "config/settings.hpp"
#include "files/output_interval.hpp"

namespace thalweg::fields {

class Sampling {
 public:
  Sampling(const config::CollectionSettings& collection, const config::Settings& settings, const Interval& sample,
           const Interval& offset)
      : takes_each_step_(sample == config::each_step),
        sample_(files::in_time(sample, settings.time_step_s)),
        offset_s_(files::in_time(offset, settings.time_step_s).seconds),
        origin_(files::origin_of(sample_, collection, settings)),
        tolerance_s_(files::tolerance_of(settings.time_step_s)) {
    if (sample.steps == 0) return;
    origin_ = {settings.calendar, settings.reference_date};
    origin_.is_from_start = true;
  }

  bool takes_each_step() const { return takes_each_step_; }
  // run_start_s: of the first run, where others go on from it.
  bool takes(double begin_s, double end_s, double run_start_s) const {
    if (takes_each_step_) return true;
    files::TimeOrigin origin = origin_;
    origin.set_start(run_start_s);
    const auto until = [&](double time_s) {
      return origin.intervals_until(sample_, time_s - offset_s_ + tolerance_s_);
    };
    return until(end_s) > until(begin_s);
  }

 private:
  bool takes_each_step_;
  Interval sample_;
  double offset_s_;
  files::TimeOrigin origin_;
  double tolerance_s_;
};

}  // namespace thalweg::fields
