// A get, as a rank has it before the others are asked: what is read, and where it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "read/contents.hpp"
#include "read/declared_variable.hpp"

namespace thalweg::read {

// What lies between wanted cells is read with them, if it is no more than the storage reads in the time of a call.
constexpr std::int64_t gap_bytes = std::int64_t{64} << 10;

// What is read at a time: large for the storage, small beside a node's memory.
constexpr std::int64_t window_bytes = std::int64_t{4} << 20;

// The same of chunks that have gone through a codec, which several threads decode.
constexpr std::int64_t window_bytes_to_decode = std::int64_t{16} << 20;

struct Getting {
  const InputVariable* variable = nullptr;  // or what is selected of it
  int number = 0;                           // of the variable in the input
  std::int64_t record = 0;
  const DeclaredVariable* held = nullptr;
  int box = 0;  // of those that the rank holds
  Conversion conversion;
  bool is_summed = false;        // what is read is compared with the input's checksums
  std::optional<Target> target;  // nothing: this rank holds none
  std::string where;

  std::int64_t bytes_of(std::int64_t cells) const { return cells * static_cast<std::int64_t>(size_of(variable->type)); }
  std::int64_t most_gap() const { return gap_bytes / bytes_of(1); }
  std::int64_t most_cells() const {
    return (variable->has_codec ? window_bytes_to_decode : window_bytes) / bytes_of(1);
  }
  Extents extents() const { return {variable->shape, variable->chunk, held->joined(), variable->selection.kept()}; }

  // The values of the file as the model wants them; in the room, where they are not the same.
  std::span<const std::byte> converted(std::span<const std::byte> values, RawBytes& room) const {
    if (conversion.is_plain()) return values;
    room.resize(values.size() / size_of(conversion.from) * size_of(conversion.to));
    convert(conversion, values, room, where);
    return room;
  }
};

}  // namespace thalweg::read
