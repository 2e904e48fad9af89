#include "put/kept_field.hpp"

#include <utility>

#include "put/stored_field.hpp"
#include "transform/copy.hpp"

namespace thalweg::put {

KeptField keep(const PutVariable& of, const Box& box, const Field& passed) {
  StoredField from = stored(of, box, passed);
  if (from.converted) return {std::move(from.converted), from.field};
  const Field& field = from.field;
  const auto element_bytes = static_cast<std::int64_t>(size_of(field.type));
  const Index stride = contiguous_strides(box.count, element_bytes);
  KeptField kept{
      std::unique_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(box.count.product() * element_bytes)]), {}};
  transform::copy_box({box.count, from.view.stride, stride, field.type, field.type, false},
                      field.data + from.view.offset, kept.values.get());
  kept.field = contiguous_field(kept.values.get(), field.type, box.count, of.rules);
  return kept;
}

}  // namespace thalweg::put
