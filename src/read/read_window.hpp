// Values of a window, out of its file.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "read/file_reader.hpp"
#include "read/getting.hpp"

namespace thalweg::read {

struct WindowRoom {
  std::span<std::byte> values;   // of all cells
  std::vector<std::byte>& room;  // for what is read beside them
};

// cells: of the part that is got. Returns the byte order of the values, which are row-major. Errors: STORAGE, FORMAT.
std::endian read_window(FileReader& file, const Getting& getting, const Box& cells, const WindowRoom& into);

}  // namespace thalweg::read
