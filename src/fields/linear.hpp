// A scale and an offset, by which values of one unit are those of another one. Pure.
#pragma once

namespace thalweg::fields {

struct Linear {
  double scale = 1.0;
  double offset = 0.0;

  // It leaves each value as it is.
  bool is_none() const { return scale == 1.0 && offset == 0.0; }
  double of(double value) const { return scale * value + offset; }
  friend bool operator==(const Linear&, const Linear&) = default;
};

}  // namespace thalweg::fields
