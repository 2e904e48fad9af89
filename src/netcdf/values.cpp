#include "netcdf/values.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/numbers.hpp"
#include "base/told.hpp"
#include "put/field_rows.hpp"

namespace thalweg::netcdf {
namespace {

// What is given for the fastest dimensions, with `rest` for the others. More than the variable has is not looked at.
Index aligned(const Index& given, int rank, std::int64_t rest) {
  Index all = Index::filled(rank, rest);
  for (int d = 1; d <= std::min(rank, given.rank()); ++d) all[rank - d] = given[given.rank() - d];
  return all;
}

// The dimensions that have more than one element.
Index without_ones(const Index& extent) {
  Index kept;
  for (const std::int64_t n : extent)
    if (n != 1) kept.push_back(n);
  return kept;
}

bool is_contiguous(const put::Field& array) {
  const Index strides = contiguous_strides(array.extent, static_cast<std::int64_t>(size_of(array.type)));
  for (int d = 0; d < strides.rank(); ++d)
    if (array.extent[d] > 1 && array.stride[d] != strides[d]) return false;
  return true;
}

// Elements along the fastest dimension; a scalar is a row of one.
struct Row {
  std::int64_t length = 1;
  std::int64_t stride = 0;
};

Row row_of(const put::Field& array) {
  const int last = array.extent.rank() - 1;
  return last < 0 ? Row{} : Row{array.extent[last], array.stride[last]};
}

// Calls visit(first element) for each row, in order.
template <typename Visit>
void for_each_row(const put::Field& array, const Visit& visit) {
  const std::int64_t cells = array.extent.product();
  const Row row = row_of(array);
  Index at = Index::filled(array.extent.rank(), 0);
  for (std::int64_t cell = 0; cell < cells; cell += row.length) {
    visit(array.data + offset_of(at, array.stride));
    for (int d = at.rank() - 2; d >= 0 && ++at[d] == array.extent[d]; --d) at[d] = 0;
  }
}

// Calls visit(element) for each, in order.
template <typename Visit>
void for_each_element(const put::Field& array, const Visit& visit) {
  const Row row = row_of(array);
  for_each_row(array, [&](const std::byte* first) {
    for (std::int64_t i = 0; i < row.length; ++i) visit(first + i * row.stride);
  });
}

// Of the element with this number, row-major.
Index index_of(std::int64_t number, const Index& extent) {
  Index at = Index::filled(extent.rank(), 0);
  for (int d = extent.rank() - 1; d >= 0; number /= extent[d--]) at[d] = number % extent[d];
  return at;
}

template <typename To, typename From>
void convert(const put::Field& array, Values& values, const std::string& where) {
  std::byte* to = values.bytes.get();
  for_each_element(array, [&](const std::byte* from) {
    const auto value = loaded<From>(from);
    if (!holds<To>(value)) {
      const auto number = (to - values.bytes.get()) / static_cast<std::ptrdiff_t>(sizeof(To));
      fail(THALWEG_ERROR_SHAPE,
           "{}: {} cannot be held by the variable's type {}; it is the element {} of the array ({})", where, +value,
           name_of(values.field.type), told::starts(index_of(number, array.extent)), told::order());
    }
    const auto result = static_cast<To>(value);
    std::memcpy(to, &result, sizeof result);
    to += sizeof result;
  });
}

// Of the extents, with room for the elements, which is not written to before they are.
Values room_for(const Index& extent, Type type) {
  Values values;
  const auto size = static_cast<std::int64_t>(size_of(type));
  values.bytes = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(extent.product() * size));
  values.field = {values.bytes.get(), type, extent, contiguous_strides(extent, size)};
  return values;
}

}  // namespace

Box box_of(const Given& start, const Given& count, const Index& extent, const Index& shape, const std::string& where) {
  const int rank = shape.rank();
  Box box;
  box.start = aligned(start.value_or(Index{}), rank, 0);
  box.count = aligned(count ? *count : extent.rank() > rank ? without_ones(extent) : extent, rank, 1);
  for (int d = 0; d < rank; ++d) {
    if (box.start[d] < 0 || box.count[d] < 0)
      fail(THALWEG_ERROR_SHAPE, "{}: a box of {} from {} on begins before the first element, or has a negative count",
           where, told::extents(box.count), told::starts(box.start));
    const std::int64_t most = shape[d] < 0 ? std::numeric_limits<std::int64_t>::max() : shape[d];
    if (box.start[d] > most || box.count[d] > most - box.start[d])
      fail(THALWEG_ERROR_SHAPE,
           "{}: start {} with count {} is not within the variable's extents {} (indices from {}, {}; -1: "
           "unlimited)",
           where, told::starts(box.start), told::extents(box.count), told::extents(shape), told::first(),
           told::order());
  }
  return box;
}

put::Field viewed_as(const put::Field& array, const Index& count, const std::string& where) {
  put::Field seen = array;
  seen.extent = count;
  seen.stride = contiguous_strides(count, static_cast<std::int64_t>(size_of(array.type)));
  if (without_ones(array.extent) == without_ones(count)) {
    int of_array = 0;
    for (int d = 0; d < count.rank(); ++d) {
      if (count[d] == 1) continue;
      while (array.extent[of_array] == 1) ++of_array;
      seen.stride[d] = array.stride[of_array++];
    }
    return seen;
  }
  const bool is_buffer = without_ones(array.extent).rank() <= 1 && array.extent.product() >= count.product();
  if (is_buffer && is_contiguous(array)) return seen;
  fail(THALWEG_ERROR_SHAPE, "{}: an array of {} elements for a count of {} ({})", where, told::extents(array.extent),
       told::extents(count), told::order());
}

bool is_taken(Type memory, Type file) {
  return memory == file || (is_real(memory) && is_real(file));
}

Values converted(const put::Field& array, Type type, const std::string& where) {
  if ((array.type == Type::character) != (type == Type::character))
    fail(THALWEG_ERROR_SHAPE, "{}: text and numbers do not become each other; the variable is of type {}, the array {}",
         where, name_of(type), name_of(array.type));
  Values values = room_for(array.extent, type);
  with_number(array.type, [&](auto from) {
    with_number(type, [&](auto to) { convert<decltype(to), decltype(from)>(array, values, where); });
  });
  return values;
}

Values lengthened(const put::Field& text, std::int64_t length) {
  const int last = text.extent.rank() - 1;
  Index extent = text.extent;
  extent[last] = length;
  Values values = room_for(extent, Type::character);
  std::fill_n(values.bytes.get(), extent.product(), std::byte{0});
  std::int64_t number = 0;
  for_each_element(text, [&](const std::byte* from) {
    const std::int64_t row = number / text.extent[last];
    values.bytes[static_cast<std::size_t>(row * length + number % text.extent[last])] = *from;
    ++number;
  });
  return values;
}

std::uint64_t fingerprint_of(const put::Field& array) {
  Fingerprint print;
  const auto bytes = static_cast<std::size_t>(array.extent.product()) * size_of(array.type);
  print.add({reinterpret_cast<const char*>(array.data), bytes});
  return print.value();
}

Joined::Joined(const Index& shape, Type type) : values_(room_for(shape, type)), missing_(shape.product()) {}

void Joined::add(const Box& box, const put::Field& array) {
  std::byte* to = values_.bytes.get() + offset_of(box.start, values_.field.stride);
  const std::size_t size = size_of(array.type);
  Index at = Index::filled(box.rank(), 0);
  for_each_element(array, [&](const std::byte* from) {
    std::memcpy(to + offset_of(at, values_.field.stride), from, size);
    for (int d = at.rank() - 1; d >= 0 && ++at[d] == box.count[d]; --d) at[d] = 0;
  });
  if (std::ranges::find(come_, box) != come_.end()) return;
  come_.push_back(box);
  missing_ -= box.cells();
}

Values copied(const put::Field& array) {
  Values values = room_for(array.extent, array.type);
  put::copy_in_order(array, values.bytes.get());
  return values;
}

}  // namespace thalweg::netcdf
