#include "catalog/encoding.hpp"

#include <sstream>

#include "base/error.hpp"

namespace thalweg::catalog {
namespace {

using config::Codec;
using config::CompressionSettings;

// What is said of a variable, and of all of its collection.
struct Words {
  const CompressionSettings& own;
  const CompressionSettings& all;

  // The variable's own word, else the collection's, else what is usual.
  template <typename T>
  T of(std::optional<T> CompressionSettings::* key, T usual) const {
    return (own.*key).value_or((all.*key).value_or(usual));
  }
  template <typename T>
  T of(config::Choice<T> CompressionSettings::* key, T usual) const {
    return (own.*key).is_usual ? usual : (own.*key).value_or((all.*key).value_or(usual));
  }
  bool says_own_rounding() const { return own.keep_bits.is_said() || own.keep_digits.is_said(); }
};

void decide_filters(Encoding& encoding, const Words& words, const Variable& variable, const config::ChunkRules& rules,
                    bool is_of_one_record) {
  encoding.codec = words.of(&CompressionSettings::codec, Codec());
  const std::int64_t usual_level = encoding.codec ? encoding.codec->levels.usual : 0;
  encoding.level = static_cast<int>(words.of(&CompressionSettings::level, usual_level));
  const bool compresses{encoding.codec};
  const bool can_shuffle = size_of(variable.type) > 1 && (compresses || rules.shuffles_alone);
  encoding.shuffle = words.of(&CompressionSettings::shuffle, compresses) && can_shuffle;
  encoding.store_noise = words.of(&CompressionSettings::store_noise, true);
  // A chunk of several records cannot have a checksum; one that nobody asked for gives way.
  encoding.checksum = words.of(&CompressionSettings::checksum, rules.sums_by_default && is_of_one_record);
}

void refuse_characters(const config::CollectionSettings& settings, const Variable& variable) {
  fail(THALWEG_ERROR_CONFIG,
       "collection '{}', variable '{}': it holds characters, which cannot be rounded; leave keep-digits and keep-bits "
       "out of its 'compression'",
       settings.name, variable.name);
}

// What is said for all is meant for fields: the time of a record is no field, nor are its bounds.
bool is_rounded(const Words& words, const Variable& variable, const std::string& record_dimension,
                const std::set<std::string>& coordinates) {
  if (variable.type != Type::float32 && variable.type != Type::float64) return false;
  if (words.says_own_rounding()) return true;
  return variable.has_record && variable.name != record_dimension && !coordinates.contains(variable.name);
}

// More than the type has is all of it. (source: NC_QUANTIZE_MAX_*_NSB and NSD in netcdf.h; but netCDF-C 4.9.0 makes 2
// of 1 where a float keeps 7 digits, so that 6 are the most here)
void decide_rounding(Encoding& encoding, const CompressionSettings& rounding, Type type) {
  const bool is_single = type == Type::float32;
  encoding.keep_bits = rounding.keep_bits.value_or(0);
  encoding.keep_digits = encoding.keep_bits > 0 ? 0 : rounding.keep_digits.value_or(0);
  if (encoding.keep_bits >= (is_single ? 23 : 52)) encoding.keep_bits = 0;
  if (encoding.keep_digits > (is_single ? 6 : 15)) encoding.keep_digits = 0;
}

}  // namespace

std::int64_t chunk_cells(const config::CollectionSettings& settings, const std::string& variable,
                         const std::string& dimension) {
  if (const auto own = settings.variables.find(variable); own != settings.variables.end())
    if (const auto cells = own->second.chunks.find(dimension); cells != own->second.chunks.end()) return cells->second;
  const auto cells = settings.chunks.find(dimension);
  return cells == settings.chunks.end() ? 0 : cells->second;
}

std::set<std::string> coordinates_in(const std::vector<Variable>& variables) {
  std::set<std::string> names;
  for (const Variable& variable : variables)
    for (const Attribute& attribute : variable.attributes) {
      if (attribute.name != "bounds" && attribute.name != "climatology" && attribute.name != "coordinates") continue;
      std::istringstream words(attribute.text);
      for (std::string name; words >> name;) names.insert(name);
    }
  return names;
}

Encoding encoding_of(const config::CollectionSettings& settings, const Variable& variable,
                     const std::set<std::string>& coordinates) {
  static const CompressionSettings nothing;
  const auto found = settings.variables.find(variable.name);
  const Words words{found == settings.variables.end() ? nothing : found->second.compression, settings.compression};
  Encoding encoding;
  decide_filters(encoding, words, variable, settings.format->traits.chunks,
                 chunk_cells(settings, variable.name, settings.record_dimension) <= 1);
  if (variable.type == Type::character && (words.own.keep_bits || words.own.keep_digits))
    refuse_characters(settings, variable);
  if (is_rounded(words, variable, settings.record_dimension, coordinates))
    decide_rounding(encoding, words.says_own_rounding() ? words.own : words.all, variable.type);
  return encoding;
}

}  // namespace thalweg::catalog
