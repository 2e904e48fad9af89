#include "put/early_puts.hpp"

#include <algorithm>

#include "transform/copy.hpp"

namespace thalweg::put {

void EarlyPuts::keep(const PutVariable& of, const std::vector<Box>& boxes, int box, Field field) {
  require_box(of, box, boxes.size());
  const auto is_same = [&](const Kept& kept) { return kept.variable == of.name && kept.box == box; };
  if (std::ranges::any_of(kept_, is_same)) refuse_second_put(of, 0);
  field.type = as_stored(field.type, of.type);
  const Index& count = boxes[static_cast<std::size_t>(box)].count;
  const FieldView view = checked_view(of, field, boxes[static_cast<std::size_t>(box)]);
  const auto element_bytes = static_cast<std::int64_t>(size_of(field.type));
  const Index stride = contiguous_strides(count, element_bytes);
  Kept kept{of.name,
            box,
            std::unique_ptr<std::byte[]>(new std::byte[static_cast<std::size_t>(count.product() * element_bytes)]),
            {}};
  transform::copy_box({count, view.stride, stride, field.type, field.type, false}, field.data + view.offset,
                      kept.values.get());
  kept.field = contiguous_field(kept.values.get(), field.type, count, of.rules);
  kept_.push_back(std::move(kept));
}

}  // namespace thalweg::put
