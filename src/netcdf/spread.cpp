#include "netcdf/spread.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fingerprint.hpp"

namespace thalweg::netcdf {
namespace {

// For each variable: whether it has parts, whether they are not all of it, and whether it is cut along each dimension.
constexpr std::size_t flags_before_dimensions = 2;

// For each variable: cells, ranks that put some of it, and a number of the parts of all ranks, in two halves, which
// they add up without leaving 64 bits.
constexpr std::size_t counts_of_variable = 4;
constexpr int half_bits = 32;

const std::string& name_along(const Declared& declared, int variable, int place) {
  return declared.dimension(declared.variable(variable).dimensions[static_cast<std::size_t>(place)]).name;
}

// Sums of such numbers tell apart what was added, as those of a fingerprint do not: ranks that swap their parts would
// have the same. (source: the finalizer of MurmurHash3, 64 bits)
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 33)) * 0xff51afd7ed558ccdULL;
  number = (number ^ (number >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return number ^ (number >> 33);
}

std::uint64_t number_of(const Parts& parts, const std::vector<int>& along, int rank) {
  Fingerprint print;
  print.add(static_cast<std::uint64_t>(rank));
  print.add(parts.size());
  for (const Box& box : parts)
    for (const int d : along) {
      print.add(static_cast<std::uint64_t>(box.start[d]));
      print.add(static_cast<std::uint64_t>(box.count[d]));
    }
  return mixed(print.value());
}

std::int64_t cells_of(const Parts& parts) {
  std::int64_t cells = 0;
  for (const Box& box : parts) cells += box.cells();
  return cells;
}

// Whether they are all of it, each cell once.
bool is_all(const Parts& parts, const Index& shape) {
  if (cells_of(parts) != shape.product()) return false;
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (intersect(parts[a], parts[b])) return false;
  return true;
}

// One rank has put all of it, and the others nothing: it is cut along its first dimension.
std::vector<int> cut_for_one(const Variable& of, std::int64_t putters) {
  if (of.dimensions.empty() || putters > 1)
    fail(THALWEG_ERROR_AGREEMENT,
         "variable '{}': {} put all of it, and the others nothing; have every rank put the same values, or each a part "
         "of its own",
         of.name, putters == 1 ? "one rank has" : fmt::format("{} ranks have", putters));
  return {0};
}

}  // namespace

std::vector<std::int64_t> flags_of(const Declared& declared, const std::vector<Parts>& parts) {
  std::vector<std::int64_t> flags;
  for (int v = 0; v < std::ssize(declared.variables()); ++v) {
    const Parts& own = parts[static_cast<std::size_t>(v)];
    const Index shape = declared.shape(v);
    const bool is_whole = own.size() == 1 && own.front() == whole(shape);
    flags.push_back(own.empty() || is_whole ? 0 : 1);
    flags.push_back(is_all(own, shape) ? 0 : 1);
    for (int d = 0; d < shape.rank(); ++d)
      flags.push_back(std::ranges::any_of(own, [&](const Box& box) { return box.count[d] < shape[d]; }));
  }
  return flags;
}

// Where each of several ranks has put all of it, in one call or in several, all have put the same.
std::vector<Cut> cuts_of(const Declared& declared, std::span<const std::int64_t> largest_flags, int ranks) {
  std::vector<Cut> cuts;
  for (const Variable& of : declared.variables()) {
    Cut& cut = cuts.emplace_back();
    cut.has_parts = largest_flags[0] != 0 && (largest_flags[1] != 0 || ranks == 1);
    for (std::size_t d = 0; d < of.dimensions.size(); ++d)
      if (largest_flags[d + flags_before_dimensions] != 0) cut.along.push_back(static_cast<int>(d));
    largest_flags = largest_flags.subspan(of.dimensions.size() + flags_before_dimensions);
  }
  return cuts;
}

std::vector<std::int64_t> counts_of(const Declared& declared, const std::vector<Parts>& parts,
                                    const std::vector<Cut>& cuts, int rank) {
  std::vector<std::int64_t> counts;
  for (std::size_t v = 0; v < declared.variables().size(); ++v) {
    const Parts& own = parts[v];
    const std::uint64_t number = number_of(own, cuts[v].along, rank);
    counts.push_back(cells_of(own));
    counts.push_back(own.empty() ? 0 : 1);
    counts.push_back(static_cast<std::int64_t>(number >> half_bits));
    counts.push_back(static_cast<std::int64_t>(number & 0xffffffffU));
  }
  return counts;
}

std::vector<Spread> spreads_of(const Declared& declared, const std::vector<Cut>& cuts,
                               std::span<const std::int64_t> counts, int ranks) {
  std::vector<Spread> spreads;
  for (int v = 0; v < std::ssize(declared.variables()); ++v) {
    const Cut& cut = cuts[static_cast<std::size_t>(v)];
    const auto own = counts.subspan(static_cast<std::size_t>(v) * counts_of_variable, counts_of_variable);
    const Index shape = declared.shape(v);
    Spread& spread = spreads.emplace_back();
    spread.is_decomposed = cut.has_parts || (own[1] > 0 && own[1] < ranks);
    if (!spread.is_decomposed) continue;
    spread.along = cut.has_parts ? cut.along : cut_for_one(declared.variable(v), own[1]);
    spread.has_holes = cut.has_parts && own[0] < shape.product();
    for (const int d : spread.along) spread.key += fmt::format("{} {},", name_along(declared, v, d), shape[d]);
    spread.key += fmt::format(" {} {} {} {}", spread.has_holes, cut.has_parts, own[2], own[3]);
  }
  return spreads;
}

geometry::Decomposition decomposition_of(const Declared& declared, int variable, const Spread& spread,
                                         const Parts& parts) {
  const auto along = [&](const Index& of) {
    Index kept;
    for (const int d : spread.along) kept.push_back(of[d]);
    return kept;
  };
  geometry::Decomposition made;
  for (const int d : spread.along) made.dimensions.push_back(name_along(declared, variable, d));
  made.shape = along(declared.shape(variable));
  made.halo_low = made.halo_high = Index::filled(made.shape.rank(), 0);
  made.masked = spread.has_holes;
  for (const Box& box : parts) made.boxes.push_back({along(box.start), along(box.count)});
  return made;
}

}  // namespace thalweg::netcdf
