// Thalweg: what the C++ interface takes, gives and throws: errors, types, decompositions, extents, views of arrays.
// Part of thalweg.hpp.
#ifndef THALWEG_VALUES_HPP
#define THALWEG_VALUES_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "thalweg.h"

namespace thw {

// An error: code() is one of THALWEG_ERROR_*, what() says what happened and what to do.
class Exception : public std::runtime_error {
 public:
  Exception(thalweg_status code, const std::string& text) : std::runtime_error(text), code_(code) {}
  thalweg_status code() const noexcept { return code_; }

 private:
  thalweg_status code_;
};

namespace detail {

inline void check(int code) {
  if (code != THALWEG_OK) throw Exception(static_cast<thalweg_status>(code), thalweg_error_text());
}

// Of a C++ text as C takes it, which would end at a NUL. Error: ARGUMENT for one with a NUL.
inline const char* c_text(const std::string& text) {
  if (const auto nul = text.find('\0'); nul != std::string::npos)
    throw Exception(THALWEG_ERROR_ARGUMENT, "the text '" + std::string(text.c_str()) + "…' has a NUL behind " +
                                                std::to_string(nul) + " bytes; names and texts are without");
  return text.c_str();
}

inline const char* null_if_empty(const std::string& text) {
  return text.empty() ? nullptr : c_text(text);
}

// user is the Procedure: an object that can be called with a thalweg_block.
template <class Procedure>
int call_procedure(const thalweg_block* block, void* user) {
  (*static_cast<Procedure*>(user))(*block);
  return 0;
}

template <class Value>
constexpr bool is_element =
    std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool> && !std::is_same_v<Value, long double>;

// Element type of a container without gaps.
template <class Container>
using Element = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Container&>()))>>;

}  // namespace detail

inline constexpr std::int64_t unlimited = THALWEG_UNLIMITED;
inline constexpr std::int64_t last_record = -1;  // of restore

// Units and calendar of a time coordinate, as CF has them.
struct TimeUnits {
  std::string units;
  std::string calendar;
};

// Types of variables and of elements in memory.
enum class Type {
  int8 = THALWEG_INT8,
  int16 = THALWEG_INT16,
  int32 = THALWEG_INT32,
  int64 = THALWEG_INT64,
  uint8 = THALWEG_UINT8,
  uint16 = THALWEG_UINT16,
  uint32 = THALWEG_UINT32,
  uint64 = THALWEG_UINT64,
  float32 = THALWEG_FLOAT32,
  float64 = THALWEG_FLOAT64,
  character = THALWEG_CHAR
};

// The Type of a C++ number, or of char, which is text and no number; bool and long double have none.
template <class Number>
constexpr Type type_of() {
  static_assert(detail::is_element<Number>, "Thalweg stores integers of 1 to 8 bytes, float, double and char");
  constexpr bool is_signed = std::is_signed_v<Number>;
  if constexpr (std::is_same_v<Number, char>) {
    return Type::character;
  } else if constexpr (std::is_floating_point_v<Number>) {
    return sizeof(Number) == 4 ? Type::float32 : Type::float64;
  } else {
    switch (sizeof(Number)) {
      case 1: return is_signed ? Type::int8 : Type::uint8;
      case 2: return is_signed ? Type::int16 : Type::uint16;
      case 4: return is_signed ? Type::int32 : Type::uint32;
      default: return is_signed ? Type::int64 : Type::uint64;
    }
  }
}

// Which part of an index space each rank holds. A handle: freely copied, valid until its session is finished; calls
// with it throw STATE from then on.
class Decomposition {
 public:
  Decomposition() = default;  // none: every rank has all of the variable
  explicit Decomposition(thalweg_decomposition* handle) : handle_(handle) {}
  thalweg_decomposition* c_handle() const { return handle_; }

 private:
  thalweg_decomposition* handle_ = nullptr;
};

// One value a dimension, slowest first: extents, starts, counts, halo widths or strides; at most 15. Made from a braced
// list of any integers, {nj, ni}, or from any range of them. Error: ARGUMENT for more than 15.
class Extents {
 public:
  template <class... Integers, class = std::enable_if_t<(std::is_integral_v<Integers> && ...)>>
  Extents(Integers... values) : size_(sizeof...(values)), values_{static_cast<std::int64_t>(values)...} {
    static_assert(sizeof...(values) <= capacity, "too many dimensions");
  }

  template <class Range, class = decltype(std::begin(std::declval<const Range&>())),
            class = std::enable_if_t<!std::is_same_v<Range, Extents>>>
  Extents(const Range& values) {
    for (const auto value : values) {
      if (size_ == capacity) throw Exception(THALWEG_ERROR_ARGUMENT, "more than 15 dimensions in a list of extents");
      values_[size_++] = static_cast<std::int64_t>(value);
    }
  }

  const std::int64_t* data() const { return values_.data(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + size_; }

 private:
  static constexpr std::size_t capacity = 15;
  std::size_t size_ = 0;
  std::array<std::int64_t, capacity> values_{};
};

// A part of an index space, without halo.
struct Box {
  Extents start;
  Extents count;
};

// An array in memory, not owned: its first element, extents in elements, strides in bytes (any sign; left out: no
// gaps, last dimension fastest). One of const numbers is for puts. Error: SHAPE if there are not as many strides as
// extents.
template <class Number>
class View {
 public:
  View(Number* data, const Extents& extents, const Extents& strides = {})
      : data_(data), extents_(extents), strides_(strides) {
    if (!strides.empty() && strides.size() != extents.size()) {
      throw Exception(THALWEG_ERROR_SHAPE, "a view has " + std::to_string(extents.size()) + " extents but " +
                                               std::to_string(strides.size()) + " strides");
    }
  }

  Number* data() const { return data_; }
  int rank() const { return static_cast<int>(extents_.size()); }
  const std::int64_t* extents() const { return extents_.data(); }
  const std::int64_t* strides() const { return strides_.empty() ? nullptr : strides_.data(); }

 private:
  Number* data_;
  Extents extents_;
  Extents strides_;
};

namespace detail {

inline void require_one_a_dimension(const char* argument, const std::string& dims, const Extents& values,
                                    bool may_be_empty = false) {
  const auto names = static_cast<std::size_t>(std::count(dims.begin(), dims.end(), ',')) + 1;
  if (values.size() == names || (may_be_empty && values.empty())) return;
  throw Exception(THALWEG_ERROR_SHAPE, "decompose: " + std::string(argument) + " has " + std::to_string(values.size()) +
                                           " values for the " + std::to_string(names) + " dimensions '" + dims + "'");
}

// What a field may be, each found by what it has.
template <class Field>
struct ViewOf : std::false_type {};
template <class Number>
struct ViewOf<View<Number>> : std::true_type {};

template <class Field, class = void>
struct HasStrides : std::false_type {};
template <class Field>
struct HasStrides<
    Field, std::void_t<decltype(std::declval<const Field&>().rank()), decltype(std::declval<const Field&>().extent(0)),
                       decltype(std::declval<const Field&>().stride(0))>> : std::true_type {};

template <class Field, class = void>
struct HasElements : std::false_type {};
template <class Field>
struct HasElements<Field, std::void_t<Element<Field>, decltype(std::size(std::declval<const Field&>()))>>
    : std::bool_constant<is_element<Element<Field>>> {};

template <class Field>
constexpr bool is_array_of_elements = std::is_array_v<Field> && is_element<std::remove_all_extents_t<Field>>;

template <class Field>
constexpr bool is_field = ViewOf<Field>::value || is_element<Field> || HasStrides<Field>::value ||
                          HasElements<Field>::value || is_array_of_elements<Field>;

// Of std::mdspan and what is like it: strides are in elements there.
template <class Field>
auto view_of_strided(const Field& field) {
  std::vector<std::int64_t> extents, strides;
  auto* data = [&] {
    if constexpr (HasElements<Field>::value)
      return field.data();
    else
      return field.data_handle();
  }();
  for (std::size_t d = 0; d < static_cast<std::size_t>(field.rank()); ++d) {
    extents.push_back(static_cast<std::int64_t>(field.extent(d)));
    strides.push_back(static_cast<std::int64_t>(field.stride(d)) * static_cast<std::int64_t>(sizeof *data));
  }
  return View(data, extents, strides);
}

template <class Array, std::size_t... Dimensions>
Extents extents_of(std::index_sequence<Dimensions...>) {
  return {std::extent_v<Array, Dimensions>...};
}

// The values without gaps as an array of these extents; without extents as one of rank 1. call: what they are for.
template <class Number>
View<Number> view_of(const char* call, const std::string& variable, Number* data, std::size_t count, const Extents& own,
                     const Extents& extents) {
  const auto size = static_cast<std::int64_t>(count);
  std::int64_t elements = 1;
  for (const auto extent : extents) elements *= extent;
  if (!extents.empty() && elements != size) {
    throw Exception(THALWEG_ERROR_SHAPE, std::string(call) + " of '" + variable + "': the extents make " +
                                             std::to_string(elements) + " elements, the container holds " +
                                             std::to_string(size));
  }
  return {data, extents.empty() ? own : extents};
}

// As an array of these extents; left out: of its own, a scalar has none. The view of a const field is one of const
// numbers.
template <class Field>
auto view_of(const char* call, const std::string& variable, Field& field, const Extents& extents) {
  using Plain = std::remove_cv_t<Field>;
  if constexpr (ViewOf<Plain>::value || HasStrides<Plain>::value) {
    if (!extents.empty())
      throw Exception(THALWEG_ERROR_ARGUMENT,
                      std::string(call) + " of '" + variable + "': a view has its own extents; leave them out");
    if constexpr (ViewOf<Plain>::value)
      return field;
    else
      return view_of_strided(field);
  } else if constexpr (is_element<Plain>) {
    return view_of(call, variable, &field, 1, {}, extents);
  } else if constexpr (std::is_array_v<Plain>) {
    using Number = std::remove_all_extents_t<Field>;
    return view_of(call, variable, reinterpret_cast<Number*>(&field), sizeof field / sizeof(Number),
                   extents_of<Plain>(std::make_index_sequence<std::rank_v<Plain>>{}), extents);
  } else {
    return view_of(call, variable, std::data(field), std::size(field), {std::size(field)}, extents);
  }
}

template <class Number>
constexpr thalweg_type c_type() {
  return static_cast<thalweg_type>(type_of<std::remove_cv_t<Number>>());
}

// Calls use(type, view). What no field can be is one error of the compiler's, and not the list of all that it is not.
template <class Field, class Use>
void pass_field(const char* call, const std::string& variable, Field& field, const Extents& extents, const Use& use) {
  constexpr bool is_one = is_field<std::remove_cv_t<Field>>;
  static_assert(is_one,
                "thalweg: put and get take a number, a container of numbers without gaps (std::vector, std::array, "
                "std::span, a C array), an array with strides like std::mdspan, or a thw::View of a pointer; numbers "
                "are integers of 1 to 8 bytes, float, double and char, not bool and long double");
  if constexpr (is_one) {
    const auto view = view_of(call, variable, field, extents);
    check(use(c_type<std::remove_pointer_t<decltype(view.data())>>(), view));
  }
}

// The same of an array into which values go.
template <class Field, class Use>
void pass_array(const char* call, const std::string& variable, Field& field, const Extents& extents, const Use& use) {
  pass_field(call, variable, field, extents, [&](thalweg_type type, const auto& view) {
    constexpr bool is_const = std::is_const_v<std::remove_pointer_t<decltype(view.data())>>;
    static_assert(!is_const, "thalweg: values go into this array, and it is const");
    if constexpr (!is_const)
      return use(type, view);
    else
      return THALWEG_OK;
  });
}

// Calls text(text) or numbers(type, count, values), as the value is one or the other.
template <class Value, class Text, class Numbers>
void pass_attribute(const Value& value, const Text& text, const Numbers& numbers) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>)
    check(text(c_text(std::string(std::string_view(value)))));
  else if constexpr (std::is_arithmetic_v<Value>)
    check(numbers(c_type<Value>(), 1, &value));
  else
    check(numbers(c_type<Element<Value>>(), std::size(value), std::data(value)));
}

}  // namespace detail

}  // namespace thw
#endif
