// A complete file opened for reading, whatever its format: its definition, and its values box by box.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "catalog/definition.hpp"

namespace thalweg::formats {

// A file may have more than a definition can express: whoever takes it for Thalweg's refuses it, whoever reads what it
// finds does without.
enum class Unreadable { refuse, leave_out };

struct LeftOut {
  std::string name;  // of a variable
  std::string why;
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual const catalog::Definition& definition() const = 0;
  virtual std::int64_t records() const = 0;
  virtual std::vector<LeftOut> left_out() const { return {}; }
  // What was opened, as the storage says it: who opens another file under the same path, or one that was written to
  // since, gets another text.
  virtual std::string version() const { return {}; }
  // Values of variables lie in other files (a virtual master): what is missing of those reads as fill values.
  virtual bool shows_others() const { return false; }
  // Chunks of the variable have gone through a codec, so that reading them takes a processor longer than the storage.
  virtual bool has_codec(int /*variable*/) const { return false; }

  // Values of a box of one record of a variable, row-major, in host order; record is ignored for variables without.
  // `values` has exactly the bytes of the box.
  virtual void read(int variable, std::int64_t record, const Box& box, std::span<std::byte> values) = 0;
  // The values of a variable without other dimensions in records from the first one on, in host order: `values` has
  // exactly their bytes.
  virtual void read_records(int variable, std::int64_t first, std::span<std::byte> values) {
    const std::size_t bytes = size_of(definition().variable(variable).type);
    for (; !values.empty(); values = values.subspan(bytes)) read(variable, first++, Box{}, values.first(bytes));
  }
  // The same in the byte order that the file has, which it returns: whoever copies the values anyway turns them then.
  virtual std::endian read_as_stored(int variable, std::int64_t record, const Box& box, std::span<std::byte> values) {
    read(variable, record, box, values);
    return std::endian::native;
  }
};

// Detects the format from the file itself. Errors: STORAGE, FORMAT (cut short, or more than a definition can express).
std::unique_ptr<ReadableFile> open_readable(const std::string& path, Unreadable unreadable = Unreadable::refuse);

}  // namespace thalweg::formats
