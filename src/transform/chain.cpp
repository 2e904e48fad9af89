#include "transform/chain.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "transform/filters.hpp"

namespace thalweg::transform {
namespace {

// Zarr has no shuffle but that of a container, which does both.
Step codec_step(const catalog::Encoding& encoding, std::size_t element_bytes, const config::ChunkRules& rules) {
  const Filter& codec = filter_of(encoding.codec);
  const bool is_contained = encoding.shuffle && rules.filters == config::ChunkFilters::zarr;
  return {is_contained ? codec.zarr_container : &codec,
          {.level = encoding.level, .element_bytes = element_bytes, .inside = is_contained ? &codec : nullptr}};
}

const Filter& checksum_of(config::ChunkFilters of) {
  for (const Filter* filter : filters())
    if (filter->place == FilterPlace::checksum && filter->description.is_in(of)) return *filter;
  fail(THALWEG_ERROR_INTERNAL, "a format has chunks and no checksum for them");
}

}  // namespace

std::vector<Step> chain_of(const catalog::Encoding& encoding, Type type, const config::ChunkRules& rules,
                           bool checksum_first) {
  const std::size_t element_bytes = size_of(type);
  std::vector<Step> chain;
  if (encoding.shuffle) chain.push_back({&shuffling, {.element_bytes = element_bytes}});
  if (encoding.codec) chain.push_back(codec_step(encoding, element_bytes, rules));
  if (encoding.checksum) chain.push_back({&checksum_of(rules.filters), {}});
  const auto place = [&](const Step& step) {
    const bool is_first = checksum_first && step.filter->place == FilterPlace::checksum;
    return is_first ? -1 : static_cast<int>(step.filter->place);
  };
  std::ranges::sort(chain, {}, place);
  return chain;
}

std::int64_t spare_bytes(const catalog::Encoding& encoding, Type type, const config::ChunkRules& rules,
                         std::int64_t bytes) {
  constexpr std::int64_t of_checksum = 8;
  if (!encoding.changes_size()) return 0;
  if (!encoding.codec || rules.skips_codec) return of_checksum;
  const Step codec = codec_step(encoding, size_of(type), rules);
  return of_checksum + static_cast<std::int64_t>(codec.filter->bound(codec.call, static_cast<std::size_t>(bytes))) -
         bytes;
}

}  // namespace thalweg::transform
