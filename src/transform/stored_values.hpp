// Values of one type as a variable of another one stores them: integers of another size, packed reals, and reals of
// integers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"

namespace thalweg::transform {

// What reals are packed by into integers: (value - offset) / scale, rounded to the nearest one, to the even one of two.
struct Packing {
  double scale = 1.0;   // scale_factor
  double offset = 0.0;  // add_offset
};

// Makes count contiguous numbers of contiguous ones; both lie as numbers of their types do. packing: of reals that
// become integers, of which NaN becomes the fill value (a number of the type `to`), and no other number may. Returns
// whether all fit: else what was made is not to be used.
bool store_values(Type from, const std::byte* values, Type to, std::byte* stored, std::int64_t count,
                  const Packing& packing, const std::byte* fill);

}  // namespace thalweg::transform
