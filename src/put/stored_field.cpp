#include "put/stored_field.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "base/told.hpp"
#include "transform/copy.hpp"
#include "transform/stored_values.hpp"

namespace thalweg::put {
namespace {

std::unique_ptr<std::byte[]> room_for(const Box& box, Type type) {
  return std::unique_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(box.count.product()) * size_of(type)]);
}

// Points that a list leaves out have any values, which need not fit. Asked for a value that does not fit alone.
class WrittenCells {
 public:
  WrittenCells(const PutVariable& of, const Box& box) : of_(of), box_(box) {}

  bool has(std::int64_t cell) {
    if (!of_.list) return true;
    if (points_.empty()) find_points();
    return points_[static_cast<std::size_t>(cell / inner_) % points_.size()];
  }
  Index place_of(std::int64_t cell) const {
    Index place = box_.count;
    for (int d = place.rank() - 1; d >= 0; --d) {
      place[d] = cell % box_.count[d];
      cell /= box_.count[d];
    }
    return place;
  }

 private:
  void find_points() {
    points_.resize(static_cast<std::size_t>(of_.list->count));
    for (const geometry::IndexRun& run : of_.list->runs)
      for (std::int64_t i = 0; i < run.length; ++i) points_[static_cast<std::size_t>(run.local + i)] = true;
    for (int d = box_.rank() - 1; of_.rules.decomposed[static_cast<std::size_t>(d)] < 0; --d) inner_ *= box_.count[d];
  }

  const PutVariable& of_;
  const Box& box_;
  std::vector<bool> points_;
  std::int64_t inner_ = 1;  // cells of a point
};

bool has_nan(Type type, const std::byte* values, std::int64_t count) {
  bool is_any = false;
  with_number(type, [&](auto kind) {
    using Number = decltype(kind);
    if constexpr (std::is_floating_point_v<Number>)
      for (std::int64_t i = 0; i < count && !is_any; ++i)
        is_any = std::isnan(loaded<Number>(values + i * static_cast<std::int64_t>(sizeof(Number))));
  });
  return is_any;
}

[[noreturn]] void refuse(const PutVariable& of, Type type, const std::byte* value, const Index& place) {
  std::string text;
  with_number(type, [&](auto kind) { text = fmt::format("{}", +loaded<decltype(kind)>(value)); });
  const std::string found = fmt::format(
      "{}: the value {} at {} of the array (in the order of the variable's dimensions, {}, from {} and without halo)",
      of.where, text, told::starts(place), told::order(), told::first());
  if (!is_real(type))
    fail(THALWEG_ERROR_ARGUMENT, "{} is none that {} can hold; define the variable with a larger type", found,
         name_of(of.type));
  with_number(of.type, [&](auto kind) { text = fmt::format("{}", +loaded<decltype(kind)>(of.fill.data())); });
  if (has_nan(type, value, 1))
    fail(
        THALWEG_ERROR_ARGUMENT,
        "{} has no number in {}, and nothing tells readers that {} means it; give the variable an attribute _FillValue",
        found, name_of(of.type), text);
  fail(THALWEG_ERROR_ARGUMENT,
       "{} cannot be packed into {} by scale_factor {} and add_offset {}, beside the fill value {}; give a larger "
       "scale_factor or type",
       found, name_of(of.type), of.packing->scale, of.packing->offset, text);
}

// All at once, and where one does not fit, each by itself: those that are not written become fill values.
void store(const PutVariable& of, const Box& box, Type type, const std::byte* values, std::byte* stored) {
  const transform::Packing packing = of.packing.value_or(transform::Packing{});
  const std::int64_t cells = box.count.product();
  const auto take = [&](const std::byte* from, std::byte* to, std::int64_t count) {
    return transform::store_values(type, from, of.type, to, count, packing, of.fill.data());
  };
  // Readers would not know what stands for NaN.
  const auto has_nameless = [&](const std::byte* of_them, std::int64_t count) {
    return !of.says_fill && has_nan(type, of_them, count);
  };
  if (!has_nameless(values, cells) && take(values, stored, cells)) return;
  WrittenCells written(of, box);
  for (std::int64_t cell = 0; cell < cells; ++cell, values += size_of(type), stored += size_of(of.type)) {
    if (!has_nameless(values, 1) && take(values, stored, 1)) continue;
    if (written.has(cell)) refuse(of, type, values, written.place_of(cell));
    std::memcpy(stored, of.fill.data(), size_of(of.type));
  }
}

}  // namespace

StoredField stored(const PutVariable& of, const Box& box, Field field) {
  field.type = as_stored(field.type, of.type);
  StoredField result{nullptr, field, checked_view(of, field, box)};
  if (transform::convertible(field.type, of.type)) return result;
  const auto own = room_for(box, field.type);
  const auto size = static_cast<std::int64_t>(size_of(field.type));
  transform::copy_box(
      {box.count, result.view.stride, contiguous_strides(box.count, size), field.type, field.type, false},
      field.data + result.view.offset, own.get());
  result.converted = room_for(box, of.type);
  store(of, box, field.type, own.get(), result.converted.get());
  result.field = contiguous_field(result.converted.get(), of.type, box.count, of.rules);
  result.view = checked_view(of, result.field, box);
  return result;
}

}  // namespace thalweg::put
