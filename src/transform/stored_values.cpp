#include "transform/stored_values.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/numbers.hpp"

namespace thalweg::transform {
namespace {

// Values are made without branches, and whether all fit is asked once.

// Beside this number doubles have no fractions: who adds and takes it away rounds to the nearest, to even at a half.
constexpr double without_fractions = 6755399441055744.0;  // 1.5 * 2^52

template <typename From, typename To>
bool pack(const From* values, To* stored, std::int64_t count, const Packing& packing, To fill) {
  static_assert(sizeof(To) < sizeof(double), "larger integers are not exact in double");
  constexpr double least = std::numeric_limits<To>::min();
  constexpr double most = std::numeric_limits<To>::max();
  const double missing = fill;
  const double scale = packing.scale, offset = packing.offset;
  int faults = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double exact = (static_cast<double>(values[i]) - offset) / scale;
    const double whole = (exact + without_fractions) - without_fractions;
    const bool fits = (whole >= least) & (whole <= most) & (whole != missing);
    faults |= static_cast<int>(!fits) & static_cast<int>(exact == exact);
    stored[i] = static_cast<To>(static_cast<std::int64_t>(fits ? whole : missing));
  }
  return faults == 0;
}

template <typename From, typename To>
bool convert(const From* values, To* stored, std::int64_t count) {
  int faults = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To>)
      faults |= static_cast<int>(!std::in_range<To>(values[i]));
    stored[i] = static_cast<To>(values[i]);
  }
  return faults == 0;
}

// Of 64 bits: a number is compared as it is.
template <typename From, typename To>
bool pack_one_by_one(const From* values, To* stored, std::int64_t count, const Packing& packing, To fill) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double whole = std::nearbyint((static_cast<double>(values[i]) - packing.offset) / packing.scale);
    const bool is_missing = std::isnan(values[i]);
    if (!is_missing && (!holds<To>(whole) || static_cast<To>(whole) == fill)) return false;
    stored[i] = is_missing ? fill : static_cast<To>(whole);
  }
  return true;
}

template <typename From, typename To>
bool store(const From* values, To* stored, std::int64_t count, const Packing& packing, const std::byte* fill) {
  if constexpr (!std::is_floating_point_v<From> || std::is_floating_point_v<To>)
    return convert(values, stored, count);
  else if constexpr (sizeof(To) < sizeof(double))
    return pack(values, stored, count, packing, loaded<To>(fill));
  else
    return pack_one_by_one(values, stored, count, packing, loaded<To>(fill));
}

}  // namespace

bool store_values(Type from, const std::byte* values, Type to, std::byte* stored, std::int64_t count,
                  const Packing& packing, const std::byte* fill) {
  bool all_fit = false;
  with_number(from, [&](auto of) {
    with_number(to, [&](auto as) {
      all_fit = store(reinterpret_cast<const decltype(of)*>(values), reinterpret_cast<decltype(as)*>(stored), count,
                      packing, fill);
    });
  });
  return all_fit;
}

}  // namespace thalweg::transform
