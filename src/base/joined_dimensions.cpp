#include "base/joined_dimensions.hpp"

#include <algorithm>

namespace thalweg {

std::int64_t JoinedDimensions::row_points() const {
  std::int64_t points = 1;
  for (int d = 1; d < sizes_.rank(); ++d) points *= sizes_[d];
  return points;
}

Index JoinedDimensions::joined(const Index& in_file) const {
  if (!any()) return in_file;
  Index result;
  for (int d = 0; d < in_file.rank(); ++d)
    if (d > first_ && d < first_ + sizes_.rank())
      result[first_] *= in_file[d];
    else
      result.push_back(in_file[d]);
  return result;
}

Box JoinedDimensions::in_file(const Box& box) const {
  if (!any()) return box;
  const std::int64_t row = row_points();
  Box result;
  for (int d = 0; d < box.rank(); ++d) {
    const std::int64_t unit = d == first_ ? row : 1;
    result.start.push_back(box.start[d] / unit);
    result.count.push_back(box.count[d] / unit);
    for (int s = 1; d == first_ && s < sizes_.rank(); ++s) {
      result.start.push_back(0);
      result.count.push_back(sizes_[s]);
    }
  }
  return result;
}

Index JoinedDimensions::stride_in_file(const Index& stride) const {
  if (!any()) return stride;
  Index result;
  for (int d = 0; d < stride.rank(); ++d) {
    if (d != first_) {
      result.push_back(stride[d]);
      continue;
    }
    for (const std::int64_t steps : contiguous_strides(sizes_, 1)) result.push_back(steps * stride[d]);
  }
  return result;
}

int place_of_joined(const std::vector<std::string>& among, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::ranges::count(among, name) != 1) return -1;
  const auto found = std::ranges::search(among, names);
  return found.empty() ? -1 : static_cast<int>(found.begin() - among.begin());
}

std::vector<std::string> with_joined(std::vector<std::string> names, int first, std::size_t count) {
  const auto begin = names.begin() + first;
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  for (auto name = begin + 1; name != end; ++name) *begin += "*" + *name;
  names.erase(begin + 1, end);
  return names;
}

}  // namespace thalweg
