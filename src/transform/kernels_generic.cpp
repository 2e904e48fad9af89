#include "transform/kernels.hpp"

namespace thalweg::transform {

const Kernels& generic_kernels() {
  static constexpr Kernels kernels = kernels_named("generic");
  return kernels;
}

}  // namespace thalweg::transform
