// Thalweg: fields of the session, of which the configuration chooses what collections have. Part of thalweg.hpp.
//
//   auto ssh = io.define_field("ocean/ssh", "y,x", thw::Type::float32, cells);
//   ssh.define_attribute("units", "m");
//   for (...) {
//     ssh.put(ssh_now, {nj, ni});  // for each collection that has chosen it
//     io.advance(time_s);
//   }
#ifndef THALWEG_FIELD_HPP
#define THALWEG_FIELD_HPP

#include <string>

#include "thalweg.h"
#include "thalweg_values.hpp"

namespace thw {

// A static field is put once, and has no records.
enum class InTime { varies, is_static };

// A handle, as a Collection is. Its functions are local; every client defines the same.
class Field {
 public:
  explicit Field(thalweg_field* handle) : handle_(handle) {}
  thalweg_field* c_handle() const { return handle_; }

  // Gives an attribute to the variables that are written of it. value: text, a number, or a container of numbers
  // without gaps. missing_value and _FillValue are of cells without a value. Errors: STATE once the field was put.
  template <class Value>
  void define_attribute(const std::string& name, const Value& value) {
    const char* c_name = detail::c_text(name);
    detail::pass_attribute(
        value, [&](const char* c_value) { return thalweg_define_field_text(handle_, c_name, c_value); },
        [&](thalweg_type type, std::size_t count, const void* values) {
          return thalweg_define_field_attribute(handle_, c_name, type, static_cast<int>(count), values);
        });
  }

  // Puts this rank's piece for the step, halo included: what Collection::put takes; the array may be changed on return.
  // Errors: SHAPE, STATE, and those of Collection::put.
  template <class Array>
  void put(const Array& array, const Extents& extents = {}) {
    put_box(0, array, extents);
  }

  // The same of one of several boxes.
  template <class Array>
  void put_box(int box, const Array& array, const Extents& extents = {}) {
    detail::pass_field("put", "of a field", array, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_put_field(handle_, box, view.data(), type, view.rank(), view.extents(), view.strides());
    });
  }

  // As put, with another weight than the length of the step in means, and what is made like them.
  template <class Array>
  void put_weighted(double weight, const Array& array, const Extents& extents = {}) {
    put_on({&weight, nullptr, {}, nullptr, nullptr}, array, extents);
  }

  // As put, of cells where mask is not zero, or at least 0.5 where it is real: what put takes, of the same extents.
  template <class Mask, class Array>
  void put_masked(const Mask& mask, const Array& array, const Extents& extents = {}) {
    detail::pass_field("put", "the mask", mask, extents, [&](thalweg_type type, const auto& view) {
      put_on({nullptr, view.data(), type, view.strides(), nullptr}, array, extents);
      return THALWEG_OK;
    });
  }

  // Puts a part of the box, without halo, whose first cell is start in the order of the array's dimensions. Parts that
  // do not meet are one sample of the step, which several threads may put at once; what is in none of them has no
  // value.
  template <class Array>
  void put_part(const Extents& start, const Array& array, const Extents& extents = {}) {
    put_on({nullptr, nullptr, {}, nullptr, start.data()}, array, extents);
  }

  // Whether any collection has chosen it, and whether its values of this step go anywhere.
  bool is_wanted() const {
    int wanted = 0;
    detail::check(thalweg_is_wanted(handle_, &wanted));
    return wanted != 0;
  }
  bool is_wanted_now() const {
    int wanted = 0;
    detail::check(thalweg_is_wanted_now(handle_, &wanted));
    return wanted != 0;
  }

 private:
  template <class Array>
  void put_on(const thalweg_put_terms& terms, const Array& array, const Extents& extents) {
    detail::pass_field("put", "of a field", array, extents, [&](thalweg_type type, const auto& view) {
      return thalweg_put_field_on(handle_, 0, &terms, view.data(), type, view.rank(), view.extents(), view.strides());
    });
  }

  thalweg_field* handle_;
};

}  // namespace thw
#endif
