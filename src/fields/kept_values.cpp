#include "fields/kept_values.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/vectorized.hpp"
#include "fields/missing_values.hpp"

namespace thalweg::fields {
namespace {

template <typename Number>
constexpr Number none = std::numeric_limits<Number>::quiet_NaN();

template <typename Number, typename IsMissing>
THALWEG_VECTORIZED void copy_present(std::span<const Number> values, const IsMissing& is_missing, Number* to) {
  const Number* __restrict const from = values.data();
  for (std::size_t i = 0; i < values.size(); ++i) to[i] = is_missing(from[i]) ? none<Number> : from[i];
}

template <typename Number>
void copy_numbers(std::span<const Number> values, std::span<const std::uint8_t> holding,
                  const std::vector<double>& missing, bool is_single, Number* to) {
  if (missing.empty())
    std::memcpy(to, values.data(), values.size_bytes());
  else
    with_missing(missing, is_single, [&](const auto& is_missing) { copy_present(values, is_missing, to); });
  for (std::size_t i = 0; i < holding.size(); ++i) to[i] = holding[i] == 0 ? none<Number> : to[i];
}

}  // namespace

void copy_valid(std::span<const double> values, std::span<const std::uint8_t> holding,
                const std::vector<double>& missing, bool is_single, double* to) {
  copy_numbers(values, holding, missing, is_single, to);
}

void copy_valid(std::span<const float> values, std::span<const std::uint8_t> holding,
                const std::vector<double>& missing, bool is_single, float* to) {
  copy_numbers(values, holding, missing, is_single, to);
}

void KeptValues::keep(const PutSample& put, const std::vector<double>& missing, std::int64_t cells) {
  is_put_.clear();
  if (!put.are_singles()) {
    singles_ = {};
    values_.resize(static_cast<std::size_t>(cells));
    return keep_part(put, missing);
  }
  values_ = {};
  singles_.resize(static_cast<std::size_t>(cells));
  put.for_each_run_of_singles([&](std::int64_t cell, std::span<const float> values, const auto& holding) {
    copy_numbers(values, holding, missing, put.is_single, singles_.data() + cell);
  });
}

void KeptValues::begin_part(std::int64_t cells, bool is_first) {
  if (!singles_.empty()) values_.assign(singles_.begin(), singles_.end());
  singles_ = {};
  values_.resize(static_cast<std::size_t>(cells));
  if (!is_first) return;
  std::ranges::fill(values_, none<double>);
  is_put_.assign(values_.size(), 0);
}

void KeptValues::keep_part(const PutSample& put, const std::vector<double>& missing) {
  put.for_each_run([&](std::int64_t cell, std::span<const double> values, std::span<const std::uint8_t> holding) {
    copy_numbers(values, holding, missing, put.is_single, values_.data() + cell);
    if (!is_put_.empty()) std::fill_n(is_put_.begin() + cell, values.size(), 1);
  });
}

OperandStrip KeptValues::from(std::int64_t first) const {
  if (singles_.empty()) return values_.data() + first;
  return singles_.data() + first;
}

put::Field KeptValues::array(const Index& extent) const {
  const auto field = [&](Type type, const auto* values) {
    const auto stride = contiguous_strides(extent, static_cast<std::int64_t>(size_of(type)));
    return put::Field{reinterpret_cast<const std::byte*>(values), type, extent, stride};
  };
  return singles_.empty() ? field(Type::float64, values_.data()) : field(Type::float32, singles_.data());
}

}  // namespace thalweg::fields
