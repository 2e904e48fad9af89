#include "netcdf/kept_puts.hpp"

#include <algorithm>
#include <limits>

#include "base/log.hpp"
#include "transport/collective.hpp"

namespace thalweg::netcdf {
namespace {

std::int64_t number_of_values(const put::Field& whole) {
  constexpr std::uint64_t positive = std::numeric_limits<std::int64_t>::max();
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(fingerprint_of(whole) & positive));
}

// From the values of all its parts, which are contiguous; nothing as long as there are cells that no part has.
std::int64_t number_of_parts(const Declared& declared, const std::vector<const Kept*>& parts) {
  const int variable = parts.front()->variable;
  const Index shape = declared.shape(variable);
  std::int64_t cells = 0;
  for (const Kept* part : parts) cells += part->box.cells();
  if (cells != shape.product() || cells == 0) return 0;
  if (parts.size() == 1) return number_of_values(parts.front()->values.field);
  Joined joined(shape, declared.variable(variable).type);
  for (const Kept* part : parts) joined.add(part->box, part->values.field);
  return joined.is_complete() ? number_of_values(joined.field()) : 0;
}

}  // namespace

std::vector<std::int64_t> numbers_of_values(const Declared& declared, const std::vector<Kept>& kept) {
  std::vector<std::vector<const Kept*>> parts(declared.variables().size());
  for (const Kept& of : kept) parts[static_cast<std::size_t>(of.variable)].push_back(&of);
  std::vector<std::int64_t> numbers;
  for (const auto& of : parts) numbers.push_back(of.empty() ? 0 : number_of_parts(declared, of));
  return numbers;
}

void warn_of_other_values(const roles::Circle& clients, const Declared& declared, const std::vector<Spread>& spreads,
                          const std::vector<std::int64_t>& numbers, const std::string& path) {
  const int rank = clients.rank();
  std::vector<std::int64_t> of_first = numbers;
  transport::broadcast_values(clients, 0, of_first);
  // Of the lowest rank that has others; the number of ranks stands for none.
  std::vector<std::int64_t> lowest(numbers.size(), -clients.size());
  for (std::size_t v = 0; v < numbers.size(); ++v)
    if (numbers[v] != 0 && of_first[v] != 0 && numbers[v] != of_first[v]) lowest[v] = -rank;
  transport::maximum(clients, lowest);
  if (rank != 0) return;
  for (std::size_t v = 0; v < numbers.size(); ++v) {
    if (spreads[v].is_decomposed || lowest[v] == -clients.size()) continue;
    log::warning(
        "file '{}', variable '{}': ranks 0 and {} have put all of it, with different values, and those of one rank are "
        "written; put on each rank its own part (start and count), or the same values on all",
        path, declared.variables()[v].name, -lowest[v]);
  }
}

}  // namespace thalweg::netcdf
