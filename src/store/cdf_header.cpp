#include "store/cdf_header.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/error.hpp"

namespace thalweg::store {
namespace {

constexpr std::int64_t tag_dimensions = 10;
constexpr std::int64_t tag_variables = 11;
constexpr std::int64_t tag_attributes = 12;

// Sizes of a broken header may exceed any number: they stay at `most`, which is more than any file has.
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4 * 4;

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? most : std::min(product, most);
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? most : std::min(sum, most);
}

std::int64_t padded(std::int64_t bytes) {
  return bytes > most - 3 ? most : (bytes + 3) / 4 * 4;
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
  std::int64_t count() { return number(version_ == 5 ? 8 : 4); }
  std::int64_t begin() { return number(version_ == 1 ? 4 : 8); }
  void skip(std::int64_t bytes) { take(bytes); }
  void skip_name() { skip(padded(count())); }
  std::int64_t list(std::int64_t wanted) {
    const std::int64_t tag = number(4);
    const std::int64_t length = count();
    if (tag != wanted && (tag != 0 || length != 0)) broken("a list has the wrong tag");
    return length;
  }
  std::int64_t type_bytes() {
    constexpr std::array<std::int64_t, 12> bytes = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const std::int64_t type = number(4);
    if (type < 1 || type > 11) broken("a type is unknown");
    return bytes[static_cast<std::size_t>(type)];
  }
  void skip_attributes() {
    for (std::int64_t left = list(tag_attributes); left > 0; --left) {
      skip_name();
      const std::int64_t element_bytes = type_bytes();
      skip(padded(times(count(), element_bytes)));
    }
  }
  [[noreturn]] void broken(const char* why) const {
    fail(THALWEG_ERROR_FORMAT,
         "'{}' starts like a CDF-{} file, but its header is broken at byte {}: {}; it was cut short, or overwritten by "
         "something else",
         path_, version_, place_, why);
  }

 private:
  std::span<const std::byte> take(std::int64_t bytes) {
    if (bytes < 0 || bytes > std::ssize(file_) - place_) broken("the file ends inside the header");
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

Part read_variable(Reader& reader, const std::vector<std::int64_t>& dimensions) {
  Part part{.bytes = 1};
  reader.skip_name();
  for (std::int64_t left = reader.count(); left > 0; --left) {
    const std::int64_t id = reader.count();
    if (id >= std::ssize(dimensions)) reader.broken("a variable has an unknown dimension");
    const std::int64_t extent = dimensions[static_cast<std::size_t>(id)];
    if (extent == 0)
      part.has_record = true;
    else
      part.bytes = times(part.bytes, extent);
  }
  reader.skip_attributes();
  part.bytes = times(part.bytes, reader.type_bytes());
  reader.count();  // the size as stored is of no use: it cannot express large variables in CDF-1 and CDF-2
  part.begin = reader.begin();
  return part;
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

CdfLayout read_cdf_layout(std::span<const std::byte> file, const std::string& path) {
  Reader reader(file, path);
  CdfLayout layout;
  layout.version = reader.version();
  layout.records = reader.count();
  std::vector<std::int64_t> dimensions;
  for (std::int64_t left = reader.list(tag_dimensions); left > 0; --left) {
    reader.skip_name();
    dimensions.push_back(reader.count());
  }
  reader.skip_attributes();
  std::vector<Part> parts;
  for (std::int64_t left = reader.list(tag_variables); left > 0; --left)
    parts.push_back(read_variable(reader, dimensions));
  layout.record_bytes = record_bytes(parts);
  layout.record_begin = record_begin(parts);
  return layout;
}

std::size_t encode_cdf_record_count(int version, std::int64_t records, std::span<std::byte, 8> bytes) {
  const std::size_t count = version == 5 ? 8 : 4;
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(records >> 8 * (count - 1 - i) & 0xff);
  return count;
}

}  // namespace thalweg::store
