// Collective steps of the definitions: that all ranks agree, and one voice when they do not.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace thalweg::transport {

using Bytes = std::vector<std::byte>;

// Runs body on every rank; if it throws on some, every rank throws the error of the lowest one of them, so that nobody
// goes on alone. Collective.
void together(MPI_Comm comm, const std::function<void()>& body);

// The text of rank 0 (a description, one item a line) against one's own. On a difference, the lowest differing rank's
// first differing line is reported by all with AGREEMENT. subject: "definitions of collection 'history'". Collective.
void check_same(MPI_Comm comm, const std::string& subject, const std::string& description);

// Sends each rank in `to` its bytes and returns what came, by source; nobody needs to know who sends to whom
// (non-blocking consensus: Hoefler, Siebert, Lumsdaine 2010). Collective; cost grows with one's own partners.
std::map<int, Bytes> exchange_sparsely(MPI_Comm comm, const std::map<int, Bytes>& to);

// Bytes of root on every rank. Collective.
Bytes broadcast(MPI_Comm comm, int root, Bytes bytes);

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
    T value;
    std::copy_n(bytes_.begin() + static_cast<long>(at_), sizeof(T), reinterpret_cast<std::byte*>(&value));
    at_ += sizeof(T);
    return value;
  }
  template <typename Range>
  Range get_all() {
    Range range;
    range.resize(static_cast<std::size_t>(get<std::int64_t>()));
    for (auto& value : range) value = get<typename Range::value_type>();
    return range;
  }
  bool done() const { return at_ >= bytes_.size(); }

 private:
  const Bytes& bytes_;
  std::size_t at_ = 0;
};

}  // namespace thalweg::transport
