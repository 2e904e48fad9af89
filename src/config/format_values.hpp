// Values that name formats and codecs, and what the reference says of them, from their rows.
#pragma once

#include <cstdint>
#include <string>

#include "config/values.hpp"

namespace thalweg::config {

Values<Format> format_names();
std::string notes_on_formats();  // "; user: a procedure of the model writes them"

Values<Codec> codec_names();
Values<std::int64_t> codec_levels();
std::string codec_levels_text();  // "zstd 1 to 19 (auto: 3), deflate 1 to 9 (auto: 4)"
std::string codec_plugins();      // "a plug-in of HDF5 for zstd, none for deflate"

}  // namespace thalweg::config
