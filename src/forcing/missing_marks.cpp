#include "forcing/missing_marks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace thalweg::forcing {
namespace {

// A NaN that no computation makes, nor a float32 that becomes a float64.
constexpr double put_mark = std::bit_cast<double>(std::uint64_t{0x7ffb'7a1e'6d15'5a5a});

}  // namespace

std::optional<double> MissingMarks::to_put() const {
  return is_put ? std::optional(put_mark) : std::nullopt;
}

MissingMarks marks_of(const read::InputVariable& variable, bool stays_packed, Type type) {
  read::Conversion conversion{variable.type, type, variable.packing, std::nullopt};
  if (stays_packed) conversion.packing.scale = conversion.packing.offset = std::nullopt;
  if (!conversion.is_plain())
    return {{type == Type::float32 ? element_of(static_cast<float>(put_mark)) : element_of(put_mark)}, true};
  MissingMarks marks;
  for (const Element& element : variable.packing.missing)
    if (std::ranges::find(marks.values, element) == marks.values.end()) marks.values.push_back(element);
  return marks;
}

}  // namespace thalweg::forcing
