#include "put/kept_field.hpp"

#include "transform/copy.hpp"

namespace thalweg::put {

KeptField keep(const PutVariable& of, const Box& box, Field field) {
  field.type = as_stored(field.type, of.type);
  const FieldView view = checked_view(of, field, box);
  const auto element_bytes = static_cast<std::int64_t>(size_of(field.type));
  const Index stride = contiguous_strides(box.count, element_bytes);
  KeptField kept{
      std::unique_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(box.count.product() * element_bytes)]), {}};
  transform::copy_box({box.count, view.stride, stride, field.type, field.type, false}, field.data + view.offset,
                      kept.values.get());
  kept.field = contiguous_field(kept.values.get(), field.type, box.count, of.rules);
  return kept;
}

}  // namespace thalweg::put
