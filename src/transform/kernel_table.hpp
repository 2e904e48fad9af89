// The kernels that copy_box chooses from, and a copy_box that takes the choice as arguments: for tests and benchmarks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace thalweg {
class PointRuns;
enum class Type : std::uint8_t;
}  // namespace thalweg

namespace thalweg::transform {

struct BoxCopy;

// Two nested loops over elements: rows outside, columns inside. Steps in bytes. The target's columns are its fastest
// dimension; the source's fastest dimension is either of the two.
struct Plane {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t source_row_step;
  std::int64_t source_column_step;
  std::int64_t target_row_step;
  std::int64_t target_column_step;
  bool streaming;  // store past the caches where a row has whole cache lines
};

// Copies a plane and returns its checksum. Source and target do not overlap and need no alignment.
using PlaneKernel = std::uint64_t (*)(const Plane& plane, const std::byte* source, std::byte* target);

// Points that lie apart on both sides: from point source[i] to point target[i], and as many behind it as length says.
// Steps in bytes, from point to point.
struct RunList {
  const std::uint32_t* source;
  const std::uint32_t* target;
  const std::uint32_t* length;  // null: every run is one point
  std::int64_t runs;
  std::int64_t source_step;
  std::int64_t target_step;
  std::int64_t inner;  // elements of a point, without gaps on both sides
};

// Copies runs and returns their checksum. As for planes, nothing needs alignment.
using RunKernel = std::uint64_t (*)(const RunList& list, const std::byte* source, std::byte* target);

// What happens to an element. Elements of one type are moved as bits, so that not even a signalling NaN changes.
enum class Conversion { bits8, bits16, bits32, bits64, float64_to_float32, float32_to_float64 };
constexpr std::size_t conversion_count = 6;
Conversion conversion_of(Type source, Type target);  // Errors: INTERNAL if there is none

struct Kernels {
  const char* name;
  std::array<std::array<PlaneKernel, 2>, conversion_count> copy;  // [conversion][target's bytes are reversed]
  std::array<std::array<RunKernel, 2>, conversion_count> copy_runs;
  void (*complete_streams)();  // orders streaming stores before every later store, such as the release of a block
};

const Kernels& generic_kernels();
const Kernels* avx2_kernels();  // null if not compiled in; the caller asks the processor

const Kernels& best_kernels();  // of this processor

enum class Stores { automatic, cached, streaming };

std::uint64_t copy_box(const Kernels& kernels, Stores stores, const BoxCopy& copy, const std::byte* source,
                       std::byte* target);
std::uint64_t copy_runs(const Kernels& kernels, const BoxCopy& copy, int along, const PointRuns& runs,
                        const std::byte* source, std::byte* target);

}  // namespace thalweg::transform
