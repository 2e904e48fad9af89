#include "fields/output_variable.hpp"

#include <utility>

#include "fields/numbers.hpp"

namespace thalweg::fields {

OutputVariable::OutputVariable(session::Session& session, session::Collection& collection, Chosen chosen,
                               std::optional<OnGrid> grid)
    : session_(session), collection_(collection), chosen_(std::move(chosen)) {
  if (grid) {
    held_ = std::move(grid->held);
    remapped_ = std::move(grid->remapped);
  } else {
    held_ = held_in(session_, collection_, number(), leading());
  }
}

OutputVariable::KeptAs OutputVariable::kept_as() const {
  if (remapped_) return {Type::float64, no_value()};
  return {chosen_.type, collection_.declaration.fill_of(number())};
}

void OutputVariable::put(int box, const put::Field& array) {
  session_.put(collection_, chosen_.variable, box, array);
}

void OutputVariable::put(int box, const std::vector<std::byte>& kept) {
  if (remapped_) return remapped_->keep(box, kept);
  Index extent;
  if (chosen_.day_parts != 0) extent.push_back(chosen_.day_parts);
  const Index cells = in_memory_order(held_.boxes[static_cast<std::size_t>(box)].count, held_.variable.rules);
  for (int d = 0; d < cells.rank(); ++d) extent.push_back(cells[d]);
  const Index stride = contiguous_strides(extent, static_cast<std::int64_t>(size_of(chosen_.type)));
  put(box, put::Field{kept.data(), chosen_.type, extent, stride});
}

void OutputVariable::take_over(OutputVariable& sketched) {
  if (remapped_ && sketched.remapped_) return remapped_->take_over(*sketched.remapped_);
  session::Definitions::take_over(collection_, chosen_.variable, sketched.collection_, sketched.chosen_.variable);
}

}  // namespace thalweg::fields
