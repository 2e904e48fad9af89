#include "read/conversion.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace thalweg::read {
namespace {

template <typename To, typename From>
To converted(From value, Type to, const std::string& where) {
  if (!holds<To>(value))
    fail(
        THALWEG_ERROR_ARGUMENT,
        "{}: the value {} is none that an array of {} can hold; get it into float64 or an integer type that has it, or "
        "say by set_missing what becomes of missing values",
        where, value, name_of(to));
  return static_cast<To>(value);
}

// As for a put: who has no unsigned types has their bits in signed ones of the same size.
template <typename To, typename From>
constexpr bool keeps_bits =
    std::is_integral_v<To> && std::is_signed_v<To> && std::is_unsigned_v<From> && sizeof(To) == sizeof(From);

template <typename From, typename To>
class Converter {
 public:
  Converter(const Conversion& conversion, const std::string& where) : of_(conversion), where_(where) {
    // Unpacked, a missing value would be a number that no attribute of the file knows.
    const bool makes_nan = std::is_floating_point_v<To> && of_.packing.changes_values();
    if (of_.replacement || makes_nan)
      for (const Element& element : of_.packing.missing) missing_.push_back(loaded<From>(element.data()));
  }

  void convert(std::span<const std::byte> from, std::span<std::byte> to) const {
    for (std::size_t i = 0; (i + 1) * sizeof(To) <= to.size(); ++i) {
      const To value = of(loaded<From>(from.data() + i * sizeof(From)));
      std::memcpy(to.data() + i * sizeof value, &value, sizeof value);
    }
  }

 private:
  To of(From value) const {
    for (const From missing : missing_)
      if (is_same(value, missing))
        return converted<To>(of_.replacement.value_or(std::numeric_limits<double>::quiet_NaN()), of_.to, where_);
    if constexpr (std::is_floating_point_v<To>)
      if (of_.packing.changes_values())
        return static_cast<To>(static_cast<double>(value) * of_.packing.scale.value_or(1.0) +
                               of_.packing.offset.value_or(0.0));
    if constexpr (keeps_bits<To, From>)
      return static_cast<To>(value);
    else
      return converted<To>(value, of_.to, where_);
  }

  const Conversion& of_;
  const std::string& where_;
  std::vector<From> missing_;
};

}  // namespace

bool Conversion::is_plain() const {
  const bool same_bits = as_stored(to, from) == from;
  const bool unpacks = packing.changes_values() && is_real(to);
  return same_bits && !unpacks && !(replacement && !packing.missing.empty());
}

bool can_convert(Type from, Type to) {
  return (from == Type::character) == (to == Type::character);
}

void convert(const Conversion& conversion, std::span<const std::byte> from, std::span<std::byte> to,
             const std::string& where) {
  if (conversion.is_plain()) return static_cast<void>(std::memcpy(to.data(), from.data(), to.size()));
  const Type source = conversion.packing.is_unsigned ? catalog::unsigned_of(conversion.from) : conversion.from;
  with_number(source, [&](auto from_kind) {
    with_number(conversion.to, [&](auto to_kind) {
      Converter<decltype(from_kind), decltype(to_kind)>(conversion, where).convert(from, to);
    });
  });
}

std::vector<Element> converted_missing(const Conversion& conversion) {
  std::vector<Element> values;
  for (const Element& missing : conversion.packing.missing) {
    Element& value = values.emplace_back();
    try {
      convert(conversion, std::span(missing).first(size_of(conversion.from)),
              std::span(value).first(size_of(conversion.to)), "");
    } catch (const Error&) {  // the array can have none of it
      values.pop_back();
    }
  }
  return values;
}

}  // namespace thalweg::read
