#include "planning/chunk_choice.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "catalog/encoding.hpp"
#include "planning/domain_choice.hpp"
#include "staging/budget.hpp"

namespace thalweg::planning {
namespace {

// Chunks of variables with next to nothing in a record span many records, up to this many bytes. They are rounded, so
// that values do not depend on the layout, but not compressed.
constexpr std::int64_t small_chunk_bytes = 4096;

std::int64_t longest_section(const std::vector<files::FilePart>& set, std::size_t dimension) {
  std::int64_t longest = 0;
  for (const files::FilePart& part : set) longest = std::max(longest, part.sections[dimension].count);
  return longest;
}

// What chunks are cut from, and what the configuration says of them.
struct Wish {
  Index extent;  // of an I/O domain; of a set, of its largest file
  Index chunk;   // 0 where nothing is said
  bool is_said() const {
    return std::ranges::any_of(chunk, [](std::int64_t cells) { return cells > 0; });
  }
};

Wish wish_for(const Draft& draft, int variable) {
  const catalog::Declaration& declaration = draft.declaration;
  const catalog::Definition& definition = declaration.definition();
  const catalog::Variable& of = draft.variable(variable);
  const catalog::ModelSide& side = declaration.model_side(variable);
  const bool is_cut = side.decomposition >= 0 && draft.set.empty();
  const Index domains = is_cut ? choose_domains(draft, side.decomposition) : Index{};
  const Index shape = definition.shape(of);
  Wish wish{shape, Index::filled(shape.rank(), 0)};
  for (int d = 0; d < shape.rank(); ++d) {
    const auto dimension = static_cast<std::size_t>(of.dimensions[static_cast<std::size_t>(d)]);
    const std::int64_t cells =
        catalog::chunk_cells(declaration.settings(), of.name, definition.dimensions[dimension].name);
    wish.chunk[d] = std::min(shape[d], cells);
    if (!draft.set.empty()) wish.extent[d] = longest_section(draft.set, dimension);
    if (const int cut = is_cut ? side.decomposed[static_cast<std::size_t>(d)] : -1; cut >= 0)
      wish.extent[d] = divide_up(shape[d], domains[cut]);
  }
  return wish;
}

void choose_chunk_records(const Draft& draft, catalog::Variable& of, std::int64_t bytes) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  const std::int64_t records = catalog::chunk_cells(settings, of.name, settings.record_dimension);
  of.chunk_records = records > 0 ? records : std::max<std::int64_t>(1, small_chunk_bytes / bytes);
  if (settings.one_record) of.chunk_records = 1;
  if (!of.encoding.changes_size()) return;
  if (records > 1)
    fail(THALWEG_ERROR_CONFIG,
         "{}: collection '{}', variable '{}': chunks of {} records cannot be compressed, because each record is "
         "committed by itself; leave '{}' out of 'chunks', or set compression: none for this variable",
         settings.place, settings.name, of.name, records, settings.record_dimension);
  of.chunk_records = 1;
}

}  // namespace

void choose_chunk(Draft& draft, int variable) {
  catalog::Definition& definition = draft.definition;
  catalog::Variable& of = definition.variables[static_cast<std::size_t>(variable)];
  const Wish wish = wish_for(draft, variable);
  const auto element_bytes = static_cast<std::int64_t>(size_of(of.type));
  of.chunk = geometry::choose_chunk(wish.extent, wish.chunk, element_bytes);
  const std::int64_t bytes = of.chunk.product() * element_bytes;
  if (bytes < small_chunk_bytes && !wish.is_said())
    of.encoding = {.keep_digits = of.encoding.keep_digits, .keep_bits = of.encoding.keep_bits};
  const bool is_object = definition.format->traits.objects;
  of.is_chunked =
      of.has_record || is_object || (wish.extent.rank() > 0 && (wish.is_said() || of.encoding.changes_size()));
  if (of.has_record) choose_chunk_records(draft, of, bytes);
  if (!draft.declaration.settings().sharding || of.chunk_records > 1) return;
  const Index chunks = divide_up(wish.extent, of.chunk);
  if (chunks.product() > 1) of.shard = chunks;
}

void explain_chunks(const Draft& draft) {
  const catalog::Definition& definition = draft.definition;
  for (const catalog::Variable& variable : definition.variables) {
    const Index shape = definition.shape(variable);
    if (!variable.is_chunked || shape.rank() < 2) continue;
    std::int64_t of_map = 1;  // a map: the two fastest dimensions, everything else fixed
    for (int d = shape.rank() - 2; d < shape.rank(); ++d) of_map *= divide_up(shape[d], variable.chunk[d]);
    const std::int64_t bytes =
        variable.chunk.product() * variable.chunk_records * static_cast<std::int64_t>(size_of(variable.type));
    log::debug(
        "collection '{}', variable '{}': chunks of {} x {} records, {}; a map of one record reads {} of them ({}), a "
        "series of 100 records at one point {} ({})",
        draft.identity.name, variable.name, to_string(variable.chunk), variable.chunk_records,
        staging::readable_bytes(bytes), of_map, staging::readable_bytes(of_map * bytes),
        divide_up(100, variable.chunk_records),
        staging::readable_bytes(divide_up(100, variable.chunk_records) * bytes));
  }
}

}  // namespace thalweg::planning
