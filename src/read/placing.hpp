// Values of a window or of a message, put into a rank's array, and packed for a message. Pure.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "geometry/index_list.hpp"
#include "read/read_plan.hpp"

namespace thalweg::read {

// A local array, in the dimensions of the variable.
struct Target {
  std::byte* origin = nullptr;  // where the first cell would be if the array had its halo
  Type type{};
  Index stride;       // bytes, of any sign
  Index first, stop;  // of the places, counted with the halo, those that the array has
  // What stays as it is where signs change: it stands for missing values.
  std::vector<Element> without_sign{};
};

// Values of a window, row-major, as they came from the file.
struct WindowValues {
  std::span<const std::byte> bytes;
  std::endian order = std::endian::native;
};

// values: row-major, in the type of the target: those of a window of which a share of boxes has some, or of a message.
void place_window(const Share& share, const WindowValues& values, const Target& target);
void place_message(const Share& share, std::span<const std::byte> values, const Target& target);

// Along dimension `along` of the target, which has what the copies are of.
void place_copies(std::span<const geometry::LocalCopy> copies, int along, const Target& target);

// The share's cells out of those of its window.
void pack(const Share& share, Type type, const WindowValues& window, std::span<std::byte> message);

}  // namespace thalweg::read
