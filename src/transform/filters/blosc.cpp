// The container that Zarr's blosc codec reads, which is how Zarr shuffles: one block, shuffled and compressed, or a
// copy. Others write several blocks. (source: c-blosc, README_CHUNK_FORMAT.rst)
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "transform/filters.hpp"
#include "transform/filters/lz4.hpp"

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

using Decode = std::size_t (*)(std::span<const std::byte> in, std::span<std::byte> out);

// What is in the container by the name and the number that c-blosc has for it.
struct Inside {
  std::string_view name;
  int code;
  Decode decode;
};
constexpr Inside known[] = {
    {"lz4", 1, decode_lz4},
    {"lz4hc", 1, decode_lz4},
    {"zlib", 3, [](std::span<const std::byte> in, std::span<std::byte> out) { return deflate.decode({}, in, out); }},
    {"zstd", 4, [](std::span<const std::byte> in, std::span<std::byte> out) { return zstd.decode({}, in, out); }}};

Decode decode_of(const Head& head, std::span<const std::byte> in, std::span<std::byte> out) {
  const int code = head.flags >> 5;
  for (const Inside& inside : known)
    if (inside.code == code) return inside.decode;
  refuse_blosc(in, out, fmt::format("its codec {} is not known here", code));
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

// Stored as it is where the codec could not make it smaller.
void decode_part(Decode decode, std::span<const std::byte> in, std::span<std::byte> part) {
  const std::size_t bytes = in.size() == part.size() ? filter_of({}).decode({}, in, part) : decode(in, part);
  if (bytes != part.size()) refuse_blosc(in, part, "its content is shorter");
}

// Fast codecs compress each byte of the elements by itself. (source: c-blosc, blosc.c, split_block())
bool is_split(const Head& head, std::size_t block_bytes) {
  constexpr std::size_t most_parts = 16, least_bytes = 128;
  return (head.flags & is_not_split) == 0 && block_bytes == head.block_bytes && head.element_bytes > 1 &&
         head.element_bytes <= most_parts && block_bytes / head.element_bytes >= least_bytes;
}

// Each part of a block stands behind its length.
void decode_block(const Head& head, Decode decode, const BloscBytes& from, std::size_t at, std::span<std::byte> block) {
  const std::size_t parts = is_split(head, block.size()) ? head.element_bytes : 1;
  const std::size_t part_bytes = block.size() / parts;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t bytes = from.value_at<std::uint32_t>(at);
    at += sizeof(std::uint32_t);
    decode_part(decode, from.at(at, bytes), block.subspan(part * part_bytes, part_bytes));
    at += bytes;
  }
}

// One bit after the other of all elements, in groups of eight of these. (source: c-blosc, bitshuffle-generic.c)
void unshuffle_bits(std::span<const std::byte> in, std::size_t element_bytes, std::byte* out) {
  const std::size_t elements = in.size() / element_bytes, groups = elements / 8;
  std::ranges::copy(in, out);
  if (elements % 8 != 0) return;
  for (std::size_t byte = 0; byte < element_bytes; ++byte)
    for (std::size_t group = 0; group < groups; ++group)
      for (std::size_t i = 0; i < 8; ++i) {
        unsigned value = 0;
        for (std::size_t bit = 0; bit < 8; ++bit)
          value |= (std::to_integer<unsigned>(in[(byte * 8 + bit) * groups + group]) >> i & 1U) << bit;
        out[(group * 8 + i) * element_bytes + byte] = static_cast<std::byte>(value);
      }
}

void put_block(const Head& head, std::span<const std::byte> block, std::byte* out) {
  if ((head.flags & is_shuffled) != 0)
    unshuffle(block, head.element_bytes, out);
  else if ((head.flags & has_shuffled_bits) != 0 && block.size() >= head.element_bytes)
    unshuffle_bits(block, head.element_bytes, out);
  else
    std::ranges::copy(block, out);
}

std::size_t decode_blosc(const FilterCall& /*call*/, std::span<const std::byte> in, std::span<std::byte> out) {
  const BloscBytes from(in, out);
  const Head head = from.value_at<Head>(0);
  if (head.bytes > out.size()) refuse_blosc(in, out, "its content is longer");
  if ((head.flags & is_copy) != 0)
    return filter_of({}).decode({}, from.at(blosc_head_bytes, head.bytes), out.first(head.bytes));
  const Decode decode = decode_of(head, in, out);
  if (head.block_bytes == 0 || head.element_bytes == 0) refuse_blosc(in, out, "it is damaged");
  std::vector<std::byte> room(std::min(head.block_bytes, head.bytes));
  std::size_t place = blosc_head_bytes;
  for (std::size_t begin = 0; begin < head.bytes; begin += head.block_bytes, place += sizeof(std::uint32_t)) {
    const auto block = std::span(room).first(std::min<std::size_t>(head.block_bytes, head.bytes - begin));
    decode_block(head, decode, from, from.value_at<std::uint32_t>(place), block);
    put_block(head, block, out.data() + begin);
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

bool reads_in_blosc(std::string_view codec) {
  return std::ranges::find(known, codec, &Inside::name) != std::end(known);
}

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
