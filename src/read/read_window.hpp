// Values of a window, out of its file.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "base/box.hpp"
#include "read/file_reader.hpp"
#include "read/getting.hpp"

namespace thalweg::read {

// cells: of the part that is got; values becomes theirs, row-major. Returns their byte order. Errors: STORAGE, FORMAT.
std::endian read_window(FileReader& file, const Getting& getting, const Box& cells, std::vector<std::byte>& values);

}  // namespace thalweg::read
