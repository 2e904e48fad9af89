// The container that Zarr's blosc codec reads, which is how Zarr shuffles: one block, shuffled and compressed, or a
// copy. Others write several blocks. (source: c-blosc, README_CHUNK_FORMAT.rst)
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "transform/filters.hpp"

namespace thalweg::transform {
namespace {

constexpr std::size_t blosc_head_bytes = 16;        // in front of a copy
constexpr std::size_t blosc_block_head_bytes = 24;  // in front of what the codec made

constexpr std::uint8_t format_version = 2, codec_version = 1;
constexpr std::uint8_t is_shuffled = 0x01, is_copy = 0x02, has_shuffled_bits = 0x04, is_not_split = 0x10;

struct Head {
  std::uint8_t version, codec_version, flags, element_bytes;
  std::uint32_t bytes, block_bytes, all_bytes;  // little-endian, as the machine
};
static_assert(sizeof(Head) == blosc_head_bytes);

void put_head(std::byte* at, std::uint8_t flags, const FilterCall& call, std::size_t bytes, std::size_t all_bytes) {
  const auto short_bytes = static_cast<std::uint32_t>(bytes);
  const auto by_codec = static_cast<std::uint8_t>(call.inside->description.blosc_code << 5);
  const Head head{format_version,
                  codec_version,
                  static_cast<std::uint8_t>(flags | by_codec),
                  static_cast<std::uint8_t>(call.element_bytes),
                  short_bytes,
                  short_bytes,
                  static_cast<std::uint32_t>(all_bytes)};
  std::memcpy(at, &head, sizeof head);
}

// What stands before `made` bytes of the codec, whose content are `bytes` shuffled bytes.
void put_block_head(std::byte* at, const FilterCall& call, std::size_t bytes, std::size_t made) {
  put_head(at, is_shuffled | is_not_split, call, bytes, blosc_block_head_bytes + made);
  const std::uint32_t begin_of_block = blosc_head_bytes + sizeof begin_of_block;
  const auto block_bytes = static_cast<std::uint32_t>(made);
  std::memcpy(at + blosc_head_bytes, &begin_of_block, sizeof begin_of_block);
  std::memcpy(at + begin_of_block, &block_bytes, sizeof block_bytes);
}

// in: shuffled. Where the codec gains nothing the container holds a copy, which is not.
std::optional<std::size_t> encode_blosc(const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out,
                                        WorkingMemory& memory) {
  const std::size_t most = blosc_head_bytes + in.size();  // of a copy
  if (out.size() < std::max(most, blosc_block_head_bytes)) return std::nullopt;
  const std::size_t room = std::max(most, blosc_block_head_bytes) - blosc_block_head_bytes;
  if (const auto made = call.inside->encode(call, in, out.subspan(blosc_block_head_bytes, room), memory)) {
    put_block_head(out.data(), call, in.size(), *made);
    return blosc_block_head_bytes + *made;
  }
  put_head(out.data(), is_copy, call, in.size(), most);
  unshuffle(in, call.element_bytes, out.data() + blosc_head_bytes);
  return most;
}

// ---- the inverse

[[noreturn]] void refuse_blosc(std::span<const std::byte> in, std::span<std::byte> out, const std::string& why) {
  fail(THALWEG_ERROR_STORAGE, "a blosc chunk of {} bytes cannot be decompressed into {} bytes: {}", in.size(),
       out.size(), why);
}

const Filter& codec_in(const Head& head, std::span<const std::byte> in, std::span<std::byte> out) {
  const int code = head.flags >> 5;
  const bool is_split = (head.flags & is_not_split) == 0 && head.element_bytes > 1;
  for (const Filter* filter : all_filters)
    if (!filter->description.blosc.empty() && filter->description.blosc_code == code && !is_split &&
        (head.flags & has_shuffled_bits) == 0)
      return *filter;
  refuse_blosc(in, out, fmt::format("its codec {} with the flags {:#04x} is not known here", code, head.flags));
}

// Damaged numbers lead nowhere.
class BloscBytes {
 public:
  BloscBytes(std::span<const std::byte> in, std::span<std::byte> out) : in_(in), out_(out) {}
  std::span<const std::byte> at(std::size_t begin, std::size_t bytes) const {
    if (begin > in_.size() || bytes > in_.size() - begin) refuse_blosc(in_, out_, "it is damaged or was cut short");
    return in_.subspan(begin, bytes);
  }
  template <typename T>
  T value_at(std::size_t begin) const {
    T value;
    std::memcpy(&value, at(begin, sizeof value).data(), sizeof value);
    return value;
  }

 private:
  std::span<const std::byte> in_;
  std::span<std::byte> out_;
};

// Each block stands behind its length; one that the codec could not make smaller is stored as it is.
void decode_blosc_block(const Filter& codec, std::span<const std::byte> in, std::span<std::byte> block) {
  const std::size_t bytes =
      in.size() == block.size() ? filter_of({}).decode({}, in, block) : codec.decode({}, in, block);
  if (bytes != block.size()) refuse_blosc(in, block, "its content is shorter");
}

std::size_t decode_blosc(const FilterCall& /*call*/, std::span<const std::byte> in, std::span<std::byte> out) {
  const BloscBytes from(in, out);
  const Head head = from.value_at<Head>(0);
  if (head.bytes > out.size()) refuse_blosc(in, out, "its content is longer");
  if ((head.flags & is_copy) != 0)
    return filter_of({}).decode({}, from.at(blosc_head_bytes, head.bytes), out.first(head.bytes));
  const Filter& codec = codec_in(head, in, out);
  if (head.block_bytes == 0) refuse_blosc(in, out, "it is damaged");
  std::vector<std::byte> room(std::min(head.block_bytes, head.bytes));
  std::size_t place = blosc_head_bytes;
  for (std::size_t begin = 0; begin < head.bytes; begin += head.block_bytes, place += sizeof(std::uint32_t)) {
    const auto block = std::span(room).first(std::min<std::size_t>(head.block_bytes, head.bytes - begin));
    const std::size_t at = from.value_at<std::uint32_t>(place);
    decode_blosc_block(codec, from.at(at + sizeof(std::uint32_t), from.value_at<std::uint32_t>(at)), block);
    if ((head.flags & is_shuffled) != 0)
      unshuffle(block, head.element_bytes, out.data() + begin);
    else
      std::ranges::copy(block, out.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return head.bytes;
}

// The levels of blosc are 1 to 9; the library takes zstd's level 2 c - 1 for its level c. (source: c-blosc, blosc.c)
int blosc_level(int level) {
  return std::min((level + 1) / 2, 9);
}

std::string blosc_json(const FilterCall& call) {
  return fmt::format(
      R"({{"name":"blosc","configuration":{{"cname":"{}","clevel":{},"shuffle":"shuffle","typesize":{},"blocksize":0}}}})",
      call.inside->description.blosc, blosc_level(call.level), call.element_bytes);
}

}  // namespace

constinit const Filter blosc = {
    .description = {.name = "blosc", .zarr = "blosc"},
    .place = FilterPlace::codec,
    .bound = [](const FilterCall& call,
                std::size_t bytes) { return blosc_block_head_bytes + call.inside->bound(call, bytes); },
    .encode = encode_blosc,
    .can_store = true,
    .decode = decode_blosc,
    .zarr_json = blosc_json};

}  // namespace thalweg::transform
