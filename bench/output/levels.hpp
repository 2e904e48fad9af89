// The levels of the codecs, for everybody: Thalweg's defaults.
#pragma once

namespace bench {

constexpr int deflate_level = 4;
constexpr unsigned zstd_level = 3;

}  // namespace bench
