#include "formats/netcdf4/hdf5_header.hpp"

#include <cstring>
#include <span>
#include <vector>

#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

constexpr std::size_t layout_message = 8;
constexpr std::size_t continuation_message = 16;
constexpr std::uint64_t no_address = ~std::uint64_t{0};
constexpr std::uint64_t most_block_bytes = std::uint64_t{4} << 20;
constexpr std::size_t most_blocks = 256;

// A part of a header, without what stands before and behind its messages.
struct HeaderBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class HeaderReader {
 public:
  HeaderReader(const storage::Descriptor& file, const std::string& path) : file_(file), path_(path) {}

  std::optional<Hdf5Storage> storage(std::uint64_t address) {
    if (!begin(address)) return std::nullopt;
    for (std::size_t i = 0; i < blocks_.size() && !storage_; ++i)
      if (blocks_.size() > most_blocks || !read(blocks_[i])) return std::nullopt;
    return storage_;
  }

 private:
  // The bytes there; empty: the file has not as many.
  std::vector<std::byte> bytes_at(std::uint64_t address, std::uint64_t count) const {
    if (address > std::uint64_t{1} << 62 || count > most_block_bytes) return {};
    std::vector<std::byte> bytes(count);
    const std::int64_t got = storage::read_all(file_, path_, static_cast<std::int64_t>(address), bytes);
    return got == std::ssize(bytes) ? bytes : std::vector<std::byte>();
  }

  bool begin(std::uint64_t address) {
    const std::vector<std::byte> first = bytes_at(address, 16);
    if (first.empty()) return false;
    const std::span all(first);
    if (std::memcmp(first.data(), "OHDR", 4) != 0) {
      if (little_endian(all.first(1)) != 1) return false;
      blocks_.push_back({address + 16, little_endian(all.subspan(8, 4))});
      return true;
    }
    is_new_ = true;
    const std::uint64_t flags = little_endian(all.subspan(5, 1));
    has_order_ = (flags & 0x04) != 0;
    const std::uint64_t size_at = 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
    const std::vector<std::byte> size = bytes_at(address + size_at, std::uint64_t{1} << (flags & 3));
    if (size.empty()) return false;
    blocks_.push_back({address + size_at + size.size(), little_endian(size)});
    return true;
  }

  bool read(const HeaderBlock& block) {
    const std::vector<std::byte> bytes = bytes_at(block.address, block.bytes);
    if (bytes.empty() && block.bytes > 0) return false;
    const std::size_t head = is_new_ ? (has_order_ ? 6 : 4) : 8;
    const std::span all(bytes);
    for (std::size_t at = 0; at + head <= bytes.size();) {
      const std::uint64_t type = little_endian(all.subspan(at, is_new_ ? 1 : 2));
      const std::uint64_t size = little_endian(all.subspan(at + (is_new_ ? 1 : 2), 2));
      at += head;
      if (size > bytes.size() - at) return false;
      if (!take(type, all.subspan(at, size))) return false;
      at += size;
    }
    return true;
  }

  bool take(std::uint64_t type, std::span<const std::byte> message) {
    if (type == continuation_message) {
      if (message.size() < 16) return false;
      const HeaderBlock next{little_endian(message.first(8)), little_endian(message.subspan(8, 8))};
      if (!is_new_)
        blocks_.push_back(next);
      else if (next.bytes >= 8)  // "OCHK" before the messages, and a checksum behind them
        blocks_.push_back({next.address + 4, next.bytes - 8});
      return true;
    }
    if (type != layout_message || storage_) return true;
    return take_layout(message);
  }

  bool take_layout(std::span<const std::byte> message) {
    if (message.size() < 3) return false;
    const std::uint64_t version = little_endian(message.first(1));
    const std::uint64_t kind = little_endian(message.subspan(version < 3 ? 2 : 1, 1));
    if (version < 1 || version > 4 || kind > 3) return false;
    storage_.emplace(static_cast<Hdf5Layout>(kind));
    // Version 3 has the address behind the number of dimensions.
    if (version != 3 || storage_->layout != Hdf5Layout::chunked || message.size() < 11) return true;
    if (const std::uint64_t root = little_endian(message.subspan(3, 8)); root != no_address)
      storage_->chunk_tree = root;
    return true;
  }

  const storage::Descriptor& file_;
  const std::string& path_;
  std::vector<HeaderBlock> blocks_;
  bool is_new_ = false;     // of version 2
  bool has_order_ = false;  // messages of which say in which order they were made
  std::optional<Hdf5Storage> storage_;
};

}  // namespace

std::optional<Hdf5Storage> hdf5_storage(const storage::Descriptor& file, const std::string& path,
                                        std::uint64_t address) {
  return HeaderReader(file, path).storage(address);
}

}  // namespace thalweg::formats::netcdf4
