#include "formats/netcdf4/kept_headers.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::formats::netcdf4 {
namespace {

constexpr std::size_t most_bytes = std::size_t{32} << 20;  // of all that are kept, unless the newest has more

}  // namespace

KeptHeaders& KeptHeaders::of_process() {
  static KeptHeaders headers;
  return headers;
}

std::shared_ptr<const Netcdf4Header> KeptHeaders::of(const std::string& path, catalog::Definition definition) {
  definition.striping = {};  // is the file's alone
  const auto found = std::ranges::find(kept_, definition, &Kept::definition);
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    auto header = std::make_shared<const Netcdf4Header>(define_netcdf4(path, definition));
    kept_.push_front({std::move(definition), std::move(header)});
    shrink();
  }
  return kept_.front().header;
}

void KeptHeaders::shrink() {
  std::size_t bytes = kept_.front().header->bytes.size();
  auto kept = std::next(kept_.begin());
  while (kept != kept_.end() && (bytes += kept->header->bytes.size()) <= most_bytes) ++kept;
  kept_.erase(kept, kept_.end());
}

}  // namespace thalweg::formats::netcdf4
