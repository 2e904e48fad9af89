// Numbers are taken in strips, which stay in the nearest caches from one step of the work to the next.
#pragma once

#include <array>
#include <cstddef>

namespace thalweg::fields {

constexpr std::size_t strip_cells = 1024;  // at most

// Room for one, on lines of the cache: numbers that are stored over the ends of these take twice the time.
template <typename Number>
struct alignas(64) StripRoom : std::array<Number, strip_cells> {};

}  // namespace thalweg::fields
