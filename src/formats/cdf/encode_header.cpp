#include "formats/cdf/encode_header.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "block/block_map.hpp"
#include "formats/cdf/header.hpp"
#include "formats/cdf/names.hpp"
#include "formats/cdf/words.hpp"
#include "formats/checksum_attribute.hpp"
#include "formats/limits.hpp"

namespace thalweg::formats::cdf {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

// ---- what is declared, with the names that the file has

// Readers take the fill value for one value of the variable.
void check_fill(const Attribute& attribute, const Variable* owner, const std::string& what) {
  if (attribute.name != "_FillValue") return;
  if (owner == nullptr || attribute.element_type() != owner->type || attribute.bytes().size() != size_of(owner->type))
    fail(THALWEG_ERROR_FORMAT, "{} has to be one value of the type of a variable; give it that, or another name", what);
}

void name_attributes(std::vector<Attribute>& attributes, const Variable* owner, const std::string& of,
                     const std::string& path) {
  Names names(path);
  for (Attribute& attribute : attributes) {
    const std::string what = fmt::format("attribute '{}' of {}", attribute.name, of);
    attribute.name = names.add(attribute.name, what);
    check_fill(attribute, owner, what);
  }
}

Definition with_names_of_file(Definition definition, const std::string& path) {
  Names dimensions(path);
  if (!definition.record_dimension.empty())
    definition.record_dimension = dimensions.add(definition.record_dimension, "the record dimension");
  for (catalog::Dimension& dimension : definition.dimensions)
    dimension.name = dimensions.add(dimension.name, fmt::format("dimension '{}'", dimension.name));
  Names variables(path);
  for (Variable& variable : definition.variables) {
    const std::string what = fmt::format("variable '{}'", variable.name);
    variable.name = variables.add(variable.name, what);
    name_attributes(variable.attributes, &variable, what, path);
  }
  name_attributes(definition.attributes, nullptr, "the file", path);
  return definition;
}

// ---- bytes

class Encoder {
 public:
  Encoder(const Definition& definition, const CdfPlaces& places)
      : definition_(definition), places_(places), version_(cdf_version(definition.format)) {}

  std::vector<std::byte> header(std::int64_t records) && {
    for (const char letter : definition_.format->magic) bytes_.push_back(static_cast<std::byte>(letter));
    count(records);
    dimensions();
    attributes(definition_.attributes);
    list(words::tag_variables, std::ssize(definition_.variables));
    for (std::size_t v = 0; v < definition_.variables.size(); ++v) variable(v);
    return std::move(bytes_);
  }

 private:
  bool has_records() const { return !definition_.record_dimension.empty(); }

  void number(std::int64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) bytes_.push_back(static_cast<std::byte>(value >> 8 * i & 0xff));
  }
  void count(std::int64_t value) { number(value, words::count_bytes(version_)); }
  void pad() { bytes_.resize(static_cast<std::size_t>(words::padded(std::ssize(bytes_)))); }

  void name(const std::string& text) {
    count(std::ssize(text));
    for (const char letter : text) bytes_.push_back(static_cast<std::byte>(letter));
    pad();
  }

  // An empty list has no tag.
  void list(std::int64_t tag, std::int64_t length) {
    number(length == 0 ? 0 : tag, 4);
    count(length);
  }

  void type(Type type) { number(std::ranges::find(words::types, type) - words::types.begin() + 1, 4); }

  void dimensions() {
    list(words::tag_dimensions, std::ssize(definition_.dimensions) + (has_records() ? 1 : 0));
    if (has_records()) {
      name(definition_.record_dimension);
      count(0);
    }
    for (const catalog::Dimension& dimension : definition_.dimensions) {
      name(dimension.name);
      count(dimension.size);
    }
  }

  void attributes(const std::vector<Attribute>& attributes) {
    list(words::tag_attributes, std::ssize(attributes));
    for (const Attribute& attribute : attributes) {
      const std::size_t size = size_of(attribute.element_type());
      std::vector<std::byte> values(attribute.bytes().begin(), attribute.bytes().end());
      name(attribute.name);
      type(attribute.element_type());
      count(static_cast<std::int64_t>(values.size() / size));
      swap_bytes(values, size);
      bytes_.insert(bytes_.end(), values.begin(), values.end());
      pad();
    }
  }

  void variable(std::size_t v) {
    const Variable& variable = definition_.variables[v];
    name(variable.name);
    count(std::ssize(variable.dimensions) + (variable.has_record ? 1 : 0));
    if (variable.has_record) count(0);
    for (const int dimension : variable.dimensions) count(dimension + (has_records() ? 1 : 0));
    attributes(variable.attributes);
    type(variable.type);
    size(padded_bytes(definition_, variable));
    number(places_.begins[v], words::begin_bytes(version_));
  }

  // What the number cannot say, readers compute.
  void size(std::int64_t bytes) {
    constexpr std::int64_t most = 0xfffffffc;
    constexpr std::int64_t not_said = 0xffffffff;
    count(version_ != 5 && bytes > most ? not_said : bytes);
  }

  const Definition& definition_;
  const CdfPlaces& places_;
  int version_;
  std::vector<std::byte> bytes_;
};

// ---- places

constexpr std::int64_t on_a_page(std::int64_t offset) {
  return (offset + block::page_bytes - 1) / block::page_bytes * block::page_bytes;
}

// Gives variables that have records, or those that have none, their places one behind the other; the end of the last.
std::int64_t place(const Definition& definition, bool with_records, std::int64_t end, CdfPlaces& places) {
  for (std::size_t v = 0; v < definition.variables.size(); ++v) {
    const Variable& variable = definition.variables[v];
    if (variable.has_record != with_records) continue;
    places.begins[v] = end;
    if (cdf_version(definition.format) == 1 && end > std::numeric_limits<std::int32_t>::max())
      refuse_size(definition, variable, fmt::format("it would start at byte {}, and cdf1 reaches up to 2 GiB", end));
    if (__builtin_add_overflow(end, padded_bytes(definition, variable), &end))
      refuse_size(definition, variable, "with it the file would have more than 2^63 bytes");
  }
  return end;
}

// A lone record variable is not padded. (source: classic format specification, "Note on padding")
std::int64_t bytes_of_record(const Definition& definition, std::int64_t padded) {
  const auto first = std::ranges::find_if(definition.variables, &Variable::has_record);
  if (first == definition.variables.end()) return 0;
  if (std::find_if(first + 1, definition.variables.end(), [](const Variable& v) { return v.has_record; }) !=
      definition.variables.end())
    return padded;
  return definition.shape(*first).product() * static_cast<std::int64_t>(size_of(first->type));
}

// Room to grow is left in the header; both sections start on a page, so that direct writes need no partial page. So
// does what the complete file is given more.
CdfPlaces places_of(const Definition& definition, std::int64_t header_bytes) {
  const std::int64_t reserve = definition.header_reserve + header_bytes_of_checksums(definition);
  const std::int64_t room = definition.variables.empty() ? 0 : reserve;  // there are no data that would have to move
  CdfPlaces places;
  places.begins.resize(definition.variables.size());
  const std::int64_t fixed_end = place(definition, false, on_a_page(header_bytes + room), places);
  const std::int64_t begin = on_a_page(fixed_end);
  places.record_bytes = bytes_of_record(definition, place(definition, true, begin, places) - begin);
  places.record_begin = places.record_bytes > 0 ? begin : fixed_end;
  return places;
}

}  // namespace

EncodedHeader encode_cdf_header(const Definition& definition, std::int64_t records, const std::string& path) {
  const Definition in_file = with_names_of_file(definition, path);
  EncodedHeader header;
  header.places.begins.resize(in_file.variables.size());
  // The header is as long whatever the places are.
  const auto bytes = std::ssize(Encoder(in_file, header.places).header(records));
  header.places = places_of(in_file, bytes);
  header.bytes = Encoder(in_file, header.places).header(records);
  return header;
}

}  // namespace thalweg::formats::cdf
