#include "put/stored_field.hpp"

#include <cmath>
#include <cstring>
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

// Value by value, where one is known not to fit.
template <typename From, typename To>
class Conversion {
 public:
  Conversion(const PutVariable& of, const Box& box) : of_(of), written_(of, box), fill_(loaded<To>(of.fill.data())) {}

  void make(const std::byte* from, std::byte* to, std::int64_t cells) {
    for (std::int64_t cell = 0; cell < cells; ++cell, from += sizeof(From), to += sizeof(To)) {
      const To value = of_value(loaded<From>(from), cell);
      std::memcpy(to, &value, sizeof value);
    }
  }

 private:
  static constexpr bool packs = std::is_integral_v<To> && std::is_floating_point_v<From>;

  To of_value(From value, std::int64_t cell) {
    if constexpr (packs) {
      if (std::isnan(value)) return fill_;
      const double packed = std::nearbyint((static_cast<double>(value) - of_.packing->offset) / of_.packing->scale);
      if (holds<To>(packed) && static_cast<To>(packed) != fill_) return static_cast<To>(packed);
    } else if (holds<To>(value)) {
      return static_cast<To>(value);
    }
    if (written_.has(cell)) refuse(value, written_.place_of(cell));
    return fill_;
  }

  [[noreturn]] void refuse(From value, const Index& place) const {
    const std::string found = fmt::format(
        "{}: the value {} at {} of the array (in the order of the variable's dimensions, "
        "{}, from {} and without halo)",
        of_.where, +value, told::starts(place), told::order(), told::first());
    if constexpr (packs)
      fail(THALWEG_ERROR_ARGUMENT,
           "{} cannot be packed into {} by scale_factor {} and add_offset {}, beside the fill value {}; give a larger "
           "scale_factor or type",
           found, name_of(of_.type), of_.packing->scale, of_.packing->offset, +fill_);
    else
      fail(THALWEG_ERROR_ARGUMENT, "{} is none that {} can hold; define the variable with a larger type", found,
           name_of(of_.type));
  }

  const PutVariable& of_;
  WrittenCells written_;
  To fill_;
};

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
  const bool all_fit =
      transform::store_values(field.type, own.get(), of.type, result.converted.get(), box.count.product(),
                              of.packing.value_or(transform::Packing{}), of.fill.data());
  if (!all_fit)
    with_number(field.type, [&](auto from) {
      with_number(of.type, [&](auto to) {
        Conversion<decltype(from), decltype(to)>(of, box).make(own.get(), result.converted.get(), box.count.product());
      });
    });
  result.field = contiguous_field(result.converted.get(), of.type, box.count, of.rules);
  result.view = checked_view(of, result.field, box);
  return result;
}

}  // namespace thalweg::put
