#include "transport/packing.hpp"

#include "base/error.hpp"

namespace thalweg::transport {

void refuse_message(const std::string& why) {
  fail(THALWEG_ERROR_AGREEMENT,
       "a message of another rank cannot be understood: {}; build all programs of the launch with the same Thalweg",
       why);
}

std::size_t Unpacker::get_count(std::size_t element_bytes) {
  const auto count = static_cast<std::uint64_t>(get<std::int64_t>());
  if (count > (bytes_.size() - at_) / element_bytes) refuse_message(fmt::format("it has no {} elements", count));
  return count;
}

void Unpacker::take(void* values, std::size_t bytes) {
  if (bytes > bytes_.size() - at_)
    refuse_message(fmt::format("{} bytes are wanted behind byte {} of {}", bytes, at_, bytes_.size()));
  if (bytes > 0) std::memcpy(values, bytes_.data() + at_, bytes);
  at_ += bytes;
}

}  // namespace thalweg::transport
