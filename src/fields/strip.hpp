// Numbers are taken in strips, which stay in the nearest caches from one step of the work to the next.
#pragma once

#include <array>
#include <cstddef>

namespace thalweg::fields {

constexpr std::size_t strip_cells = 1024;  // at most
// Those of an expression are so short that the processor asks for the numbers of the next one while it still computes.
constexpr std::size_t short_strip_cells = 128;

// Room for one, on lines of the cache: numbers that are stored over the ends of these take twice the time.
template <typename Number, std::size_t cells = strip_cells>
struct alignas(64) StripRoom : std::array<Number, cells> {};
using ShortStripRoom = StripRoom<double, short_strip_cells>;

}  // namespace thalweg::fields
