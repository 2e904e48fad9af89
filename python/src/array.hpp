// The memory of a NumPy array, where it is, for the duration of a call.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <type_traits>

namespace thalweg_python {

// Made and destroyed with the GIL, read without it. The caller knows the type of the elements.
class Array {
 public:
  enum class Use { read = PyBUF_STRIDES, write = PyBUF_STRIDES | PyBUF_WRITABLE };
  explicit Array(nanobind::handle array, Use use = Use::read) {
    if (PyObject_GetBuffer(array.ptr(), &view_, static_cast<int>(use)) != 0) nanobind::raise_python_error();
  }
  ~Array() { PyBuffer_Release(&view_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void* data() const { return view_.buf; }
  std::int64_t elements() const { return view_.len / view_.itemsize; }
  int rank() const { return view_.ndim; }
  const std::int64_t* extents() const { return view_.shape; }
  const std::int64_t* strides() const { return view_.strides; }

 private:
  static_assert(std::is_same_v<Py_ssize_t, std::int64_t>);
  Py_buffer view_{};
};

}  // namespace thalweg_python
