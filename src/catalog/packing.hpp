// How the values of a variable in a file stand for numbers. Pure. Source: CF conventions 1.12, sections 2.5.1 and 8.1;
// NetCDF User's Guide, appendix A.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"

namespace thalweg::catalog {

struct Packing {
  std::optional<double> scale;   // scale_factor
  std::optional<double> offset;  // add_offset
  bool is_unsigned = false;      // _Unsigned: signed bits are those of an unsigned number
  std::vector<Element> missing;  // _FillValue and missing_value, in the type of the file
  std::string fault;             // what cannot be understood; values are not known then

  bool packs() const { return scale || offset; }
  // By other numbers than 1 and 0, which many files say of what is not packed.
  bool changes_values() const { return scale.value_or(1.0) != 1.0 || offset.value_or(0.0) != 0.0; }
};
Packing packing_of(const Variable& variable);

// Of the same size, as _Unsigned has it.
Type unsigned_of(Type type);

// What a value of the variable's type stands for; NaN: it is missing. Nothing: it is text.
std::optional<double> unpacked(const Packing& packing, Type type, const Element& value);

}  // namespace thalweg::catalog
