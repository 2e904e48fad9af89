// Collective steps of the definitions: that all ranks agree, and one voice when they do not.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "roles/circle.hpp"
#include "roles/counts.hpp"

namespace thalweg::transport {

using Bytes = std::vector<std::byte>;

// Runs body on every rank; if it throws on some, every rank throws the error of the lowest one of them, so that nobody
// goes on alone. Collective; but who has waited in vain for others within body does not wait for them again.
void together(const roles::Circle& circle, const std::function<void()>& body);

// The text of rank 0 (a description, one item a line) against one's own. On a difference, the lowest differing rank's
// first differing line is reported by all with AGREEMENT. subject: "definitions of collection 'history'". Collective.
void check_same(const roles::Circle& circle, const std::string& subject, const std::string& description);

// Sends each rank in `to` its bytes and returns what came, by source; nobody needs to know who sends to whom
// (non-blocking consensus: Hoefler, Siebert, Lumsdaine 2010). Collective; cost grows with one's own partners.
// most_bytes: of a part of a message.
std::map<int, Bytes> exchange_sparsely(const roles::Circle& circle, const std::map<int, Bytes>& to,
                                       std::size_t most_bytes = roles::part_bytes);

// Bytes of root on every rank. Collective.
Bytes broadcast(const roles::Circle& circle, int root, Bytes bytes, std::size_t most_bytes = roles::part_bytes);

// Throws AGREEMENT: a message is none that this build sends.
[[noreturn]] void refuse_message(const std::string& why);

// Appends and takes values; the sender and the receiver use the same order.
class Packer {
 public:
  template <typename T>
  Packer& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
    return *this;
  }
  // A text, a vector: their length comes first.
  template <typename Range>
  Packer& put_all(const Range& range) {
    put(static_cast<std::int64_t>(range.size()));
    for (const auto& value : range) put(value);
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const Bytes& bytes) : bytes_(bytes) {}
  template <typename T>
  T get() {
    require(sizeof(T));
    T value;
    std::copy_n(bytes_.begin() + static_cast<long>(at_), sizeof(T), reinterpret_cast<std::byte*>(&value));
    at_ += sizeof(T);
    return value;
  }
  template <typename Range>
  Range get_all() {
    Range range;
    range.resize(get_count(sizeof(typename Range::value_type)));
    for (auto& value : range) value = get<typename Range::value_type>();
    return range;
  }
  // How many elements follow, each of that many bytes or more.
  std::size_t get_count(std::size_t element_bytes) {
    const auto count = static_cast<std::uint64_t>(get<std::int64_t>());
    if (count > (bytes_.size() - at_) / element_bytes) refuse_message(fmt::format("it has no {} elements", count));
    return count;
  }
  bool done() const { return at_ >= bytes_.size(); }

 private:
  void require(std::size_t bytes) const {
    if (bytes > bytes_.size() - at_)
      refuse_message(fmt::format("{} bytes are wanted behind byte {} of {}", bytes, at_, bytes_.size()));
  }

  const Bytes& bytes_;
  std::size_t at_ = 0;
};

}  // namespace thalweg::transport
