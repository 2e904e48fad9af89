#include "planning/chunk_choice.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/told.hpp"
#include "catalog/encoding.hpp"
#include "geometry/stretch_chunks.hpp"
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

// How many cells of each dimension an I/O domain has.
void cut_extents(const Draft& draft, const catalog::ModelSide& side, const JoinedDimensions& joined, Index& extent) {
  const Index domains = choose_domains(draft, side.decomposition);
  if (joined.any()) {
    std::int64_t parts = domains[0];  // the slowest is cut first; what is slower than one that is cut has one index
    for (int d = joined.first(); d < joined.first() + joined.sizes().rank() && parts > 1; ++d) {
      const std::int64_t here = std::min(parts, extent[d]);
      extent[d] = divide_up(extent[d], here);
      parts = extent[d] == 1 ? divide_up(parts, here) : 1;
    }
    return;
  }
  for (int d = 0; d < extent.rank(); ++d)
    if (const int cut = side.decomposed[static_cast<std::size_t>(d)]; cut >= 0)
      extent[d] = divide_up(extent[d], domains[cut]);
}

// What is said of dimensions that an index list joins, so that chunks are stretches of it.
void complete(const Draft& draft, const catalog::Variable& of, Index& chunk) {
  const Index& sizes = of.joined.sizes();
  Index said;
  for (int s = 0; s < sizes.rank(); ++s) said.push_back(chunk[of.joined.first() + s]);
  if (std::ranges::count(said, 0) == sizes.rank()) return;
  const std::optional<Index> completed = geometry::completed_stretch(sizes, said);
  const config::CollectionSettings& settings = draft.declaration.settings();
  if (!completed) {
    std::vector<std::string> names;
    for (int s = 0; s < sizes.rank(); ++s) {
      const int dimension = of.dimensions[static_cast<std::size_t>(of.joined.first() + s)];
      names.push_back(draft.definition.dimensions[static_cast<std::size_t>(dimension)].name);
    }
    fail(
        THALWEG_ERROR_CONFIG,
        "{}: collection '{}', variable '{}': 'chunks' asks for {} cells (0: nothing is said) of ({}), whose points are "
        "an index list, and which is cut into whole rows of it: chunks have all cells along the faster dimensions "
        "{}; say how many '{}' alone",
        settings.place, settings.name, of.name, told::extents(said), told::names(names), told::extents(sizes),
        names[0]);
  }
  for (int s = 0; s < sizes.rank(); ++s) chunk[of.joined.first() + s] = (*completed)[s];
}

Wish wish_for(const Draft& draft, int variable) {
  const catalog::Declaration& declaration = draft.declaration;
  const catalog::Definition& definition = declaration.definition();
  const catalog::Variable& of = draft.variable(variable);
  const catalog::ModelSide& side = declaration.model_side(variable);
  const bool is_cut = side.decomposition >= 0 && draft.set.empty();
  const Index shape = definition.shape(of);
  Wish wish{shape, Index::filled(shape.rank(), 0)};
  for (int d = 0; d < shape.rank(); ++d) {
    const auto dimension = static_cast<std::size_t>(of.dimensions[static_cast<std::size_t>(d)]);
    const std::int64_t cells =
        catalog::chunk_cells(declaration.settings(), of.name, definition.dimensions[dimension].name);
    wish.chunk[d] = std::min(shape[d], cells);
    if (!draft.set.empty()) wish.extent[d] = longest_section(draft.set, dimension);
  }
  if (is_cut) cut_extents(draft, side, of.joined, wish.extent);
  if (of.joined.any()) complete(draft, of, wish.chunk);
  return wish;
}

// Chunks of joined dimensions are stretches; the arithmetic of boxes need not have given one.
void make_stretch(const JoinedDimensions& joined, Index& chunk) {
  std::int64_t points = 1;
  for (int s = 0; s < joined.sizes().rank(); ++s) points *= chunk[joined.first() + s];
  const Index stretch = geometry::stretch_chunk(joined.sizes(), points);
  for (int s = 0; s < stretch.rank(); ++s) chunk[joined.first() + s] = stretch[s];
}

// An object is a stretch as well, and that of a domain: so it is where chunks are whole rows of the slowest dimension.
bool may_shard(const catalog::Variable& of) {
  for (int s = 1; s < of.joined.sizes().rank(); ++s)
    if (of.chunk[of.joined.first() + s] != of.joined.sizes()[s]) return false;
  return true;
}

void choose_chunk_records(const Draft& draft, catalog::Variable& of, std::int64_t bytes) {
  const config::CollectionSettings& settings = draft.declaration.settings();
  const std::int64_t records = catalog::chunk_cells(settings, of.name, settings.record_dimension);
  of.chunk_records = records > 0 ? records : std::max<std::int64_t>(1, small_chunk_bytes / bytes);
  if (settings.ends_with_record()) of.chunk_records = 1;
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
  if (of.joined.any()) make_stretch(of.joined, of.chunk);
  const std::int64_t bytes = of.chunk.product() * element_bytes;
  if (bytes < small_chunk_bytes && !wish.is_said())
    of.encoding = {.keep_digits = of.encoding.keep_digits, .keep_bits = of.encoding.keep_bits};
  const bool is_object = definition.format->traits.objects;
  of.is_chunked =
      of.has_record || is_object || (wish.extent.rank() > 0 && (wish.is_said() || of.encoding.changes_size()));
  if (of.has_record) choose_chunk_records(draft, of, bytes);
  if (!draft.declaration.settings().sharding || of.chunk_records > 1) return;
  const Index chunks = divide_up(wish.extent, of.chunk);
  if (chunks.product() > 1 && may_shard(of)) of.shard = chunks;
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
