#include "planning/domain_choice.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/told.hpp"
#include "planning/pattern.hpp"

namespace thalweg::planning {

std::vector<int> decompositions_of(const catalog::Declaration& declaration) {
  std::vector<int> used;
  for (int v = 0; v < std::ssize(declaration.definition().variables); ++v)
    if (const int decomposition = declaration.model_side(v).decomposition;
        decomposition >= 0 && std::count(used.begin(), used.end(), decomposition) == 0)
      used.push_back(decomposition);
  return used;
}

namespace {

// Of a decomposition with other dimensions than the layout's, which another one has: as many, along the slowest.
std::int64_t choose_along_slowest(const Draft& draft, std::int64_t cells) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  const std::vector<int> all = decompositions_of(draft.declaration);
  const auto has_layout = [&](int of) {
    return draft.given.decomposition(of).sizes().rank() == static_cast<int>(settings.layout.size());
  };
  std::vector<int> ranks;
  for (const int of : all) ranks.push_back(draft.given.decomposition(of).sizes().rank());
  if (std::ranges::none_of(all, has_layout))
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': layout [{}] has {} numbers, but its decompositions have {} dimensions; give one number "
         "a dimension, slowest first",
         settings.place, settings.name, fmt::join(settings.layout, ", "), settings.layout.size(),
         fmt::join(ranks, " and "));
  std::int64_t domains = 1;
  for (const std::int64_t along : settings.layout) domains *= along;
  if (makes_set(draft.pattern) && domains > cells)
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': layout [{}] makes a set of {} files, but a decomposition of other dimensions has {} "
         "cells along its slowest; set pattern: shared, or give the variables on it a collection of their own",
         settings.place, settings.name, fmt::join(settings.layout, ", "), domains, cells);
  return std::min(domains, cells);
}

// Along each dimension that the decomposition names.
Index choose_along_names(const Draft& draft, int decomposition) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  const geometry::Decomposition& of = draft.given.decomposition(decomposition);
  const Index& shape = of.sizes();
  Index domains = Index::filled(shape.rank(), 1);
  if (settings.layout.empty()) {
    if (draft.pattern == config::Pattern::single) return domains;
    // A list's points may be cut anywhere, also within a row.
    const bool cuts_rows = of.list && !draft.has_boxes_only();
    domains[0] = std::min(draft.writer_count(), cuts_rows ? of.shape[0] : shape[0]);
    if (!makes_set(draft.pattern)) return domains;
    // The domains of all decompositions belong together, so none has more than the smallest.
    for (const int other : decompositions_of(draft.declaration))
      domains[0] = std::min(domains[0], draft.given.decomposition(other).shape[0]);
    return domains;
  }
  if (static_cast<int>(settings.layout.size()) != shape.rank()) {
    domains[0] = choose_along_slowest(draft, shape[0]);
    return domains;
  }
  for (int d = 0; d < shape.rank(); ++d) {
    domains[d] = settings.layout[static_cast<std::size_t>(d)];
    if (domains[d] > shape[d])
      fail(THALWEG_ERROR_CONFIG, "{}: collection '{}': layout [{}] cuts a dimension of {} cells into {} domains",
           settings.place, settings.name, fmt::join(settings.layout, ", "), shape[d], domains[d]);
  }
  if (settings.pattern == config::Pattern::single && domains.product() > 1)
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': pattern 'single' has one writer, but layout [{}] makes {} domains; use pattern "
         "'shared'",
         settings.place, settings.name, fmt::join(settings.layout, ", "), domains.product());
  return domains;
}

}  // namespace

// Those that an index list joins are one, which is cut along the slowest.
Index choose_domains(const Draft& draft, int decomposition) {
  const Index domains = choose_along_names(draft, decomposition);
  if (!draft.given.decomposition(decomposition).list) return domains;
  if (domains.product() != domains[0])
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}': layout [{}], slowest first, cuts ({}) along another dimension than '{}', but its points "
         "are an index list, which is cut along the slowest one alone; give 1 for the others",
         draft.declaration.settings().place, draft.identity.name, fmt::join(draft.declaration.settings().layout, ", "),
         told::names(draft.given.decomposition(decomposition).dimensions),
         draft.given.decomposition(decomposition).dimensions.front());
  return {domains[0]};
}

geometry::Layout choose_layout(const Draft& draft, int variable, const geometry::Boundaries* boundaries) {
  const catalog::ModelSide& side = draft.declaration.model_side(variable);
  const geometry::Decomposition& of_model = draft.given.decomposition(side.decomposition);
  const Index& shape = of_model.shape;
  const Index domains = choose_domains(draft, side.decomposition);
  const std::int64_t unit = of_model.list && draft.has_boxes_only() ? of_model.row_points() : 1;
  if (!draft.chunked && unit > 1) return geometry::Layout::chunked(shape, domains, {unit});
  if (!draft.chunked && (of_model.list || domains.product() == 1)) return geometry::Layout::even(shape, domains);
  if (!draft.chunked) return geometry::Layout::at_boundaries(shape, domains, *boundaries);
  Index chunk = Index::filled(shape.rank(), 1);
  const catalog::Variable& of = draft.variable(variable);
  const Index of_variable = of.joined.joined(of.chunk);
  for (std::size_t d = 0; d < side.decomposed.size(); ++d)
    if (side.decomposed[d] >= 0 && of.is_chunked) chunk[side.decomposed[d]] = of_variable[static_cast<int>(d)];
  chunk[0] = std::max(chunk[0], unit);  // of one that is a part of a row, rows have whole ones
  return geometry::Layout::chunked(shape, domains, chunk);
}

}  // namespace thalweg::planning
