// The one copy of a value: from the model's array into the block, in file order, file type and file byte order, with
// the checksum taken on the way. Pure: no MPI, no files, no allocation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/box.hpp"
#include "base/types.hpp"

namespace thalweg::transform {

// Which box is copied and how it lies in memory on both sides. Dimensions in file order, slowest first. Strides in
// bytes, of any sign on the source side.
struct BoxCopy {
  Index count;
  Index source_stride;
  Index target_stride;
  Type source_type = Type::float64;
  Type target_type = Type::float64;
  bool big_endian = false;  // byte order of the target
};

// Whether copy_box can turn source into target: equal types, float64 -> float32, float32 -> float64.
bool convertible(Type source, Type target);

// Copies the box. source and target point at its first element. Returns the checksum: the wrapping 64-bit sum over all
// elements of their bits in the target type, host order, each zero-extended. Being a sum, it does not depend on how
// a field is cut into boxes.
std::uint64_t copy_box(const BoxCopy& copy, const std::byte* source, std::byte* target);

// Fills the box (holes) with one element given in host order. Returns the checksum of what was filled.
std::uint64_t fill_box(const Index& count, const Index& target_stride, Type type, bool big_endian, Element value,
                       std::byte* target);

// "avx2" or "generic": which of the compiled kernels this processor uses.
const char* kernel_name();

}  // namespace thalweg::transform
