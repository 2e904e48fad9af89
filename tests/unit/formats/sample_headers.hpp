// Definitions by chance, with all that headers of the netCDF classic formats may hold.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sample_file.hpp"

namespace thalweg::formats::sample {

class HeaderByChance {
 public:
  HeaderByChance(Format format, std::uint32_t seed) : numbers_(seed) { made_.format = format; }

  Definition definition() && {
    if (below(4) > 0) made_.record_dimension = name("time");
    for (std::uint32_t d = 1 + below(6); d > 0; --d) made_.dimensions.push_back({name("d"), 1 + below(9)});
    for (std::uint32_t v = below(9); v > 0; --v) made_.variables.push_back(variable());
    made_.attributes = attributes();
    made_.header_reserve = std::array{0, 1, 4096, 8192, 20'000}[below(5)];
    return std::move(made_);
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(numbers_() % limit); }

  // Letters that Unicode composes in two ways are among them.
  std::string name(const char* begin) {
    constexpr std::array ends = {"", " x", "\xc3\xa9", "e\xcc\x81", "\xe6\x97\xa5\xe6\x9c\xac", "-+.@(|)", "\\\"'"};
    const std::string end = ends[below(ends.size())];
    return fmt::format("{}{}{}{}", begin, counter_++, std::string(below(20) == 0 ? 200 : below(4), '_'), end);
  }

  Type type() {
    const std::vector<Type> types = types_of(made_.format);
    return types[below(static_cast<std::uint32_t>(types.size()))];
  }

  Attribute attribute(std::string of, Type type, std::uint32_t count) {
    std::vector<std::byte> values(count * size_of(type));
    for (std::byte& value : values) value = static_cast<std::byte>('a' + below(26));
    return catalog::attribute_of(std::move(of), type, values);
  }

  std::vector<Attribute> attributes() {
    std::vector<Attribute> made;
    for (std::uint32_t a = below(5); a > 0; --a) made.push_back(attribute(name("a"), type(), below(10)));
    return made;
  }

  Variable variable() {
    Variable made{.name = name("v"), .type = type(), .dimensions = {}, .attributes = attributes(), .chunk = {}};
    made.has_record = !made_.record_dimension.empty() && below(2) == 0;
    for (std::uint32_t d = below(4); d > 0; --d)
      made.dimensions.push_back(static_cast<int>(below(static_cast<std::uint32_t>(made_.dimensions.size()))));
    if (below(3) == 0) made.attributes.push_back(attribute("_FillValue", made.type, 1));
    return made;
  }

  std::mt19937 numbers_;
  Definition made_;
  int counter_ = 0;
};

inline Definition header_by_chance(Format format, std::uint32_t seed) {
  return HeaderByChance(format, seed).definition();
}

// What of the file's beginning differs from these bytes; empty: nothing.
inline std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& file) {
  if (file.size() < expected.size()) return fmt::format("{} bytes, not {}", file.size(), expected.size());
  const auto [a, b] = std::ranges::mismatch(expected, std::span(file).first(expected.size()));
  return a == expected.end() ? "" : fmt::format("byte {} of {}", a - expected.begin(), expected.size());
}

}  // namespace thalweg::formats::sample
