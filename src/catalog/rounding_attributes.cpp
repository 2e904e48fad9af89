#include "catalog/rounding_attributes.hpp"

#include "base/error.hpp"
#include "catalog/encoding.hpp"

namespace thalweg::catalog {
namespace {

Attribute number_attribute(const std::string& name, std::int32_t number) {
  const Element bits = element_of(number);
  return {name, Type::int32, "", {bits.begin(), bits.begin() + sizeof number}};
}

// Of the smallest type that every format has: its value means nothing.
Variable container_of(const RoundingWords& words) {
  Variable container;
  container.name = words.container;
  container.type = Type::int8;
  container.attributes = {text_attribute("algorithm", words.algorithm),
                          text_attribute("implementation", "Thalweg version " THALWEG_VERSION)};
  return container;
}

}  // namespace

void describe_rounding(const std::string& collection, const Variable& rounded, Variables& variables,
                       Attributes& attributes) {
  const Encoding encoding = rounded.encoding;
  const std::string name = rounded.name;  // a variable more may move the others
  const bool keeps_bits = encoding.keep_bits > 0;
  const RoundingWords& words = keeps_bits ? bit_round_words : granular_bit_round_words;
  const auto kept = static_cast<std::int32_t>(keeps_bits ? encoding.keep_bits : encoding.keep_digits);
  attributes.define(name, number_attribute(words.kept_for_netcdf, kept));
  attributes.define(name, text_attribute("quantization", words.container));
  attributes.define(name, number_attribute(words.kept_for_cf, kept));
  const int container = variables.find(words.container);
  if (container < 0) return variables.add_container(container_of(words));
  if (variables.model_side(container).is_held)
    fail(THALWEG_ERROR_NAME,
         "collection '{}': the model defines the variable '{}', but a variable of this name says how '{}' is rounded; "
         "give the model's another name, or leave keep-digits and keep-bits out of 'compression'",
         collection, words.container, name);
}

}  // namespace thalweg::catalog
