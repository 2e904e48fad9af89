#include "transform/filter.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "transform/filters/rows.hpp"

namespace thalweg::transform {
namespace {

std::optional<std::size_t> copy(const FilterCall& /*call*/, std::span<const std::byte> in, std::span<std::byte> out,
                                WorkingMemory& /*memory*/) {
  if (in.size() > out.size()) return std::nullopt;
  std::copy(in.begin(), in.end(), out.begin());
  return in.size();
}

std::size_t copy_back(const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out) {
  WorkingMemory none;
  const auto bytes = copy(call, in, out, none);
  if (!bytes) fail(THALWEG_ERROR_STORAGE, "a chunk of {} bytes does not fit into {} bytes", in.size(), out.size());
  return *bytes;
}

constinit const Filter as_it_is = {.description = {.name = "none"}, .encode = copy, .decode = copy_back};

}  // namespace

const std::vector<const Filter*>& filters() {
  static const std::vector<const Filter*> all(all_filters.begin(), all_filters.end());
  return all;
}

const Filter& filter_of(Codec codec) {
  if (!codec) return as_it_is;
  for (const Filter* filter : filters())
    if (&filter->description == &*codec) return *filter;
  fail(THALWEG_ERROR_INTERNAL, "codec '{}' has no row", codec->name);
}

std::size_t decompress(Codec codec, std::span<const std::byte> in, std::span<std::byte> out) {
  return filter_of(codec).decode({}, in, out);
}

void check_level(const config::FilterDescription& codec, int level) {
  if (level < codec.levels.least || level > codec.levels.most)
    fail(THALWEG_ERROR_ARGUMENT, "compression level {} of {} is not one of {} to {}", level, codec.name,
         codec.levels.least, codec.levels.most);
}

}  // namespace thalweg::transform

namespace thalweg::config {

// A container is none that is asked for.
const std::vector<Codec>& codecs() {
  static const std::vector<Codec> all = [] {
    std::vector<Codec> described;
    for (const transform::Filter* filter : transform::filters())
      if (filter->place == transform::FilterPlace::codec && filter->description.levels.most > 0)
        described.emplace_back(filter->description);
    return described;
  }();
  return all;
}

Codec codec_named(std::string_view name) {
  if (name == "none") return {};
  for (const Codec codec : codecs())
    if (codec->name == name) return codec;
  fail(THALWEG_ERROR_INTERNAL, "there is no codec '{}'", name);
}

}  // namespace thalweg::config
