#include "netcdf/spread.hpp"

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "base/fingerprint.hpp"

namespace thalweg::netcdf {
namespace {

// For each variable: whether a rank has put something else than all of it or nothing; whether it has less than all of
// it along each dimension.
constexpr std::size_t places_of(int dimensions) {
  return 1 + static_cast<std::size_t>(dimensions);
}

// For each variable: cells, ranks that put some of it, and a number of the boxes of all ranks, in two halves.
constexpr std::size_t summed_places = 4;

// Ranks add up these without leaving 64 bits.
constexpr int half_bits = 32;

std::uint64_t number_of(const Parts& parts, int rank) {
  Fingerprint print;
  print.add(static_cast<std::uint64_t>(rank));
  for (const Box& box : parts)
    for (int d = 0; d < box.rank(); ++d) {
      print.add(static_cast<std::uint64_t>(box.start[d]));
      print.add(static_cast<std::uint64_t>(box.count[d]));
    }
  return print.value();
}

std::int64_t cells_of(const Parts& parts) {
  std::int64_t cells = 0;
  for (const Box& box : parts) cells += box.cells();
  return cells;
}

struct Compared {
  bool has_parts;
  std::vector<int> along;
  std::int64_t cells;
  std::int64_t putters;
  std::span<const std::int64_t> number;
};

Compared of_variable(std::span<const std::int64_t> largest, std::span<const std::int64_t> sums) {
  Compared compared{largest[0] != 0, {}, sums[0], sums[1], sums.subspan(2)};
  for (std::size_t d = 1; d < largest.size(); ++d)
    if (largest[d] != 0) compared.along.push_back(static_cast<int>(d - 1));
  return compared;
}

// One rank has put all of it, and the others nothing.
void cut_for_one(Spread& spread, const Variable& of, const Compared& compared) {
  if (of.dimensions.empty() || compared.putters > 1)
    fail(THALWEG_ERROR_AGREEMENT,
         "variable '{}': {} ranks put all of it, and the others nothing; have every rank put the same values, or each "
         "a part of its own",
         of.name, compared.putters);
  spread.is_decomposed = true;
  spread.along = {0};
}

Spread spread_of(const Variable& of, const Compared& compared, std::int64_t cells, int ranks) {
  Spread spread;
  if (compared.has_parts) {
    spread.is_decomposed = true;
    spread.along = compared.along;
    spread.has_holes = compared.cells < cells;
  } else if (compared.putters > 0 && compared.putters < ranks) {
    cut_for_one(spread, of, compared);
  }
  return spread;
}

}  // namespace

Comparison comparison_of(const Declared& declared, const std::vector<Parts>& parts, int rank) {
  Comparison compared;
  for (int v = 0; v < std::ssize(declared.variables()); ++v) {
    const Parts& own = parts[static_cast<std::size_t>(v)];
    const Index shape = declared.shape(v);
    const bool is_whole = own.size() == 1 && own.front() == whole(shape);
    compared.largest.push_back(own.empty() || is_whole ? 0 : 1);
    for (int d = 0; d < shape.rank(); ++d)
      compared.largest.push_back(std::ranges::any_of(own, [&](const Box& box) { return box.count[d] < shape[d]; }));
    const std::uint64_t number = number_of(own, rank);
    compared.sums.push_back(cells_of(own));
    compared.sums.push_back(own.empty() ? 0 : 1);
    compared.sums.push_back(static_cast<std::int64_t>(number >> half_bits));
    compared.sums.push_back(static_cast<std::int64_t>(number & 0xffffffffU));
  }
  return compared;
}

std::vector<Spread> spreads_of(const Declared& declared, const Comparison& compared, int ranks) {
  std::vector<Spread> spreads;
  std::vector<std::span<const std::int64_t>> numbers;
  std::span<const std::int64_t> largest = compared.largest;
  std::span<const std::int64_t> sums = compared.sums;
  for (int v = 0; v < std::ssize(declared.variables()); ++v) {
    const Variable& of = declared.variable(v);
    const std::size_t places = places_of(static_cast<int>(of.dimensions.size()));
    const Compared one = of_variable(largest.first(places), sums.first(summed_places));
    largest = largest.subspan(places);
    sums = sums.subspan(summed_places);
    Spread spread = spread_of(of, one, declared.shape(v).product(), ranks);
    numbers.push_back(one.number);
    spread.like = v;
    for (int earlier = 0; earlier < v && spread.like == v; ++earlier)
      if (declared.variable(earlier).dimensions == of.dimensions &&
          std::ranges::equal(numbers[static_cast<std::size_t>(earlier)], one.number))
        spread.like = earlier;
    spreads.push_back(std::move(spread));
  }
  return spreads;
}

geometry::Decomposition decomposition_of(const Declared& declared, int variable, const Spread& spread,
                                         const Parts& parts) {
  const Index shape = declared.shape(variable);
  const auto along = [&](const Index& of) {
    Index kept;
    for (const int d : spread.along) kept.push_back(of[d]);
    return kept;
  };
  geometry::Decomposition made;
  for (const int d : spread.along)
    made.dimensions.push_back(
        declared.dimension(declared.variable(variable).dimensions[static_cast<std::size_t>(d)]).name);
  made.shape = along(shape);
  made.halo_low = made.halo_high = Index::filled(made.shape.rank(), 0);
  made.masked = spread.has_holes;
  for (const Box& box : parts) made.boxes.push_back({along(box.start), along(box.count)});
  return made;
}

}  // namespace thalweg::netcdf
