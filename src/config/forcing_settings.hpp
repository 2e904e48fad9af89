// What the configuration says of a forcing: a file, or a series of files, that is read as the model's time goes on.
#pragma once

#include <string>

#include "base/calendar.hpp"

namespace thalweg::config {

enum class Interpolation { linear, nearest, step };
enum class Outside { error, hold };

struct ForcingSettings {
  std::string file;  // or the template of the names of a series
  Interpolation interpolation = Interpolation::linear;
  Interval cycle{};  // none: its times are those of the model
  Outside outside = Outside::error;

  bool has_cycle() const { return cycle.months > 0 || cycle.seconds > 0.0; }
};

}  // namespace thalweg::config
