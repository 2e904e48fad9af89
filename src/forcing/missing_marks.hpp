// How what is missing is known again in a record that is held.
#pragma once

#include <optional>
#include <vector>

#include "base/types.hpp"
#include "read/contents.hpp"

namespace thalweg::forcing {

// Values that stand for what is missing, in the type of the array.
struct MissingMarks {
  std::vector<Element> values;
  // A get has put the one in place of what is missing, so that its bits alone are it; otherwise they are those of the
  // file, and a NaN among them stands for any.
  bool is_put = false;

  // What the get is to put there; nothing: it leaves the values as the file has them.
  std::optional<double> to_put() const;
};

// type: of the array, float32 or float64. Where the get only copies, values stay as they are, and marks are looked for
// when a field is made of the record: the get then costs a copy.
MissingMarks marks_of(const read::InputVariable& variable, bool stays_packed, Type type);

}  // namespace thalweg::forcing
