#include "transform/filters/lz4.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::transform {
namespace {

constexpr std::size_t least_match = 4;
constexpr std::size_t in_token = 15;  // a length of as many goes on in bytes behind the token

// Damaged numbers lead nowhere.
class Lz4Block {
 public:
  Lz4Block(std::span<const std::byte> in, std::span<std::byte> out) : in_(in), out_(out) {}

  // Sequences follow each other: bytes as they are, and some that stood before. The last one has no such.
  std::size_t decode() {
    for (;;) {
      const std::size_t token = byte();
      copy_literals(length(token >> 4));
      if (read_ == in_.size()) return written_;
      const std::size_t low = byte();
      const std::size_t distance = low | byte() << 8;
      copy_match(distance, length(token & in_token) + least_match);
    }
  }

 private:
  [[noreturn]] void refuse(const char* why) const {
    fail(THALWEG_ERROR_STORAGE, "an lz4 block of {} bytes cannot be decompressed into {} bytes: {}", in_.size(),
         out_.size(), why);
  }

  std::size_t byte() {
    if (read_ >= in_.size()) refuse("it was cut short");
    return std::to_integer<std::size_t>(in_[read_++]);
  }

  std::size_t length(std::size_t said) {
    if (said != in_token) return said;
    std::size_t more = 255;
    while (more == 255) said += more = byte();
    return said;
  }

  void copy_literals(std::size_t bytes) {
    if (bytes > in_.size() - read_) refuse("it was cut short");
    if (bytes > out_.size() - written_) refuse("its content is longer");
    std::copy_n(in_.data() + read_, bytes, out_.data() + written_);
    read_ += bytes;
    written_ += bytes;
  }

  // It may run into what it writes itself, and then repeats it.
  void copy_match(std::size_t distance, std::size_t bytes) {
    if (distance == 0 || distance > written_) refuse("it is damaged");
    if (bytes > out_.size() - written_) refuse("its content is longer");
    std::byte* const to = out_.data() + written_;
    if (distance >= bytes)
      std::copy_n(to - distance, bytes, to);
    else
      for (std::size_t i = 0; i < bytes; ++i) to[i] = (to - distance)[i];
    written_ += bytes;
  }

  std::span<const std::byte> in_;
  std::span<std::byte> out_;
  std::size_t read_ = 0;
  std::size_t written_ = 0;
};

}  // namespace

std::size_t decode_lz4(std::span<const std::byte> in, std::span<std::byte> out) {
  return Lz4Block(in, out).decode();
}

}  // namespace thalweg::transform
