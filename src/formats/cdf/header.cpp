#include "formats/cdf/header.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "formats/cdf/format.hpp"
#include "formats/cdf/words.hpp"

namespace thalweg::formats::cdf {
namespace {

using catalog::Attribute;

using words::most;
using words::padded;

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? most : std::min(product, most);
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? most : std::min(sum, most);
}

class Reader {
 public:
  Reader(std::span<const std::byte> file, const std::string& path) : file_(file), path_(path) {}

  std::int64_t number(int bytes) {
    std::uint64_t value = 0;
    for (const std::byte byte : take(bytes)) value = value << 8 | std::to_integer<std::uint64_t>(byte);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      broken("a number is out of range");
    return static_cast<std::int64_t>(value);
  }
  int version() {
    const std::span<const std::byte> magic = take(4);
    version_ = std::to_integer<int>(magic[3]);
    return version_;
  }
  std::int64_t count() { return number(words::count_bytes(version_)); }
  // Nothing: it is a stream, and how long it is says how many there are.
  std::optional<std::int64_t> records() {
    const std::span<const std::byte> bytes = take(words::count_bytes(version_));
    if (std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0xff}; })) return std::nullopt;
    place_ -= std::ssize(bytes);
    return count();
  }
  std::int64_t begin() { return number(words::begin_bytes(version_)); }
  std::string text(std::int64_t bytes) {
    const std::span<const std::byte> letters = take(padded(bytes)).first(static_cast<std::size_t>(bytes));
    return {reinterpret_cast<const char*>(letters.data()), letters.size()};
  }
  std::string name() { return text(count()); }
  std::int64_t list(std::int64_t wanted) {
    const std::int64_t tag = number(4);
    const std::int64_t length = count();
    if (tag != wanted && (tag != 0 || length != 0)) broken("a list has the wrong tag");
    return length;
  }
  Type type() {
    const std::int64_t type = number(4);
    if (type < 1 || type > std::ssize(words::types)) broken("a type is unknown");
    return words::types[static_cast<std::size_t>(type) - 1];
  }
  std::vector<Attribute> attributes() {
    std::vector<Attribute> attributes;
    for (std::int64_t left = list(words::tag_attributes); left > 0; --left) {
      std::string of = name();
      const Type element = type();
      const std::string bytes = text(times(count(), static_cast<std::int64_t>(size_of(element))));
      attributes.push_back(catalog::attribute_of(std::move(of), element, std::as_bytes(std::span(bytes))));
      swap_bytes(attributes.back().values, size_of(element));
    }
    return attributes;
  }
  [[noreturn]] void broken(const char* why) const { throw Error(THALWEG_ERROR_FORMAT, broken_text(why)); }

 private:
  std::string broken_text(const char* why) const {
    return fmt::format(
        "'{}' starts like a CDF-{} file, but its header is broken at byte {}: {}; it was cut short, or overwritten by "
        "something else",
        path_, version_, place_, why);
  }
  std::span<const std::byte> take(std::int64_t bytes) {
    if (bytes < 0 || bytes > std::ssize(file_) - place_)
      throw HeaderGoesOn(THALWEG_ERROR_FORMAT, broken_text("the file ends inside the header"));
    const auto taken = file_.subspan(static_cast<std::size_t>(place_), static_cast<std::size_t>(bytes));
    place_ += bytes;
    return taken;
  }

  std::span<const std::byte> file_;
  const std::string& path_;
  std::int64_t place_ = 0;
  int version_ = 0;
};

struct Part {
  bool has_record = false;
  std::int64_t bytes = 0;  // unpadded, of one record if it has records
  std::int64_t begin = 0;
};

// In a definition the record dimension, whose size is 0 in the file, stands apart.
struct Dimensions {
  std::vector<std::int64_t> extents;
  std::vector<int> in_definition;
};

Dimensions read_dimensions(Reader& reader, catalog::Definition& definition) {
  Dimensions dimensions;
  for (std::int64_t left = reader.list(words::tag_dimensions); left > 0; --left) {
    std::string name = reader.name();
    dimensions.extents.push_back(reader.count());
    dimensions.in_definition.push_back(static_cast<int>(definition.dimensions.size()));
    if (dimensions.extents.back() == 0)
      definition.record_dimension = std::move(name);
    else
      definition.dimensions.push_back({std::move(name), dimensions.extents.back()});
  }
  return dimensions;
}

Part read_variable(Reader& reader, const Dimensions& dimensions, CdfHeader& header) {
  Part part{.bytes = 1};
  catalog::Variable& variable = header.definition.variables.emplace_back();
  variable.name = reader.name();
  for (std::int64_t left = reader.count(); left > 0; --left) {
    const std::int64_t id = reader.count();
    if (id >= std::ssize(dimensions.extents)) reader.broken("a variable has an unknown dimension");
    const std::int64_t extent = dimensions.extents[static_cast<std::size_t>(id)];
    if (extent != 0) {
      part.bytes = times(part.bytes, extent);
      variable.dimensions.push_back(dimensions.in_definition[static_cast<std::size_t>(id)]);
    } else {
      if (part.has_record || !variable.dimensions.empty())
        reader.broken("a record dimension is not a variable's first");
      part.has_record = variable.has_record = true;
    }
  }
  variable.attributes = reader.attributes();
  variable.type = reader.type();
  part.bytes = times(part.bytes, static_cast<std::int64_t>(size_of(variable.type)));
  reader.count();  // the size as stored is of no use: it cannot express large variables in CDF-1 and CDF-2
  part.begin = reader.begin();
  header.begins.push_back(part.begin);
  return part;
}

config::Format format_of(int version) {
  return version == 1 ? cdf1.description : version == 2 ? cdf2.description : cdf5.description;
}

// A lone record variable is not padded. (source: classic format specification, "Note on padding")
std::int64_t record_bytes(const std::vector<Part>& parts) {
  std::int64_t sum = 0;
  std::int64_t unpadded = 0;
  std::int64_t count = 0;
  for (const Part& part : parts) {
    if (!part.has_record) continue;
    ++count;
    unpadded = part.bytes;
    sum = plus(sum, padded(part.bytes));
  }
  return count == 1 ? unpadded : sum;
}

std::int64_t record_begin(const std::vector<Part>& parts) {
  std::int64_t fixed_end = 0;
  std::int64_t begin = most;
  for (const Part& part : parts) {
    if (part.has_record)
      begin = std::min(begin, part.begin);
    else
      fixed_end = std::max(fixed_end, plus(part.begin, padded(part.bytes)));
  }
  return begin == most ? fixed_end : begin;
}

}  // namespace

std::int64_t CdfHeader::end_with(std::int64_t records) const {
  if (records == 0 || record_end == 0) return fixed_end;
  return std::max(fixed_end, plus(record_end, times(records - 1, layout.record_bytes)));
}

std::int64_t CdfHeader::records_in(std::int64_t file_bytes) const {
  if (record_end == 0 || file_bytes < record_end) return 0;
  return layout.record_bytes == 0 ? 0 : (file_bytes - record_end) / layout.record_bytes + 1;
}

int cdf_version(config::Format format) {
  return format->magic.back();
}

CdfHeader read_cdf_header(std::span<const std::byte> file, const std::string& path) {
  Reader reader(file, path);
  CdfHeader header;
  header.layout.version = reader.version();
  const std::optional<std::int64_t> records = reader.records();
  header.layout.records = records.value_or(most);
  header.is_stream = !records;
  header.definition.format = format_of(header.layout.version);
  const Dimensions dimensions = read_dimensions(reader, header.definition);
  header.definition.attributes = reader.attributes();
  std::vector<Part> parts;
  for (std::int64_t left = reader.list(words::tag_variables); left > 0; --left)
    parts.push_back(read_variable(reader, dimensions, header));
  header.layout.record_bytes = record_bytes(parts);
  header.layout.record_begin = record_begin(parts);
  for (const Part& part : parts) {
    std::int64_t& end = part.has_record ? header.record_end : header.fixed_end;
    end = std::max(end, plus(part.begin, part.bytes));
  }
  header.end = header.end_with(header.layout.records);
  return header;
}

CdfLayout read_cdf_layout(std::span<const std::byte> file, const std::string& path) {
  return read_cdf_header(file, path).layout;
}

// Its name, its type, the number of its values, and these, each part padded to four bytes.
std::int64_t cdf_attribute_bytes(const Attribute& attribute, std::int64_t count_bytes) {
  return count_bytes + padded(std::ssize(attribute.name)) + 4 + count_bytes + padded(std::ssize(attribute.bytes()));
}

std::size_t encode_cdf_record_count(int version, std::int64_t records, std::span<std::byte, 8> bytes) {
  const auto count = static_cast<std::size_t>(words::count_bytes(version));
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(records >> 8 * (count - 1 - i) & 0xff);
  return count;
}

}  // namespace thalweg::formats::cdf
