#include "transform/kernels.hpp"

namespace thalweg::transform {

const Kernels* avx2_kernels() {
#if defined(__AVX2__)
  static constexpr Kernels kernels = kernels_named("avx2");
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace thalweg::transform
