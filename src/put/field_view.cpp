#include "put/field_view.hpp"

#include "base/error.hpp"
#include "base/told.hpp"

namespace thalweg::put {

Field contiguous_field(const std::byte* data, Type type, const Index& count, const FieldRules& rules) {
  const Index stride = contiguous_strides(count, static_cast<std::int64_t>(size_of(type)));
  Field field{data, type, count, stride};
  for (int d = 0; d < count.rank(); ++d) {
    const int place = rules.memory_place[static_cast<std::size_t>(d)];
    field.extent[place] = count[d];
    field.stride[place] = stride[d];
  }
  return field;
}

FieldView view_field(const Field& field, const Box& box, const FieldRules& rules, const std::string& where) {
  const int rank = box.rank();
  if (field.extent.rank() != rank)
    fail(THALWEG_ERROR_SHAPE, "{}: the array has {} dimensions, but the variable has {} (without the record dimension)",
         where, field.extent.rank(), rank);
  FieldView view;
  view.stride = Index::filled(rank, 0);
  for (int d = 0; d < rank; ++d) {
    const int place = rules.memory_place[static_cast<std::size_t>(d)];
    const int decomposed = rules.decomposed[static_cast<std::size_t>(d)];
    const std::int64_t low = decomposed < 0 ? 0 : rules.halo_low[decomposed];
    const std::int64_t high = decomposed < 0 ? 0 : rules.halo_high[decomposed];
    const std::int64_t extent = field.extent[place];
    const bool has_halo = extent == box.count[d] + low + high;
    if (!has_halo && extent != box.count[d])
      fail(THALWEG_ERROR_SHAPE, "{}: dimension {} of the array ({}) has {} elements, but it must have {}{}", where,
           told::dimension(place, rank), told::order(), extent, box.count[d],
           low + high == 0 ? std::string() : fmt::format(", or {} with the halo", box.count[d] + low + high));
    view.stride[d] = field.stride[place];
    if (has_halo) view.offset += low * field.stride[place];
  }
  return view;
}

}  // namespace thalweg::put
