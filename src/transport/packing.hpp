// Values as bytes of a message, and back. Pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace thalweg::transport {

using Bytes = std::vector<std::byte>;

// Throws AGREEMENT: a message is none that this build sends.
[[noreturn]] void refuse_message(const std::string& why);

// Appends and takes values; the sender and the receiver use the same order.
class Packer {
 public:
  template <typename T>
  Packer& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof(T));
    return *this;
  }
  // A text, a vector, a set: their length comes first.
  template <typename Range>
  Packer& put_all(const Range& range) {
    using Value = typename Range::value_type;
    static_assert(std::is_trivially_copyable_v<Value>);
    put(static_cast<std::int64_t>(range.size()));
    if constexpr (requires { range.data(); })
      append(range.data(), range.size() * sizeof(Value));
    else
      for (const Value& value : range) put(value);
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  void append(const void* values, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(values);
    if (bytes > 0) bytes_.insert(bytes_.end(), first, first + bytes);
  }

  Bytes bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const Bytes& bytes) : bytes_(bytes) {}
  template <typename T>
  T get() {
    T value;
    take(&value, sizeof(T));
    return value;
  }
  template <typename Range>
  Range get_all() {
    using Value = typename Range::value_type;
    Range range;
    range.resize(get_count(sizeof(Value)));
    take(range.data(), range.size() * sizeof(Value));
    return range;
  }
  // How many elements follow, each of that many bytes or more.
  std::size_t get_count(std::size_t element_bytes);
  bool done() const { return at_ >= bytes_.size(); }

 private:
  void take(void* values, std::size_t bytes);

  const Bytes& bytes_;
  std::size_t at_ = 0;
};

}  // namespace thalweg::transport
