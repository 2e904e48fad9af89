// Which numbers stand for none. Pure.
#pragma once

#include <algorithm>
#include <vector>

namespace thalweg::fields {

// Calls use with what tells whether a number is the missing value. The usual one is compared without a loop.
template <typename Use>
auto with_missing(const std::vector<double>& missing, bool is_single, const Use& use) {
  const double first = missing[0];
  const auto first_single = static_cast<float>(first);
  if (missing.size() == 1 && first != first) return use([](double x) { return x != x; });
  if (missing.size() == 1 && is_single)
    return use([first_single](double x) { return static_cast<float>(x) == first_single; });
  if (missing.size() == 1) return use([first](double x) { return x == first; });
  return use([&missing, is_single](double x) {
    return std::ranges::any_of(missing, [&](double one) {
      return (one != one && x != x) || x == one || (is_single && static_cast<float>(x) == static_cast<float>(one));
    });
  });
}

}  // namespace thalweg::fields
