#include "fields/gathered_boxes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "fields/numbers.hpp"
#include "fields/result_attributes.hpp"

namespace thalweg::fields {

GatheredBoxes::GatheredBoxes(const Chosen& chosen, const std::vector<Field>& fields,
                             const config::FieldSettings& settings, const Date& reference,
                             const std::vector<std::int64_t>& cells)
    : boxes_(cells.size()), least_valid_(settings.least_valid), change_(chosen.units.of_values()) {
  if (!is_count(chosen)) numbers_for_none_ = fields[static_cast<std::size_t>(chosen.field)].numbers_for_none();
  if (!chosen.gathered.empty()) formula_ = fields[static_cast<std::size_t>(chosen.field)].formula;
  if (chosen.day_parts != 0) day_parts_.emplace(chosen.day_parts, reference);
  for (const auto& [of, operation] : gathered_of(chosen)) {
    const MissingRule rule{settings.missing, fields[static_cast<std::size_t>(of)].missing_values()};
    for (const std::int64_t in_box : cells) accumulators_.emplace_back(operation, rule, in_box);
  }
}

void GatheredBoxes::take_over(GatheredBoxes& sketched) {
  const std::size_t both = std::min(accumulators_.size(), sketched.accumulators_.size());
  for (std::size_t a = 0; a < both; ++a)
    if (accumulators_[a].is_like(sketched.accumulators_[a])) std::swap(accumulators_[a], sketched.accumulators_[a]);
}

// A formula has no result without each of the things that it is made of.
bool GatheredBoxes::has_samples(std::size_t box) const {
  int some = 0, all = 0;
  for (std::size_t at = box; at < accumulators_.size(); at += boxes_, ++all)
    some += accumulators_[at].has_samples() ? 1 : 0;
  return day_parts_ ? some > 0 : some == all;
}

void GatheredBoxes::clear(std::size_t box) {
  for (std::size_t at = box; at < accumulators_.size(); at += boxes_) accumulators_[at].clear();
}

std::vector<std::byte> GatheredBoxes::results(std::size_t box, Type type, const Element& fill) {
  if (formula_ != nullptr) return results_of_formula(box, type, fill);
  std::vector<std::byte> results;
  for (std::size_t at = box; at < accumulators_.size(); at += boxes_) {
    const auto of_part = accumulators_[at].results(type, fill, least_valid_, change_, numbers_for_none_);
    results.insert(results.end(), of_part.begin(), of_part.end());
  }
  return results;
}

std::vector<std::byte> GatheredBoxes::results_of_formula(std::size_t box, Type type, const Element& fill) {
  std::vector<std::vector<std::byte>> gathered;
  for (std::size_t at = box; at < accumulators_.size(); at += boxes_)
    gathered.push_back(accumulators_[at].results(Type::float64, no_value(), least_valid_));
  const std::size_t cells = gathered.front().size() / sizeof(double), element_bytes = size_of(type);
  std::vector<std::byte> results(cells * element_bytes);
  std::vector<OperandStrip> operands(gathered.size());
  ShortStripRoom values;
  Evaluator::Scratch scratch;
  for (std::size_t first = 0; first < cells; first += values.size()) {
    const std::size_t count = std::min(values.size(), cells - first);
    for (std::size_t o = 0; o < operands.size(); ++o)
      operands[o] = reinterpret_cast<const double*>(gathered[o].data()) + first;
    faults_ += formula_->evaluator.evaluate(operands, count, values.data(), scratch);
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* to = results.data() + (first + i) * element_bytes;
      if (values[i] != values[i] || !store_result(type, to, values[i], numbers_for_none_))
        std::memcpy(to, fill.data(), element_bytes);
    }
  }
  return results;
}

}  // namespace thalweg::fields
