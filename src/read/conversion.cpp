#include "read/conversion.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "catalog/numeric_attribute.hpp"

namespace thalweg::read {
namespace {

constexpr Type unsigned_of(Type type) {
  switch (type) {
    case Type::int8: return Type::uint8;
    case Type::int16: return Type::uint16;
    case Type::int32: return Type::uint32;
    case Type::int64: return Type::uint64;
    default: return type;
  }
}

template <typename To, typename From>
To converted(From value, Type to, const std::string& where) {
  if (!holds<To>(value))
    fail(THALWEG_ERROR_ARGUMENT, "{}: the value {} is none that an array of {} can hold; get it into a larger type",
         where, value, name_of(to));
  return static_cast<To>(value);
}

template <typename From>
bool is_same(From value, From missing) {
  if constexpr (std::is_floating_point_v<From>)
    if (std::isnan(missing)) return std::isnan(value);
  return value == missing;
}

// A number as an element of another type; nothing: that type has none such.
std::optional<Element> as_element(Type type, double number) {
  std::optional<Element> element;
  with_number(type, [&](auto kind) {
    using To = decltype(kind);
    if (holds<To>(number)) element = element_of(static_cast<To>(number));
  });
  return element;
}

void take_missing(const catalog::Variable& variable, const char* name, Packing& packing) {
  const catalog::Attribute* found = catalog::find(variable.attributes, name);
  if (found == nullptr) return;
  const std::size_t bytes = size_of(found->element_type());
  for (std::size_t at = 0; at + bytes <= found->bytes().size(); at += bytes) {
    const auto value = found->bytes().subspan(at, bytes);
    if (found->element_type() == variable.type) {
      Element element{};
      std::memcpy(element.data(), value.data(), bytes);
      packing.missing.push_back(element);
    } else if (const auto number = number_of(found->element_type(), value)) {
      if (const auto element = as_element(variable.type, *number)) packing.missing.push_back(*element);
    }
  }
}

// As for a put: who has no unsigned types has their bits in signed ones of the same size.
template <typename To, typename From>
constexpr bool keeps_bits =
    std::is_integral_v<To> && std::is_signed_v<To> && std::is_unsigned_v<From> && sizeof(To) == sizeof(From);

template <typename From, typename To>
class Converter {
 public:
  Converter(const Conversion& conversion, const std::string& where) : of_(conversion), where_(where) {
    if (of_.replacement)
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
      if (is_same(value, missing)) return converted<To>(*of_.replacement, of_.to, where_);
    if constexpr (std::is_floating_point_v<To>)
      if (of_.packing.packs())
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

Packing packing_of(const catalog::Variable& variable) {
  Packing packing;
  packing.scale = catalog::number_in(variable, "scale_factor");
  packing.offset = catalog::number_in(variable, "add_offset");
  const catalog::Attribute* unsigned_said = catalog::find(variable.attributes, "_Unsigned");
  packing.is_unsigned = unsigned_said != nullptr && unsigned_said->text == "true";
  take_missing(variable, "_FillValue", packing);
  // As netCDF's readers do: of a byte, every value may be meant.
  if (packing.missing.empty() && size_of(variable.type) > 1) packing.missing.push_back(default_fill(variable.type));
  take_missing(variable, "missing_value", packing);
  return packing;
}

bool Conversion::is_plain() const {
  const bool same_bits = as_stored(to, from) == from;
  const bool unpacks = packing.packs() && is_real(to);
  return same_bits && !unpacks && !(replacement && !packing.missing.empty());
}

bool can_convert(Type from, Type to) {
  return (from == Type::character) == (to == Type::character);
}

void convert(const Conversion& conversion, std::span<const std::byte> from, std::span<std::byte> to,
             const std::string& where) {
  if (conversion.is_plain()) return static_cast<void>(std::memcpy(to.data(), from.data(), to.size()));
  const Type source = conversion.packing.is_unsigned ? unsigned_of(conversion.from) : conversion.from;
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
