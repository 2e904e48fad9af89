#include "forcing/blend.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/numbers.hpp"
#include "put/field_rows.hpp"

namespace thalweg::forcing {
namespace {

// Calls use(first element of the contiguous array, number of them, where the first lies in the field).
template <typename Use>
void for_each_part(const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data, const Use& use) {
  const put::FieldRows rows = put::rows_of(field);
  for (const Stretch& stretch : stretches) {
    for (std::int64_t at = stretch.start; at < stretch.stop();) {
      const std::int64_t row = at / rows.length, place = at % rows.length;
      const std::int64_t count = std::min(stretch.stop() - at, rows.length - place);
      std::byte* to =
          data + (rows.is_one ? 0 : put::offset_of_row(row, field.extent, field.stride)) + place * rows.element_stride;
      use(at, count, to, rows.element_stride);
      at += count;
    }
  }
}

// So many elements at a time, that they stay near while they are looked at again.
constexpr std::int64_t block = 2048;

template <typename Number>
class Blender {
 public:
  explicit Blender(const Between& of)
      : weight_(of.weight),
        lower_(reinterpret_cast<const Number*>(of.lower.values)),
        upper_(reinterpret_cast<const Number*>(of.upper.values)),
        missing_in_lower_(marks_of(of.lower.missing)),
        missing_in_upper_(marks_of(of.upper.missing)),
        instead_(static_cast<Number>(of.instead.value_or(std::numeric_limits<double>::quiet_NaN()))) {}

  void fill(std::int64_t at, std::int64_t count, std::byte* to, std::int64_t stride) const {
    for (std::int64_t done = 0; done < count; done += block) {
      const std::int64_t some = std::min(block, count - done);
      if (stride == sizeof(Number)) {
        fill_block(at + done, some, reinterpret_cast<Number*>(to + done * stride));
        continue;
      }
      std::array<Number, block> values;
      fill_block(at + done, some, values.data());
      for (std::int64_t i = 0; i < some; ++i) std::memcpy(to + (done + i) * stride, &values[i], sizeof(Number));
    }
  }

 private:
  using Word = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  enum class By { value, nan, bits };
  struct Mark {
    Number value;
    By by;
  };

  static std::vector<Mark> marks_of(const MissingMarks& missing) {
    std::vector<Mark> marks;
    for (const Element& element : missing.values) {
      const auto value = loaded<Number>(element.data());
      marks.push_back({value, missing.is_put ? By::bits : std::isnan(value) ? By::nan : By::value});
    }
    return marks;
  }

  void fill_block(std::int64_t at, std::int64_t count, Number* out) const {
    const Number* lower = lower_ + at;
    if (weight_ == 0.0) {
      std::memcpy(out, lower, count * sizeof(Number));
      return replace(missing_in_lower_, lower, count, out);
    }
    const Number* upper = upper_ + at;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto from = static_cast<double>(lower[i]);
      out[i] = static_cast<Number>(from + weight_ * (static_cast<double>(upper[i]) - from));
    }
    replace(missing_in_lower_, lower, count, out);
    replace(missing_in_upper_, upper, count, out);
  }

  // Each of these loops is without a branch, so that it is made of vectors.
  void replace(const std::vector<Mark>& marks, const Number* values, std::int64_t count, Number* out) const {
    for (const Mark& mark : marks) {
      const Number instead = instead_, value = mark.value;
      if (mark.by == By::value)
        for (std::int64_t i = 0; i < count; ++i) out[i] = values[i] == value ? instead : out[i];
      else if (mark.by == By::nan)
        for (std::int64_t i = 0; i < count; ++i) out[i] = values[i] != values[i] ? instead : out[i];
      else
        for (std::int64_t i = 0; i < count; ++i)
          out[i] = std::bit_cast<Word>(values[i]) == std::bit_cast<Word>(value) ? instead : out[i];
    }
  }

  double weight_;
  const Number *lower_, *upper_;
  std::vector<Mark> missing_in_lower_, missing_in_upper_;
  Number instead_;
};

template <typename Number>
void blend_numbers(const Between& between, const std::vector<Stretch>& stretches, const put::Field& field,
                   std::byte* data) {
  const Blender<Number> blender(between);
  for_each_part(stretches, field, data, [&](std::int64_t at, std::int64_t count, std::byte* to, std::int64_t stride) {
    blender.fill(at, count, to, stride);
  });
}

}  // namespace

std::vector<Stretch> stretches_of(std::span<const std::byte> is_covered) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < is_covered.size(); ++i) {
    if (is_covered[i] == std::byte{0}) continue;
    const auto at = static_cast<std::int64_t>(i);
    if (!stretches.empty() && stretches.back().stop() == at)
      ++stretches.back().length;
    else
      stretches.push_back({at, 1});
  }
  return stretches;
}

void blend(const Between& between, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data) {
  if (field.type == Type::float32)
    blend_numbers<float>(between, stretches, field, data);
  else
    blend_numbers<double>(between, stretches, field, data);
}

void copy(const std::byte* record, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data) {
  const auto bytes = static_cast<std::int64_t>(size_of(field.type));
  for_each_part(stretches, field, data, [&](std::int64_t at, std::int64_t count, std::byte* to, std::int64_t stride) {
    const std::byte* source = record + at * bytes;
    if (stride == bytes) return static_cast<void>(std::memcpy(to, source, count * bytes));
    for (std::int64_t i = 0; i < count; ++i, to += stride, source += bytes) std::memcpy(to, source, bytes);
  });
}

}  // namespace thalweg::forcing
