// Which elements of an array a get puts values into. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "read/contents.hpp"
#include "read/declared_variable.hpp"

namespace thalweg::read {

// One byte for each element of an array of a box that is held, of these extents, slowest first in memory: not zero
// where the variable has a cell or a point. Errors: SHAPE, as a get; the text begins with `where`.
std::vector<std::byte> coverage_of(const InputVariable& variable, const DeclaredVariable& held, int box,
                                   const Index& extent, const std::string& where);

}  // namespace thalweg::read
