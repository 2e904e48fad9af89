#include "api/arguments.hpp"

#include "api/funnel.hpp"
#include "base/error.hpp"

namespace thalweg::api {

Index index_of(const std::int64_t* values, int rank) {
  return values == nullptr ? Index::filled(rank, 0) : Index(std::span(values, static_cast<std::size_t>(rank)));
}

put::Field field_of(const void* data, int type, int rank, const std::int64_t* extent, const std::int64_t* stride) {
  if (rank < 0 || rank >= max_rank)
    fail(THALWEG_ERROR_SHAPE, "an array of {} dimensions; 0 to {} are possible", rank, max_rank - 1);
  if (rank > 0) required(extent, "extent");
  put::Field field;
  field.type = checked_type(type);
  field.extent = index_of(extent, rank);
  field.stride = stride == nullptr ? contiguous_strides(field.extent, static_cast<std::int64_t>(size_of(field.type)))
                                   : index_of(stride, rank);
  field.data = static_cast<const std::byte*>(data);
  if (data == nullptr && field.extent.product() > 0) fail(THALWEG_ERROR_ARGUMENT, "argument 'data' is a null pointer");
  return field;
}

put::Field array_of(void* data, int type, int rank, const std::int64_t* extent, const std::int64_t* stride) {
  return data == nullptr ? put::Field{nullptr, checked_type(type), {}, {}} : field_of(data, type, rank, extent, stride);
}

catalog::Attribute attribute_of(const char* name, int type, int count, const void* values) {
  const Type checked = checked_type(type);
  if (count < 0 || (count > 0 && values == nullptr))
    fail(THALWEG_ERROR_ARGUMENT, "attribute '{}': {} values at {}; give a count of at least 0, and its values",
         text_or_empty(name), count, values);
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(checked);
  return catalog::attribute_of(required_text(name, "name"), checked, {static_cast<const std::byte*>(values), bytes});
}

}  // namespace thalweg::api
