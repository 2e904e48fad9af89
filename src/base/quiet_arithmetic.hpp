// Models may let floating-point exceptions end them (gfortran -ffpe-trap, feenableexcept). What overflows in a field
// that they put, or is no number, is theirs to judge, so nothing traps while Thalweg works.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace thalweg {

// While it lives, nothing traps on this thread, nor ever on threads that begin meanwhile. It costs a look at a register
// where the model has no traps.
class WithoutTraps {
 public:
  WithoutTraps() : are_held_(are_on()) {
    if (are_held_) std::feholdexcept(&environment_);
  }
  ~WithoutTraps() {
    if (are_held_) std::fesetenv(&environment_);
  }
  WithoutTraps(const WithoutTraps&) = delete;
  WithoutTraps& operator=(const WithoutTraps&) = delete;

 private:
  static bool are_on() {
#if defined(__x86_64__)
    return (_mm_getcsr() & _MM_MASK_MASK) != _MM_MASK_MASK;
#elif defined(__GLIBC__)
    return fegetexcept() != 0;
#else
    return true;
#endif
  }

  bool are_held_;
  std::fenv_t environment_;
};

// Whether a value became infinite since this was made. Behind it the thread's flags are as they were before. Nothing
// may trap meanwhile.
class OverflowWatch {
 public:
  OverflowWatch(const OverflowWatch&) = delete;
  OverflowWatch& operator=(const OverflowWatch&) = delete;
#if defined(__x86_64__)
  // Writing the register takes ten times as long as reading it.
  OverflowWatch() : before_(_mm_getcsr()) {
    if ((before_ & _MM_EXCEPT_OVERFLOW) != 0) _mm_setcsr(before_ & ~static_cast<unsigned>(_MM_EXCEPT_OVERFLOW));
  }
  ~OverflowWatch() {
    if (_mm_getcsr() != before_) _mm_setcsr(before_);
  }
  bool overflowed() const { return (_mm_getcsr() & _MM_EXCEPT_OVERFLOW) != 0; }

 private:
  unsigned before_;
#else
  OverflowWatch() {
    std::fegetexceptflag(&before_, FE_ALL_EXCEPT);
    std::feclearexcept(FE_OVERFLOW);
  }
  ~OverflowWatch() { std::fesetexceptflag(&before_, FE_ALL_EXCEPT); }
  bool overflowed() const { return std::fetestexcept(FE_OVERFLOW) != 0; }

 private:
  std::fexcept_t before_{};
#endif
};

}  // namespace thalweg
